import { Prisma } from '#platform/database/generated/prisma/client';
import type { Evidence } from '../entries/rules/evidence.ts';
import { leafHash } from '../entries/rules/entry.ts';
import { edgeTiles, proofTiles, type Tile, type TilePlace } from './rules/merkle.ts';
import type { Database } from '#platform/database/database';
import { locks, base64 } from '#platform/database/sql';
import type { Query } from '#platform/database/connection';

/** The current log: its size and its latest checkpoint. */
export interface LogEnd {
  size: number;
  /** Its incomplete last tiles, and those that prove that an earlier log is unchanged in it. */
  tiles: Tile[];
  /** Null before the first. */
  note: string | null;
}

/** The log after new leaves. */
interface LogGrowth {
  tiles: Tile[];
  /** The signed checkpoint of the new size. */
  note: string;
}

type LogParts = Pick<Database, 'prisma' | 'query' | 'transact'> & { evidence: Evidence };

export const createMerkleLog = ({ prisma, query, transact, evidence }: LogParts) => ({
  /** The log's name in what it signs. */
  async origin(): Promise<string> {
    return (await prisma.auditOrigin.findFirstOrThrow()).name;
  },
  /** Is there an entry without a position? */
  async isWaiting(): Promise<boolean> {
    const [row] = await query<{ waiting: boolean }>(Prisma.sql`SELECT EXISTS (SELECT FROM audit_queue) AS waiting`);
    return row?.waiting === true;
  },
  /**
   * Gives up to `most` waiting entries the next positions, in one commit with the tiles and the checkpoint that `grow`
   * makes from their leaf hashes. Entries that this installation did not write get none. Returns how many, or null if
   * another node is doing it. A node that loses a race changes nothing. `since` is the size of the log that `grow`
   * checks for changes, 0 for none.
   */
  append: (most: number, since: number, grow: (end: LogEnd, leaves: Buffer[]) => LogGrowth): Promise<number | null> =>
    transact(async (query) => {
      const [lock] = await query<{ held: boolean }>(Prisma.sql`
          SELECT pg_try_advisory_xact_lock(${locks.sequencer}) AS held`);
      if (!lock?.held) return null;
      const entries = await findWaiting(query, evidence, most);
      if (entries.length === 0) return 0;
      const { size, note } = (await readLatest(query)) ?? { size: 0, note: null };
      const isOlder = since > 0 && since <= size;
      const tiles = await readTiles(query, isOlder ? proofTiles(since - 1, size) : edgeTiles(size));
      await query(place({ size, entries }, grow({ size, tiles, note }, entries.map(leafOf))));
      return entries.length;
    }),
  /** The latest checkpoint, or null before the first entry has a position. */
  latest: (): Promise<{ size: number; note: string } | null> => readLatest(query),
  /** Existing tiles at these places, in their current width. */
  tiles: (places: TilePlace[]): Promise<Tile[]> => readTiles(query, places),
  /** The entry's position, or null if it has none yet. */
  async indexOf(entryId: string): Promise<number | null> {
    const [leaf] = await prisma.$queryRaw<{ idx: bigint }[]>`
        SELECT idx FROM audit_leaf WHERE entry_id = ${entryId}`;
    return leaf ? Number(leaf.idx) : null;
  },
  /** The bodies of the entries from this position, in the order of the log. */
  async bodies(from: number, count: number): Promise<Uint8Array[]> {
    const rows = await query<{ body: Uint8Array }>(Prisma.sql`
        SELECT e.body FROM audit_leaf l JOIN audit_entry e ON e.id = l.entry_id
         WHERE l.idx >= ${from} AND l.idx < ${from + count} ORDER BY l.idx`);
    return rows.map(({ body }) => body);
  },
});

export type MerkleLog = ReturnType<typeof createMerkleLog>;

interface Waiting {
  seq: bigint;
  entry_id: string;
  leaf_hash: Uint8Array;
  body: Uint8Array | null;
  mac: Uint8Array;
}

const leafOf = ({ leaf_hash: hash }: Waiting): Buffer => Buffer.from(hash);

/** Waiting entries that this installation wrote. Other entries stay, and the operator is told. */
async function findWaiting(query: Query, evidence: Evidence, most: number): Promise<Waiting[]> {
  const waiting = await query<Waiting>(Prisma.sql`
    SELECT q.seq, q.entry_id, q.leaf_hash, e.body, e.mac
      FROM audit_queue q LEFT JOIN audit_entry e ON e.id = q.entry_id ORDER BY q.seq LIMIT ${most}`);
  return waiting.filter(({ entry_id: id, body, mac, leaf_hash: leaf }) => {
    const isOurs = body !== null && evidence.open({ id, body, mac }) !== null && leafHash(body).equals(leaf);
    if (!isOurs) evidence.report(id);
    return isOurs;
  });
}

export async function readLatest(query: Query): Promise<{ size: number; note: string } | null> {
  const [row] = await query<{ size: bigint; note: string }>(Prisma.sql`
    SELECT size, note FROM audit_checkpoint ORDER BY size DESC LIMIT 1`);
  return row ? { size: Number(row.size), note: row.note } : null;
}

export async function readTiles(query: Query, places: TilePlace[]): Promise<Tile[]> {
  const rows = await query<{ level: number; n: bigint; hashes: Uint8Array }>(Prisma.sql`
    SELECT level, n, hashes FROM audit_tile
      JOIN jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS wanted(level int, n bigint) USING (level, n)`);
  return rows.map(({ level, n, hashes }) => ({ level, n: Number(n), hashes: Buffer.from(hashes) }));
}

/**
 * Places the entries behind a log of this size. They leave the queue one by one, so that no entry is passed over that
 * commits late. The primary keys protect the log: a writer that extends an older size stores nothing.
 */
function place({ size, entries }: { size: number; entries: Waiting[] }, { tiles, note }: LogGrowth): Prisma.Sql {
  const leafRows = JSON.stringify(entries.map(({ entry_id }, at) => ({ idx: size + at, entry_id })));
  const tileRows = JSON.stringify(tiles.map((tile) => ({ ...tile, hashes: base64(tile.hashes) })));
  return Prisma.sql`
    WITH taken AS (
      DELETE FROM audit_queue WHERE seq = ANY(${entries.map(({ seq }) => seq)}::bigint[])
    ), leaf AS (
      INSERT INTO audit_leaf (idx, entry_id)
      SELECT idx, entry_id FROM jsonb_to_recordset(${leafRows}::jsonb) AS row(idx bigint, entry_id text)
    ), tile AS (
      INSERT INTO audit_tile (level, n, hashes)
      SELECT level, n, decode(hashes, 'base64')
        FROM jsonb_to_recordset(${tileRows}::jsonb) AS row(level int, n bigint, hashes text)
      ON CONFLICT (level, n) DO UPDATE SET hashes = EXCLUDED.hashes
    )
    INSERT INTO audit_checkpoint (size, note, at) VALUES (${size + entries.length}, ${note}, now())`;
}

/** The latest cosignature of a witness, with the checkpoint that it is about. Only the key of the witness proves it. */
export interface StoredCosignature {
  witness: string;
  size: number;
  line: string;
  note: string;
}

export const createCosignatures = ({ prisma }: Pick<Database, 'prisma'>) => ({
  all: (): Promise<StoredCosignature[]> => readCosignatures(prisma),
  /** Keeps what this witness says, unless it has said something of a larger log. */
  async keep({ witness, size, line }: Omit<StoredCosignature, 'note'>) {
    await prisma.$executeRaw`
      INSERT INTO audit_cosignature (witness, size, line) VALUES (${witness}, ${size}, ${line})
      ON CONFLICT (witness) DO UPDATE SET size = excluded.size, line = excluded.line
        WHERE audit_cosignature.size <= excluded.size`;
  },
});

export async function readCosignatures(reading: Pick<Database['prisma'], '$queryRaw'>): Promise<StoredCosignature[]> {
  const rows = await reading.$queryRaw<(Omit<StoredCosignature, 'size'> & { size: bigint })[]>`
    SELECT c.witness, c.size, c.line, h.note FROM audit_cosignature c JOIN audit_checkpoint h USING (size)
     ORDER BY c.witness`;
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}
