import { Prisma } from '../../generated/prisma/client.ts';
import type { Evidence } from '../../audit/evidence.ts';
import { leafHash } from '../../audit/leaf.ts';
import { edgeTiles, proofTiles, type Tile, type TilePlace } from '../../audit/tile.ts';
import { locks } from '../database/locks.ts';
import { base64, type Ledger } from './sealed-entry.ts';

/** The current log: its size and its latest checkpoint. */
export interface LogEnd {
  size: number;
  /** Its incomplete last tiles, and those that prove that an earlier log is unchanged in it. */
  tiles: Tile[];
  /** Null before the first. */
  note: string | null;
}

/** The log after new leaves. */
export interface LogGrowth {
  tiles: Tile[];
  /** The signed checkpoint of the new size. */
  note: string;
}

export interface MerkleLog {
  /** The log's name in what it signs. */
  origin(): Promise<string>;
  /** Is there an entry without a position? */
  isWaiting(): Promise<boolean>;
  /**
   * Gives up to `most` waiting entries the next positions, in one commit with the tiles and the checkpoint that `grow`
   * makes from their leaf hashes. Entries that this installation did not write get none. Returns how many, or null if
   * another node is doing it. A node that loses a race changes nothing. `since` is the size of the log that `grow`
   * checks for changes, 0 for none.
   */
  append(most: number, since: number, grow: (end: LogEnd, leaves: Buffer[]) => LogGrowth): Promise<number | null>;
  /** The latest checkpoint, or null before the first entry has a position. */
  latest(): Promise<{ size: number; note: string } | null>;
  /** Those of these tiles that exist, in their current width. */
  tiles(places: TilePlace[]): Promise<Tile[]>;
  /** The entry's position, or null if it has none yet. */
  indexOf(entryId: string): Promise<number | null>;
  /** The bodies of the entries from this position, in the order of the log. */
  bodies(from: number, count: number): Promise<Uint8Array[]>;
}

export function createMerkleLog({ prisma, evidence }: Ledger): MerkleLog {
  return {
    async origin() {
      return (await prisma.auditOrigin.findFirstOrThrow()).name;
    },
    async isWaiting() {
      const [row] = await prisma.$queryRaw<{ waiting: boolean }[]>`SELECT EXISTS (SELECT FROM audit_queue) AS waiting`;
      return row?.waiting === true;
    },
    append: (most, since, grow) =>
      prisma.$transaction(async (tx) => {
        const [lock] = await tx.$queryRaw<{ held: boolean }[]>`
          SELECT pg_try_advisory_xact_lock(${locks.sequencer}) AS held`;
        if (!lock?.held) return null;
        const entries = await takeWaiting(tx, evidence, most);
        if (entries.length === 0) return 0;
        const { size, note } = (await readLatest(tx)) ?? { size: 0, note: null };
        const isOlder = since > 0 && since <= size;
        const tiles = await readTiles(tx, isOlder ? proofTiles(since - 1, size) : edgeTiles(size));
        const end = { size, tiles, note };
        const leaves = entries.map(({ leaf_hash: hash }) => Buffer.from(hash));
        await store(tx, { size, entryIds: entries.map((entry) => entry.entry_id) }, grow(end, leaves));
        return entries.length;
      }),
    latest: () => readLatest(prisma),
    tiles: (places) => readTiles(prisma, places),
    async indexOf(entryId) {
      const leaf = await prisma.auditLeaf.findUnique({ where: { entryId } });
      return leaf && Number(leaf.idx);
    },
    async bodies(from, count) {
      const rows = await prisma.$queryRaw<{ body: Uint8Array }[]>`
        SELECT e.body FROM audit_leaf l JOIN audit_entry e ON e.id = l.entry_id
         WHERE l.idx >= ${from} AND l.idx < ${from + count} ORDER BY l.idx`;
      return rows.map(({ body }) => body);
    },
  };
}

/** Whatever can be asked. */
type Reading = Pick<Prisma.TransactionClient, '$queryRaw'>;

interface Waiting {
  seq: bigint;
  entry_id: string;
  leaf_hash: Uint8Array;
  body: Uint8Array | null;
  mac: Uint8Array;
}

/**
 * Waiting entries that this installation wrote. Other entries stay, and the operator is told. It deletes what it found
 * instead of remembering a position, so that it finds entries that committed late.
 */
async function takeWaiting(tx: Prisma.TransactionClient, evidence: Evidence, most: number): Promise<Waiting[]> {
  const waiting = await tx.$queryRaw<Waiting[]>`
    SELECT q.seq, q.entry_id, q.leaf_hash, e.body, e.mac
      FROM audit_queue q LEFT JOIN audit_entry e ON e.id = q.entry_id ORDER BY q.seq LIMIT ${most}`;
  const isOurs = ({ entry_id: id, body, mac, leaf_hash: leaf }: Waiting): boolean =>
    body !== null && evidence.open({ id, body, mac }) !== null && leafHash(body).equals(leaf);
  const ours = waiting.filter(isOurs);
  for (const { entry_id: id } of waiting.filter((entry) => !isOurs(entry))) evidence.report(id);
  await tx.$executeRaw`DELETE FROM audit_queue WHERE seq = ANY(${ours.map(({ seq }) => seq)}::bigint[])`;
  return ours;
}

export async function readLatest(reading: Reading): Promise<{ size: number; note: string } | null> {
  const [row] = await reading.$queryRaw<{ size: bigint; note: string }[]>`
    SELECT size, note FROM audit_checkpoint ORDER BY size DESC LIMIT 1`;
  return row ? { size: Number(row.size), note: row.note } : null;
}

export async function readTiles(reading: Reading, places: TilePlace[]): Promise<Tile[]> {
  const rows = await reading.$queryRaw<{ level: number; n: bigint; hashes: Uint8Array }[]>`
    SELECT level, n, hashes FROM audit_tile
      JOIN jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS wanted(level int, n bigint) USING (level, n)`;
  return rows.map(({ level, n, hashes }) => ({ level, n: Number(n), hashes: Buffer.from(hashes) }));
}

/** The primary keys protect the log: a writer that extends an older size stores nothing. */
async function store(
  tx: Prisma.TransactionClient,
  { size, entryIds }: { size: number; entryIds: string[] },
  { tiles, note }: LogGrowth,
): Promise<void> {
  const leafRows = JSON.stringify(entryIds.map((id, at) => ({ idx: size + at, entry_id: id })));
  const tileRows = JSON.stringify(tiles.map((tile) => ({ ...tile, hashes: base64(tile.hashes) })));
  await tx.$executeRaw`
    WITH leaf AS (
      INSERT INTO audit_leaf (idx, entry_id)
      SELECT idx, entry_id FROM jsonb_to_recordset(${leafRows}::jsonb) AS row(idx bigint, entry_id text)
    ), tile AS (
      INSERT INTO audit_tile (level, n, hashes)
      SELECT level, n, decode(hashes, 'base64')
        FROM jsonb_to_recordset(${tileRows}::jsonb) AS row(level int, n bigint, hashes text)
      ON CONFLICT (level, n) DO UPDATE SET hashes = EXCLUDED.hashes
    )
    INSERT INTO audit_checkpoint (size, note, at) VALUES (${size + entryIds.length}, ${note}, now())`;
}
