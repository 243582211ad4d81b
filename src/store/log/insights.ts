import { Prisma } from '../../generated/prisma/client.ts';
import { firstSeen, isHasty } from './approvals.ts';
import type { Database } from '../database/database.ts';
import { moment } from '../database/time.ts';

/** How many requests ended in each way. */
export interface Endings {
  accepted: number;
  declined: number;
  cancelled: number;
  expired: number;
}

/** How long people took, in seconds: half of them, and all but one of twenty; null if no one decided. */
export interface Waits {
  p50: number | null;
  p95: number | null;
}

/** What happened in a period, counted. */
export interface Insights {
  /** Day by day or week by week in UTC, from `at`; a span in which nothing ended is left out. */
  spans: (Endings & Waits & { at: number })[];
  /** The busiest first. `approved` and `rejected` are those that people decided. */
  tools: (Endings & Waits & { server: string; tool: string; approved: number; rejected: number })[];
  /** The votes of each person, and how many were cast too soon after the request was seen. */
  voters: { person: string; votes: number; hasty: number }[];
  /** Hasty votes of one person with no other between them. */
  runs: { person: string; votes: number; from: number; to: number }[];
  /** The most approvals of one person within a few minutes, if they are many; `at` is that of the last. */
  sprees: { person: string; approvals: number; at: number }[];
  /** Minutes in which one tool asked very often. */
  bursts: { server: string; tool: string; at: number; requests: number }[];
  /** By policy: what it allowed, what of it was drawn for a later look, and what those who looked found. */
  samples: { policy: string; allowed: number; drawn: number; reviewed: number; wrong: number }[];
}

/** So many hasty votes in a row are a rubber stamp. */
export const runLength = 50;
/** So many approvals of one person within so many milliseconds are a spree. */
export const spreeSize = 20;
export const spreeWithin = 300_000;
/** So many requests of one tool in a minute are a burst. */
export const burstSize = 20;
/** The most lines of each list. */
const most = 50;
/** Milliseconds that the counting may take. */
const timeoutMs = 30_000;

export interface InsightsPeriod {
  from: number;
  to: number;
  step: 'day' | 'week';
}

export interface InsightsReader {
  count(period: InsightsPeriod): Promise<Insights>;
}

export const createInsightsReader = ({ prisma }: Pick<Database, 'prisma'>): InsightsReader => ({
  async count(period) {
    const [, rows] = await prisma.$transaction([
      prisma.$executeRaw`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`,
      prisma.$queryRaw<[Insights]>(statementOf(period)),
    ]);
    return rows[0];
  },
});

const milliseconds = (time: string): Prisma.Sql => Prisma.raw(`round(extract(epoch FROM ${time}) * 1000)::bigint`);

const endings = Prisma.raw(
  ['accepted', 'declined', 'cancelled', 'expired']
    .map((status) => `count(*) FILTER (WHERE status = '${status}')::int AS ${status}`)
    .join(', '),
);

const waitOf = (part: number): string =>
  `round(percentile_cont(${part}) WITHIN GROUP (ORDER BY extract(epoch FROM waited))::numeric, 1)::float8`;
const waits = Prisma.raw(`${waitOf(0.5)} AS p50, ${waitOf(0.95)} AS p95`);

const list = (table: string, order: string): Prisma.Sql =>
  Prisma.raw(`(SELECT coalesce(jsonb_agg(t ORDER BY ${order}), '[]') FROM ${table} t) AS ${table}`);

/**
 * Goes by the indexes of when requests closed and opened, and reads each request of the period once. Only a wait that a
 * vote ended counts as one.
 */
const statementOf = ({ from, to, step }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  WITH closed AS MATERIALIZED (
    SELECT e.id, s.name AS server, e.tool, e.status, e.opened_at, e.closed_at, split_part(e.policy, '@', 1) AS policy,
           CASE WHEN EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id) THEN e.closed_at - e.opened_at END AS waited
      FROM elicitation e JOIN server s ON s.id = e.server_id
     WHERE e.closed_at >= ${moment(from)} AND e.closed_at < ${moment(to)}
  ), ballots AS MATERIALIZED (
    SELECT v.id, v.user_id AS person, v.action, v.at, ${isHasty} AS is_hasty
      FROM closed c JOIN vote v ON v.elicitation_id = c.id CROSS JOIN LATERAL (${firstSeen}) seen
  ), spans AS (
    SELECT ${milliseconds('at')} AS at, ${endings}, ${waits}
      FROM (SELECT *, date_trunc(${step}, closed_at, 'UTC') AS at FROM closed) c GROUP BY c.at
  ), tools AS (
    SELECT server, tool, ${endings}, ${waits}, count(waited) FILTER (WHERE status = 'accepted')::int AS approved,
           count(waited) FILTER (WHERE status = 'declined')::int AS rejected
      FROM closed GROUP BY server, tool ORDER BY count(*) DESC, server, tool LIMIT ${most}
  ), voters AS (
    SELECT person, count(*)::int AS votes, count(*) FILTER (WHERE is_hasty)::int AS hasty
      FROM ballots GROUP BY person ORDER BY 3 DESC, 2 DESC, 1 LIMIT ${most}
  ), runs AS (
    SELECT person, count(*)::int AS votes, ${milliseconds('min(at)')} AS "from", ${milliseconds('max(at)')} AS "to"
      FROM (SELECT *, row_number() OVER (PARTITION BY person ORDER BY at, id)
                    - row_number() OVER (PARTITION BY person, is_hasty ORDER BY at, id) AS run FROM ballots) b
     WHERE is_hasty GROUP BY person, run HAVING count(*) >= ${runLength}
     ORDER BY 3 DESC, 1 LIMIT ${most}
  ), sprees AS (
    SELECT * FROM (
      SELECT DISTINCT ON (person) person, approvals, ${milliseconds('at')} AS at FROM (
        SELECT person, at, count(*) OVER (PARTITION BY person ORDER BY at
                 RANGE BETWEEN ${`${spreeWithin} ms`}::interval PRECEDING AND CURRENT ROW)::int AS approvals
          FROM ballots WHERE action = 'accept') b
       WHERE approvals >= ${spreeSize} ORDER BY person, approvals DESC, at) p
     ORDER BY approvals DESC, person LIMIT ${most}
  ), samples AS (
    SELECT c.policy, count(*)::int AS allowed, count(l.at)::int AS drawn, count(l.reviewed_at)::int AS reviewed,
           count(*) FILTER (WHERE l.reviewed_at IS NOT NULL AND EXISTS (
             SELECT FROM audit_entry a WHERE a.elicitation_id = c.id AND a.type = 'look-back.reviewed'
                AND (audit.entry(a.body) ->> 'shouldHaveAsked')::boolean))::int AS wrong
      FROM closed c LEFT JOIN look_back l ON l.elicitation_id = c.id
     WHERE c.status = 'accepted' AND c.closed_at = c.opened_at
     GROUP BY c.policy HAVING count(l.at) > 0 ORDER BY 2 DESC, 1 LIMIT ${most}
  ), bursts AS (
    SELECT s.name AS server, b.tool, ${milliseconds('b.at')} AS at, b.requests FROM (
      SELECT server_id, tool, date_trunc('minute', opened_at) AS at, count(*)::int AS requests
        FROM elicitation WHERE opened_at >= ${moment(from)} AND opened_at < ${moment(to)}
       GROUP BY 1, 2, 3 HAVING count(*) >= ${burstSize} ORDER BY 4 DESC, 3 LIMIT ${most}) b
      JOIN server s ON s.id = b.server_id
  )
  SELECT ${list('spans', 'at')},
         ${list('tools', 'accepted + declined + cancelled + expired DESC, server, tool')},
         ${list('voters', 'hasty DESC, votes DESC, person')}, ${list('runs', '"from" DESC')},
         ${list('bursts', 'requests DESC, at')}, ${list('samples', 'allowed DESC, policy')},
         ${list('sprees', 'approvals DESC, person')}`;
