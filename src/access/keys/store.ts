import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { ServerId, UserId, ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { everyTool, type KeyProof, type ServerCaller } from '#people/directory/contract/user';
import { anyOf } from '#platform/database/sql';
import { batch, type InCommit } from '#platform/database/database';
import { callerEpoch, type Epoch } from '#platform/database/epochs';
import type { Query } from '#platform/database/connection';
import { insertEntry, type Ledger, entryJson, insertEntries } from '#audit/entries/store/entries';
import { directoryDigests } from '#people/directory/store/tables';
import type { KeyEntry, SeenTool } from './contract/key.ts';

/** The stored columns of a new key. */
interface AddedKey {
  kid: string;
  hash: Uint8Array;
  makerId?: UserId | null;
  expiresAt?: number | null;
  tools?: readonly string[];
  networks?: readonly string[];
}

/** The key that a new one follows, and when it ends. */
interface ReplacedKey {
  kid: string;
  endsAt: number;
  entry: AuditEntry;
}

/** A key in use, as it is checked. */
export interface KeyInUse {
  server: ServerCaller & { proof: KeyProof };
  hash: Uint8Array;
  lastUsedAt: number | null;
  expiresAt: number | null;
  networks: string[];
}

/** The most keys kept in memory. */
const maxKept = 10_000;

export const createServers = ({ prisma, query, evidence }: Ledger) => ({
  ...createKeyReader(query),
  ...createKeyChanges({ prisma, query, evidence }),
  /** Includes revoked keys. */
  hasKey: async (kid: string): Promise<boolean> => (await prisma.apiKey.count({ where: { kid } })) > 0,
  async touchKey(kid: string, at: number) {
    await prisma.apiKey.updateMany({ where: { kid }, data: { lastUsedAt: new Date(at) } });
  },
  /** Every key that ever existed, ordered by the server's name and then by age. */
  async keys(): Promise<KeyEntry[]> {
    const rows = await prisma.apiKey.findMany({
      where: { kid: { gt: '' } }, // by its index
      omit: { hash: true },
      include: { server: { select: { id: true, name: true } } },
      orderBy: [{ server: { name: 'asc' } }, { createdAt: 'asc' }, { kid: 'asc' }],
    });
    const users = await prisma.user.findMany({
      where: { id: { in: rows.flatMap(({ makerId }) => makerId ?? []) } },
      select: { id: true, name: true, disabledAt: true },
    });
    const makers = new Map(users.map((user) => [user.id, user]));
    return rows.map((row) => keyOf(row, makers.get(row.makerId ?? '')));
  },
});

/** Changes of keys, each with its entry. */
const createKeyChanges = ({ prisma, evidence }: Ledger) => ({
  /** Revokes it with its entry in one commit; writes nothing if it is already revoked. */
  revokeKey: (kid: string, at: number, entry: AuditEntry, also: InCommit) =>
    prisma.$transaction(async (tx) => {
      await also(tx);
      const { count } = await tx.apiKey.updateMany({
        where: { kid, revokedAt: null },
        data: { revokedAt: new Date(at) },
      });
      if (count === 0) return;
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { keys: [kid] })));
    }),
  /**
   * Sets where a key works, with its entry in one commit; problem `not-now` if it works from other networks than expected, or was
   * revoked. Equal networks write nothing.
   */
  setNetworks: (
    { kid, from, to }: { kid: string; from: readonly string[]; to: readonly string[] },
    entry: AuditEntry,
    also: InCommit,
  ) =>
    prisma.$transaction(async (tx) => {
      await also(tx);
      if (from.join() === to.join()) return;
      const where = { kid, revokedAt: null, networks: { equals: [...from] } };
      const { count } = await tx.apiKey.updateMany({ where, data: { networks: [...to] } });
      if (count === 0) throw new Problem('not-now', { refusal: { code: 'change-outdated' } });
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { keys: [kid] })));
    }),
  /**
   * Adds a key to the server of this name, and makes the server if it does not exist. In the same commit it ends the key
   * that the new one follows; problem `not-now` if that was revoked, has ended or was replaced meanwhile.
   */
  addKey: (
    { id, name }: { id: ServerId; name: string },
    { kid, hash, makerId = null, expiresAt = null, tools = everyTool, networks = [] }: AddedKey,
    entry: AuditEntry,
    also?: InCommit,
    replaced?: ReplacedKey,
  ) =>
    prisma.$transaction(async (tx) => {
      await also?.(tx);
      const count = await tx.$executeRaw`
          INSERT INTO server (id, name) VALUES (${id}, ${name}) ON CONFLICT (name) DO NOTHING`;
      await tx.$executeRaw`
          INSERT INTO api_key (kid, server_id, hash, created_at, maker_id, expires_at, tools, networks)
          SELECT ${kid}, id, ${new Uint8Array(hash)}, ${new Date(entry.at)}::timestamptz, ${makerId}::text,
                 ${dateOrNull(expiresAt)}::timestamptz, ${[...tools]}::text[], ${[...networks]}::text[]
            FROM server WHERE name = ${name}`;
      // Only the transaction that made it records its state: its owner may be changing at this moment.
      const servers = count === 1 ? [id] : [];
      await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { servers, keys: [kid] })));
      if (!replaced) return;
      const at = new Date(entry.at);
      const ended = await tx.$executeRaw`
          UPDATE api_key SET replaced_by = ${kid}, expires_at = ${new Date(replaced.endsAt)}::timestamptz
           WHERE kid = ${replaced.kid} AND server_id = (SELECT id FROM server WHERE name = ${name})
             AND replaced_by IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at}::timestamptz)`;
      if (ended === 0) throw new Problem('not-now', { refusal: { code: 'change-outdated' } });
      await insertEntry(tx, evidence.seal(replaced.entry, await directoryDigests(tx, { keys: [replaced.kid] })));
    }),
});

function createKeyReader(query: Query) {
  const kept = new Map<string, KeyInUse>();
  const find = batch(async (kids: string[]) => {
    const rows = await query<FoundKey>(Prisma.sql`
      SELECT k.kid, s.id, s.name, k.hash, k.maker_id, k.last_used_at, k.expires_at, k.tools, k.networks, ${callerEpoch}
        FROM api_key k JOIN server s ON s.id = k.server_id LEFT JOIN app_user m ON m.id = k.maker_id
       WHERE k.kid = ${anyOf(Prisma.sql`${[...new Set(kids)]}::text[]`)} AND k.revoked_at IS NULL AND m.disabled_at IS NULL`);
    const keys = new Map(rows.map((row) => [row.kid, row]));
    return kids.map((kid) => keys.get(kid));
  });
  return {
    /** The server a key of this id belongs to, with the key's hash; null for unknown and revoked keys, and while its maker is disabled. */
    async byKey(kid: string): Promise<KeyInUse | null> {
      const row = await find(kid);
      kept.delete(kid);
      if (!row) return null;
      const key = keyInUse(row);
      if (kept.size >= maxKept) kept.clear();
      kept.set(kid, key);
      return key;
    },
    /** The key as last read, however long ago: only for a statement that checks its proof. */
    keptKey: (kid: string): KeyInUse | null => kept.get(kid) ?? null,
  };
}

type MakerRow = Pick<Prisma.UserGetPayload<object>, 'id' | 'name' | 'disabledAt'>;
type KeyRow = Omit<Prisma.ApiKeyGetPayload<object>, 'hash'> & { server: { id: string; name: string } };

const keyOf = (
  { kid, server, createdAt, tools, networks, replacedBy, ...times }: KeyRow,
  maker: MakerRow | undefined,
): KeyEntry => ({
  kid,
  server: { id: server.id as ServerId, name: server.name },
  createdAt: createdAt.getTime(),
  lastUsedAt: time(times.lastUsedAt),
  revokedAt: time(times.revokedAt),
  expiresAt: time(times.expiresAt),
  tools,
  networks,
  replacedBy,
  maker: maker ? { id: maker.id as UserId, name: maker.name, disabled: maker.disabledAt !== null } : null,
});

function keyInUse({
  kid,
  id,
  name,
  tools,
  networks,
  hash,
  maker_id,
  last_used_at,
  expires_at,
  keys,
  users,
}: FoundKey): KeyInUse {
  const expiresAt = time(expires_at);
  const proof = { kid, keys, users, expiresAt };
  const server = { kind: 'server', id, name, tools, ...(maker_id && { maker: maker_id }), proof } as const;
  return { server, hash, lastUsedAt: time(last_used_at), expiresAt, networks };
}

interface FoundKey extends Pick<Epoch, 'keys' | 'users'> {
  kid: string;
  id: ServerId;
  name: string;
  hash: Uint8Array;
  maker_id: UserId | null;
  last_used_at: Date | null;
  expires_at: Date | null;
  tools: string[];
  networks: string[];
}

const time = (date: Date | null): number | null => date?.getTime() ?? null;
const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));

export interface StoredTool extends SeenTool {
  seenAt: number;
}

interface ChangedTool {
  server: ServerId;
  serverName: string;
  tool: string;
  /** The digest of its new definition. */
  changed: string;
}

/** Numbers of requests for a tool, by outcome, and of those still open. */
export interface ToolOutcomes {
  tool: string;
  open: number;
  accepted: number;
  declined: number;
  cancelled: number;
  expired: number;
}

/** The most tools of one server; the ones that were not seen for the longest time give way. */
const maxTools = 1_000;

export const createServerTools = ({ prisma, evidence }: Ledger) => ({
  /** By name. */
  async list(serverId: ServerId): Promise<StoredTool[]> {
    const rows = await prisma.serverTool.findMany({ where: { serverId }, orderBy: { name: 'asc' } });
    return rows.map((row) => ({ ...toolOf(row), seenAt: row.seenAt.getTime() }));
  },
  /** Keeps what was seen, in one commit with what is to be logged about it. Reports about one server wait for each other. */
  see: (
    serverId: ServerId,
    tools: SeenTool[],
    at: number,
    entriesOf: (before: ReadonlyMap<string, SeenTool>) => AuditEntry[],
  ) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM server WHERE id = ${serverId} FOR NO KEY UPDATE`;
      const names = tools.map(({ name }) => name);
      const rows = await tx.serverTool.findMany({ where: { serverId, name: { in: names } } });
      const entries = entriesOf(new Map(rows.map((row) => [row.name, toolOf(row)])));
      await tx.$executeRaw(keep(serverId, tools, at));
      await tx.$executeRaw(forgetOldest(serverId));
      if (entries.length === 0) return;
      const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
      await tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, sealed));
    }),
  /** Tools of all servers with a definition that no one has accepted. */
  changed: (): Promise<ChangedTool[]> => prisma.$queryRaw<ChangedTool[]>`
      SELECT server.id AS server, server.name AS "serverName", tool.name AS tool, tool.changed
        FROM server_tool AS tool JOIN server ON server.id = tool.server_id
       WHERE tool.changed IS NOT NULL`,
  /** Outcomes of the requests that were open at this moment or later. */
  outcomes: (serverId: ServerId, since: number): Promise<ToolOutcomes[]> => prisma.$queryRaw<ToolOutcomes[]>`
      SELECT tool, count(*) FILTER (WHERE status = 'open')::int AS open,
          count(*) FILTER (WHERE status = 'accepted')::int AS accepted,
          count(*) FILTER (WHERE status = 'declined')::int AS declined,
          count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
          count(*) FILTER (WHERE status = 'expired')::int AS expired
        FROM elicitation
       WHERE server_id = ${serverId} AND (closed_at IS NULL OR closed_at >= ${new Date(since)})
       GROUP BY tool`,
  /** The oldest open requests of the server about this tool. */
  async openAbout(serverId: ServerId, tool: string, limit: number): Promise<ElicitationId[]> {
    const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
        SELECT id FROM elicitation
         WHERE server_id = ${serverId} AND tool = ${tool} AND closed_at IS NULL ORDER BY opened_at, id LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  },
});

const keep = (serverId: ServerId, tools: SeenTool[], at: number): Prisma.Sql => Prisma.sql`
  INSERT INTO server_tool (server_id, name, annotations, definition, changed, seen_at)
  SELECT ${serverId}, tool.name, tool.annotations, tool.definition, tool.changed, ${new Date(at)}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(tools)}::jsonb)
      AS tool(name text, annotations jsonb, definition text, changed text)
  ON CONFLICT (server_id, name) DO UPDATE SET annotations = excluded.annotations, definition = excluded.definition,
    changed = excluded.changed, seen_at = excluded.seen_at`;

const forgetOldest = (serverId: ServerId): Prisma.Sql => Prisma.sql`
  DELETE FROM server_tool WHERE server_id = ${serverId} AND name IN (
    SELECT name FROM server_tool WHERE server_id = ${serverId} ORDER BY seen_at DESC, name OFFSET ${maxTools})`;

type ToolRow = Omit<Prisma.ServerToolGetPayload<object>, 'serverId' | 'seenAt'>;

const toolOf = ({ name, annotations, definition, changed }: ToolRow): SeenTool => ({
  name,
  annotations: annotations as SeenTool['annotations'],
  definition,
  changed,
});
