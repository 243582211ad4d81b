import { Prisma } from '#platform/database/generated/prisma/client';
import type { Proof } from '../entries/rules/evidence.ts';
import type { PlacedEntry } from './rules.ts';
import type { Tile, TilePlace } from '../tree/rules/merkle.ts';
import type { LogFilter } from '../exports/rules/filter.ts';
import { missingProtections, changedViews } from '#platform/database/rights';
import { readCosignatures, type StoredCosignature, readLatest, readTiles } from '../tree/store.ts';
import { entryConditions, requestOfEntry } from '../search/store.ts';
import { queryIn } from '#platform/database/connection';

/** The log at one moment, however long it is read. */
export interface LogSnapshot {
  origin: string;
  /** The latest checkpoint, or null before the first. */
  head: { size: number; note: string } | null;
  /** Up to `count` entries from this position, in the order of the log. */
  entries(from: number, count: number): Promise<PlacedEntry[]>;
  /** Matching entries from this position up to before another. */
  select(filter: LogFilter, from: number, to: number): Promise<SelectedEntry[]>;
  tiles(places: TilePlace[]): Promise<Tile[]>;
  /** How many hashes all tiles contain. */
  tileHashes(): Promise<number>;
  /** The checkpoints over more than `after` and at most `upTo` entries, smallest first. */
  checkpoints(after: number, upTo: number): Promise<{ size: number; note: string }[]>;
  /** Latest word of each witness. */
  cosignatures(): Promise<StoredCosignature[]>;
  /** The entries without a position yet. */
  waiting(): Promise<(Proof & { leafHash: Uint8Array })[]>;
  /** Missing protection in the database, as sentences. */
  missing(): Promise<string[]>;
  /** The views of reviewers that are not as the migrations made them, as sentences; null if this login cannot compare them. */
  changedViews(): Promise<string[] | null>;
  /** An entry that neither has a position nor waits for one, or null. */
  stray(): Promise<string | null>;
}

/** An entry at its place; `body` is null if it is missing. Server and tool are those of its request. */
interface SelectedEntry {
  index: number;
  body: Uint8Array | null;
  server: string | null;
  tool: string | null;
}

/** The log as this transaction sees it. */
export async function logSnapshotIn(tx: Prisma.TransactionClient): Promise<LogSnapshot> {
  const count = async (sql: Prisma.Sql): Promise<number> =>
    Number((await tx.$queryRaw<{ count: bigint | null }[]>(sql))[0]?.count ?? 0);
  return {
    origin: (await tx.auditOrigin.findFirstOrThrow()).name,
    head: await readLatest(queryIn(tx)),
    async entries(from, limit) {
      const rows = await tx.$queryRaw<FoundEntry[]>`
        SELECT l.idx, l.entry_id, e.at, e.type, e.elicitation_id, e.subject_id, e.body, e.leaf_hash, e.mac,
            e.person, e.digest, e.client
          FROM audit_leaf l LEFT JOIN audit_entry e ON e.id = l.entry_id
         WHERE l.idx >= ${from} ORDER BY l.idx LIMIT ${limit}`;
      return rows.map(toPlaced);
    },
    async select(filter, from, to) {
      const conditions = Prisma.join([Prisma.sql`true`, ...entryConditions(filter)], ' AND ');
      const rows = await tx.$queryRaw<(Omit<SelectedEntry, 'index'> & { idx: bigint })[]>`
        SELECT l.idx, e.body, s.name AS server, r.tool FROM audit_leaf l LEFT JOIN audit_entry e ON e.id = l.entry_id
            ${requestOfEntry(filter)}
         WHERE l.idx >= ${from} AND l.idx < ${to} AND (e.id IS NULL OR ${conditions}) ORDER BY l.idx`;
      return rows.map(({ idx, ...row }) => ({ index: Number(idx), ...row }));
    },
    tiles: (places) => readTiles(queryIn(tx), places),
    tileHashes: () =>
      count(Prisma.sql`SELECT sum(length(hashes) / 32)::bigint AS count FROM audit_tile WHERE level >= 0`),
    async checkpoints(after, upTo) {
      const rows = await tx.$queryRaw<{ size: bigint; note: string }[]>`
        SELECT size, note FROM audit_checkpoint WHERE size > ${after} AND size <= ${upTo} ORDER BY size`;
      return rows.map(({ size, note }) => ({ size: Number(size), note }));
    },
    cosignatures: () => readCosignatures(tx),
    missing: () => missingProtections(tx),
    changedViews: () => changedViews(tx),
    waiting: () => tx.$queryRaw`
      SELECT q.entry_id AS id, coalesce(e.body, '') AS body, coalesce(e.mac, '') AS mac, q.leaf_hash AS "leafHash"
        FROM audit_queue q LEFT JOIN audit_entry e ON e.id = q.entry_id ORDER BY q.seq`,
    async stray() {
      const [row] = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM audit_entry e
         WHERE NOT EXISTS (SELECT FROM audit_leaf l WHERE l.entry_id = e.id)
           AND NOT EXISTS (SELECT FROM audit_queue q WHERE q.seq = e.seq) ORDER BY at, id LIMIT 1`;
      return row?.id ?? null;
    },
  };
}

interface FoundEntry {
  idx: bigint;
  entry_id: string;
  at: Date | null;
  type: string;
  elicitation_id: string | null;
  subject_id: string | null;
  body: Uint8Array;
  leaf_hash: Uint8Array;
  mac: Uint8Array;
  person: string | null;
  digest: string | null;
  client: string | null;
}

const toPlaced = ({ idx, entry_id: entryId, at, ...row }: FoundEntry): PlacedEntry => ({
  index: Number(idx),
  entryId,
  stored: at && {
    at: at.getTime(),
    type: row.type,
    elicitationId: row.elicitation_id,
    subjectId: row.subject_id,
    body: row.body,
    leafHash: row.leaf_hash,
    mac: row.mac,
    searchKeys: searchKeysIn(row),
  },
});

const searchKeysIn = ({ person, digest, client }: StoredKeys): StoredKeys | null =>
  person === null && digest === null && client === null ? null : { person, digest, client };

type StoredKeys = Pick<FoundEntry, 'person' | 'digest' | 'client'>;
