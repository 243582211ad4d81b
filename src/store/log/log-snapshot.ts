import { Prisma } from '../../generated/prisma/client.ts';
import type { PlacedEntry } from '../../audit/log-check.ts';
import type { Tile, TilePlace } from '../../audit/tile.ts';
import type { Database } from '../database/database.ts';
import { readLatest, readTiles } from './merkle-log.ts';

/** The log at one moment, however long it is looked at. */
export interface LogSnapshot {
  origin: string;
  /** The latest checkpoint, or null before the first. */
  head: { size: number; note: string } | null;
  /** Up to `count` entries from this place on, in the order of the log. */
  entries(from: number, count: number): Promise<PlacedEntry[]>;
  tiles(places: TilePlace[]): Promise<Tile[]>;
  /** How many hashes all tiles hold. */
  tileHashes(): Promise<number>;
  /** The checkpoints over more than `after` and at most `upTo` entries, smallest first. */
  checkpoints(after: number, upTo: number): Promise<{ size: number; note: string }[]>;
  /** How many entries wait for their place. */
  waiting(): Promise<number>;
  /** An entry that neither has a place nor waits for one, or null. */
  stray(): Promise<string | null>;
}

export type ReadSnapshot = <T>(read: (snapshot: LogSnapshot) => Promise<T>) => Promise<T>;

/** Milliseconds that looking at a long log may take. */
const longest = 6 * 3_600_000;

/** Reads from one snapshot: what is committed meanwhile is not in it, and waits for nothing. */
export const createReadSnapshot =
  ({ prisma }: Pick<Database, 'prisma'>): ReadSnapshot =>
  (read) =>
    prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
        return read(await snapshotIn(tx));
      },
      { isolationLevel: 'RepeatableRead', timeout: longest },
    );

/** The log as this transaction sees it. */
export async function snapshotIn(tx: Prisma.TransactionClient): Promise<LogSnapshot> {
  const count = async (sql: Prisma.Sql): Promise<number> =>
    Number((await tx.$queryRaw<{ count: bigint | null }[]>(sql))[0]?.count ?? 0);
  return {
    origin: (await tx.auditOrigin.findFirstOrThrow()).name,
    head: await readLatest(tx),
    async entries(from, limit) {
      const found = await tx.$queryRaw<FoundEntry[]>`
        SELECT l.idx, l.entry_id, e.at, e.type, e.elicitation_id, e.body, e.leaf_hash
          FROM audit_leaf l LEFT JOIN audit_entry e ON e.id = l.entry_id
         WHERE l.idx >= ${from} ORDER BY l.idx LIMIT ${limit}`;
      return found.map(toPlaced);
    },
    tiles: (places) => readTiles(tx, places),
    tileHashes: () => count(Prisma.sql`SELECT sum(length(hashes) / 32)::bigint AS count FROM audit_tile`),
    async checkpoints(after, upTo) {
      const found = await tx.$queryRaw<{ size: bigint; note: string }[]>`
        SELECT size, note FROM audit_checkpoint WHERE size > ${after} AND size <= ${upTo} ORDER BY size`;
      return found.map(({ size, note }) => ({ size: Number(size), note }));
    },
    waiting: () => count(Prisma.sql`SELECT count(*) AS count FROM audit_queue`),
    async stray() {
      const [found] = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM audit_entry e
         WHERE NOT EXISTS (SELECT FROM audit_leaf l WHERE l.entry_id = e.id)
           AND id NOT IN (SELECT entry_id FROM audit_queue) ORDER BY at, id LIMIT 1`;
      return found?.id ?? null;
    },
  };
}

interface FoundEntry {
  idx: bigint;
  entry_id: string;
  at: Date | null;
  type: string;
  elicitation_id: string | null;
  body: Uint8Array;
  leaf_hash: Uint8Array;
}

const toPlaced = ({ idx, entry_id: entryId, at, ...row }: FoundEntry): PlacedEntry => ({
  index: Number(idx),
  entryId,
  stored: at && {
    at: at.getTime(),
    type: row.type,
    elicitationId: row.elicitation_id,
    body: row.body,
    leafHash: row.leaf_hash,
  },
});
