import { Prisma } from '../../generated/prisma/client.ts';
import type { ElicitationId, GrantId, ServerId, UserId } from '../../model/id.ts';
import type { Database } from '../database/database.ts';
import { entryJson, insertEntries, type SealedEntry } from '../log/sealed-entry.ts';

export interface GrantRecord {
  id: GrantId;
  serverId: ServerId;
  serverName: string;
  tool: string;
  toolSchema: string | null;
  /** Sealed under the data key of the elicitation it came from. */
  terms: Uint8Array;
  elicitationId: ElicitationId;
  /** Of that elicitation. */
  owner: Uint8Array;
  dataKey: Uint8Array | null;
  /** Whose vote completed it. */
  userId: UserId;
  userName: string;
  /** Whether one of those who approved, or for whom somebody did, may vote no more. */
  isVoterGone: boolean;
  /** Who allowed it, and whom they stood in for. */
  voters: string[];
  policy: string;
  createdAt: number;
  expiresAt: number;
  reviewAt: number | null;
  usesLeft: number | null;
  budgetLeft: number | null;
  suspendedAt: number | null;
  revokedAt: number | null;
}

/** What may run without asking again. */
export interface Grants {
  /** The latest first. */
  list(limit: number): Promise<GrantRecord[]>;
  find(id: GrantId): Promise<GrantRecord | null>;
  /** Those in force for this tool and requester, the one that ends first before the others. */
  inForce(server: ServerId, tool: string, requester: Uint8Array[], now: number): Promise<GrantRecord[]>;
  /** Each with its audit entry; false, and nothing written, where it was so before. */
  revoke(id: GrantId, by: UserId, entry: SealedEntry): Promise<boolean>;
  suspend(id: GrantId, entry: SealedEntry): Promise<boolean>;
  /** Only of one that has not lapsed yet. */
  review(id: GrantId, reviewAt: number, entry: SealedEntry): Promise<boolean>;
}

const isVoterGone = Prisma.sql`EXISTS (
  SELECT FROM jsonb_array_elements(e.snapshot #> '{context,votes}') AS vote
    JOIN app_user voter ON voter.id IN (vote ->> 'by', vote ->> 'for')
   WHERE vote ->> 'action' = 'accept' AND (voter.disabled_at IS NOT NULL OR voter.role = 'reviewer'))`;

const votersIn = Prisma.sql`ARRAY(
  SELECT user_id FROM jsonb_array_elements(e.snapshot #> '{context,votes}') AS vote,
      unnest(ARRAY[vote ->> 'by', vote ->> 'for']) AS user_id
   WHERE vote ->> 'action' = 'accept' AND user_id IS NOT NULL)`;

export function createGrants({ prisma }: Pick<Database, 'prisma'>): Grants {
  const select = async (where: Prisma.Sql, order: Prisma.Sql): Promise<GrantRecord[]> => {
    const rows = await prisma.$queryRaw<StoredGrant[]>`
      SELECT g.id, g.server_id AS "serverId", s.name AS "serverName", g.tool, g.tool_schema AS "toolSchema", g.terms,
          g.elicitation_id AS "elicitationId", e.owner, e.data_key AS "dataKey", g.user_id AS "userId",
          a.name AS "userName", ${isVoterGone} AS "isVoterGone", ${votersIn} AS "voters", g.policy,
          g.created_at AS "createdAt", g.expires_at AS "expiresAt", g.review_at AS "reviewAt",
          g.uses_left AS "usesLeft", g.budget_left::float8 AS "budgetLeft", g.suspended_at AS "suspendedAt",
          g.revoked_at AS "revokedAt"
        FROM app_grant g JOIN server s ON s.id = g.server_id JOIN app_user a ON a.id = g.user_id
          JOIN elicitation e ON e.id = g.elicitation_id
       WHERE ${where} ORDER BY ${order}`;
    return rows.map(toRecord);
  };
  /** Change and audit entry are one statement; no row back means that it was so before. */
  const write = async (change: Prisma.Sql, entry: SealedEntry): Promise<boolean> => {
    const changed = await prisma.$queryRaw<unknown[]>`
      WITH changed AS (${change} RETURNING id), entry AS (
        ${insertEntries(Prisma.sql`changed`, entryJson([entry]))}
      )
      SELECT id FROM changed`;
    return changed.length === 1;
  };
  const at = (millis: number): Prisma.Sql => Prisma.sql`to_timestamp(${millis}::bigint / 1000.0)`;
  return {
    list: (limit) => select(Prisma.sql`true`, Prisma.sql`g.created_at DESC, g.id LIMIT ${limit}`),
    find: async (id) => (await select(Prisma.sql`g.id = ${id}`, Prisma.sql`g.id`))[0] ?? null,
    inForce: (server, tool, requester, now) =>
      select(
        Prisma.sql`g.server_id = ${server} AND g.tool = ${tool} AND g.requester_hash = ANY(${requester}::bytea[])
          AND g.revoked_at IS NULL AND g.suspended_at IS NULL AND g.expires_at > ${at(now)}
          AND (g.review_at IS NULL OR g.review_at > ${at(now)}) AND coalesce(g.uses_left, 1) > 0
          AND NOT ${isVoterGone}`,
        Prisma.sql`g.expires_at, g.id LIMIT 20`,
      ),
    revoke: (id, by, entry) =>
      write(
        Prisma.sql`UPDATE app_grant SET revoked_at = ${at(entry.at)}, revoked_by = ${by}
          WHERE id = ${id} AND revoked_at IS NULL`,
        entry,
      ),
    suspend: (id, entry) =>
      write(
        Prisma.sql`UPDATE app_grant SET suspended_at = ${at(entry.at)} WHERE id = ${id} AND suspended_at IS NULL`,
        entry,
      ),
    review: (id, reviewAt, entry) =>
      write(
        Prisma.sql`UPDATE app_grant SET review_at = ${at(reviewAt)}
          WHERE id = ${id} AND revoked_at IS NULL AND review_at > ${at(entry.at)} AND expires_at > ${at(entry.at)}`,
        entry,
      ),
  };
}

type Times = 'createdAt' | 'expiresAt';
type MaybeTimes = 'reviewAt' | 'suspendedAt' | 'revokedAt';
type StoredGrant = Omit<GrantRecord, Times | MaybeTimes> & Record<Times, Date> & Record<MaybeTimes, Date | null>;

const toRecord = (row: StoredGrant): GrantRecord => ({
  ...row,
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
  reviewAt: row.reviewAt?.getTime() ?? null,
  suspendedAt: row.suspendedAt?.getTime() ?? null,
  revokedAt: row.revokedAt?.getTime() ?? null,
});
