import type { ServerId } from '../model/id.ts';
import type { ServerCaller } from '../model/person.ts';
import type { Database } from './database.ts';
import type { SealedEntry } from './elicitation-row.ts';

export interface Servers {
  /** The server a key of this id belongs to, with the key's hash; null for unknown and revoked keys. */
  byKey(kid: string): Promise<{ server: ServerCaller; hash: Uint8Array } | null>;
  /** Adds a key to the server of this name, making the server where there is none. */
  addKey(
    server: { id: ServerId; name: string },
    key: { kid: string; hash: Uint8Array },
    entry: SealedEntry,
  ): Promise<void>;
}

export function createServers({ prisma }: Pick<Database, 'prisma'>): Servers {
  const audit = ({ at, body, leafHash, ...entry }: SealedEntry) =>
    prisma.auditEntry.create({
      data: { ...entry, at: new Date(at), body: new Uint8Array(body), leafHash: new Uint8Array(leafHash) },
    });
  return {
    async byKey(kid) {
      const [found] = await prisma.$queryRaw<{ id: ServerId; name: string; hash: Uint8Array }[]>`
        SELECT s.id, s.name, k.hash FROM api_key k JOIN server s ON s.id = k.server_id
         WHERE k.kid = ${kid} AND k.revoked_at IS NULL`;
      if (!found) return null;
      const { id, name, hash } = found;
      return { server: { kind: 'server', id, name }, hash };
    },
    async addKey({ id, name }, { kid, hash }, entry) {
      const create = { kid, hash: new Uint8Array(hash) };
      await prisma.$transaction([
        prisma.server.upsert({
          where: { name },
          create: { id, name, keys: { create } },
          update: { keys: { create } },
        }),
        audit(entry),
      ]);
    },
  };
}
