import { Prisma } from '#platform/database/generated/prisma/client';
import type { UserId } from '#platform/model/id';
import type { Database } from '#platform/database/database/database';

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
