import { bytes, defineTable, text, time } from '#platform/database/sql';
import { Prisma, type PrismaClient } from '#platform/database/generated/prisma/client';
import type { Evidence, SealedEntry, Proof } from '../rules/evidence.ts';
import type { Query } from '#platform/database/connection';
import type { UserId } from '#platform/model/id';
import type { Database } from '#platform/database/database';

/** An entry of the log. Its MAC covers the body, which says everything that the other columns say. */
export const entryTable = defineTable('audit_entry', {
  id: text(),
  at: time(),
  type: text(),
  elicitationId: text<string | null>(),
  subjectId: text<string | null>(),
  body: bytes(),
  leafHash: bytes(),
  mac: bytes(),
  /** Search keys, empty where it has none; null in entries of a version that found them in the body. */
  person: text(),
  digest: text(),
  client: text(),
});

/** Parts of a store that changes rows: an entry describes every change. */
export interface Ledger {
  prisma: PrismaClient;
  query: Query;
  evidence: Evidence;
}

/** Writes an entry in the transaction of the change it describes. */
export const insertEntry = (tx: Pick<Prisma.TransactionClient, '$executeRaw'>, entry: SealedEntry) =>
  tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, entryJson([entry])));

/** Writes these entries within a statement, in their JSON, once for each row of `changed`. */
export const insertEntries = (changed: Prisma.Sql, entries: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO audit_entry (${entryTable.list})
  SELECT ${entryTable.values('entry')}
    FROM ${changed}, jsonb_to_recordset(${entries}) AS entry(${entryTable.definition})`;

/** Makes a change that returns its row, with its entry, in one statement; false, and no entry, if it returns none. */
export async function changeWithEntry(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  change: Prisma.Sql,
  entry: SealedEntry,
): Promise<boolean> {
  const changed = await tx.$queryRaw<unknown[]>`
    WITH changed AS (${change}), entry AS (${insertEntries(Prisma.sql`changed`, entryJson([entry]))})
    SELECT true FROM changed`;
  return changed.length === 1;
}

/** The parameter that `insertEntries` takes. */
export const entryJson = (entries: SealedEntry[]): Prisma.Sql =>
  Prisma.sql`${JSON.stringify(entries.map(entryTable.toJson))}::jsonb`;

/** The columns of a row's latest entry, as a statement that joins `latestEntry` selects them. */
export const proofColumns = Prisma.sql`proof.id AS proof_id, proof.body AS proof_body, proof.mac AS proof_mac`;

/** Joins the entry that describes a row's current state: the latest one for which the condition on `a` holds. */
export const latestEntry = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  LEFT JOIN LATERAL (SELECT a.id, a.body, a.mac FROM audit_entry a WHERE ${condition} ORDER BY a.seq DESC LIMIT 1) proof ON true`;

export interface StoredProof {
  proof_id: string | null;
  proof_body: Uint8Array | null;
  proof_mac: Uint8Array | null;
}

/** Null if the log says nothing about the row. */
export const proofFrom = ({ proof_id: id, proof_body: body, proof_mac: mac }: StoredProof): Proof | null =>
  id === null || body === null || mac === null ? null : { id, body, mac };

/** The policy that the request, in this table, is under: its name without its version. */
export const policyNameOf = (request = Prisma.raw('e')): Prisma.Sql =>
  Prisma.sql`split_part(${request}.policy, '@', 1)`;

/** Is the request, in this table, under this policy, which an index finds? */
export const isUnderPolicy = (policy: string | Prisma.Sql, request = Prisma.raw('e')): Prisma.Sql =>
  Prisma.sql`${policyNameOf(request)} = ${policy}`;

/** Did this policy decide it next to the one that it is under, as one of a space does? Another index finds that. */
export const isBesidePolicy = (policy: string | Prisma.Sql, request = Prisma.raw('e')): Prisma.Sql =>
  Prisma.sql`(${request}.also_by <> '{}' AND ${request}.also_by @> ARRAY[${policy}]::text[])`;

export const isDecidedBy = (policy: string, request?: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(${isUnderPolicy(policy, request)} OR ${isBesidePolicy(policy, request)})`;

/** Sooner than this after a request was seen, no one has read it. Milliseconds. */
export const hastyWithin = 5_000;

/** When the voter first opened what they voted on, as `seen.at`; for a vote `v`. */
export const firstSeen = Prisma.sql`
  SELECT min(r.at) AS at FROM audit_entry r
   WHERE r.type = 'access.read' AND audit.entry(r.body) #>> '{about,0}' = v.elicitation_id
     AND audit.entry(r.body) #>> '{actor,id}' = v.user_id AND r.at <= v.at`;

/** Was the vote `v` cast so soon after `seen.at` that no one can have read it? */
export const isHasty = Prisma.sql`coalesce(v.at - seen.at < ${`${hastyWithin} ms`}::interval, false)`;

interface StoredApproval {
  at: number;
  isHasty: boolean;
}

export const createApprovals = ({ query }: Pick<Database, 'query'>) => ({
  /** The latest approvals of a person, at most so many, and how many paced ones they had given at that moment. */
  async latest(user: UserId, most: number): Promise<{ approvals: StoredApproval[]; turn: number }> {
    const [row] = await query<{ approvals: StoredApproval[]; turn: number }>(Prisma.sql`
      SELECT coalesce((SELECT turn FROM approver_turn WHERE user_id = ${user}), 0)::float8 AS turn,
             coalesce(jsonb_agg(jsonb_build_object('at', round(extract(epoch FROM v.at) * 1000)::bigint,
               'isHasty', ${isHasty}) ORDER BY v.at DESC, v.id DESC) FILTER (WHERE v.id IS NOT NULL), '[]') AS approvals
        FROM (SELECT id, elicitation_id, user_id, at FROM vote WHERE user_id = ${user} AND action = 'accept'
               ORDER BY at DESC, id DESC LIMIT ${most}) v
        CROSS JOIN LATERAL (${firstSeen}) seen`);
    return row ?? { approvals: [], turn: 0 };
  },
});

export type Approvals = ReturnType<typeof createApprovals>;
