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
      const row = await prisma.apiKey.findUnique({ where: { kid, revokedAt: null }, include: { server: true } });
      if (!row) return null;
      const { id, name } = row.server;
      return { server: { kind: 'server', id: id as ServerId, name }, hash: row.hash };
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
