import type { ServerId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import { firstSeen, isHasty } from '../../../entries/store/entries/approvals.ts';
import { policyNameOf } from '../../../entries/store/entries/decided-by.ts';

/** So many hasty votes in a row are a rubber stamp. */
export const runLength = 50;
/** So many approvals of one person within so many milliseconds are a spree. */
export const spreeSize = 20;
export const spreeWithin = 300_000;
/** So many requests of one tool in a minute are a burst. */
export const burstSize = 20;

/** The servers that someone reads about; null if they read about all. */
export type Among = readonly ServerId[] | null;

/** Is a request, by the column with its server, one that they read about? */
export const isAmong = (among: Among, serverId: Prisma.Sql): Prisma.Sql =>
  among === null ? Prisma.sql`true` : Prisma.sql`${serverId} = ANY(${among}::text[])`;

/** Of the totals that stand for all servers together under an empty one, those that they read. */
export const isTotalAmong = (among: Among, serverId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`${serverId} = ANY(${among ?? ['']}::text[])`;

/** Under which of the two a vote on the request `c` counts, or under both. */
export const totalsAmong = (among: Among): Prisma.Sql =>
  among === null ? Prisma.sql`ARRAY['']` : Prisma.sql`ARRAY[c.server_id]`;
export const bothTotals = Prisma.sql`ARRAY['', c.server_id]`;

/** The day in UTC that begins at or before a time. */
export const dayOf = (time: Prisma.Sql): Prisma.Sql => Prisma.sql`((${time}) AT TIME ZONE 'UTC')::date`;

/** The beginning of a day, as a time. */
export const startOf = (day: Prisma.Sql): Prisma.Sql => Prisma.sql`((${day})::timestamp AT TIME ZONE 'UTC')`;

/** The minute that begins at or before a time. */
export const minuteOf = (time: Prisma.Sql): Prisma.Sql => Prisma.sql`date_trunc('minute', ${time})`;

/** The Monday at or before a day. */
export const mondayOf = (day: Prisma.Sql): Prisma.Sql => Prisma.sql`date_trunc('week', (${day})::timestamp)::date`;

/** How requests ended, and which of these people decided. */
export const endingColumns = ['accepted', 'declined', 'cancelled', 'expired'] as const;
export const toolColumns = [...endingColumns, 'approved', 'rejected'] as const;

/**
 * Waits are counted in eight steps from a tenth of a second to two of them, and so on: a wait is shown as
 * less than a tenth longer than it was.
 */
const stepsPerDoubling = Prisma.raw('8');
const bucketOf = Prisma.sql`
  ceil(${stepsPerDoubling} * ln(greatest(extract(epoch FROM e.closed_at - e.opened_at) * 10, 1)::float8) / ln(2::float8) - 1e-9)::smallint`;

/** The longest wait of a bucket, in seconds, to a tenth. */
export const secondsOf = (bucket: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(ceil(power(2.0, ${bucket}::numeric / ${stepsPerDoubling}) - 1e-6) / 10)::float8`;

/** Did people decide the request `e`: by their votes, whatever it then waited for, or by an override? Not if a timer refused it. */
const isByPeople = Prisma.sql`CASE e.status
  WHEN 'accepted' THEN EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id AND v.action = 'accept')
    OR EXISTS (SELECT FROM break_glass b WHERE b.elicitation_id = e.id)
  WHEN 'declined' THEN EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id AND v.action = 'decline' AND v.at = e.closed_at)
  ELSE false END`;

/** The requests that closed in these ranges; only the wait for a decision of people counts as one. */
export const closedIn = (ranges: Prisma.Sql, among: Among = null): Prisma.Sql => Prisma.sql`
  SELECT e.id, e.server_id, e.tool, e.status, e.opened_at, e.closed_at, ${dayOf(Prisma.sql`e.closed_at`)} AS day,
         ${policyNameOf()} AS policy,
         CASE WHEN ${isByPeople} THEN ${bucketOf} END AS bucket
    FROM ${ranges} r CROSS JOIN LATERAL (
      SELECT * FROM elicitation c WHERE c.closed_at >= r.since AND c.closed_at < r.before AND ${isAmong(among, Prisma.sql`c.server_id`)}
       ORDER BY c.closed_at, c.id OFFSET 0) e`;

const spreeTime = Prisma.raw(`interval '${spreeWithin} ms'`);

/**
 * Their votes under each of the totals, with how many approvals of these the person had given within a spree's time at each. The
 * approvals nearby are rows of one window with the votes: a join of two lists without an index would take their product.
 */
export const ballotsOf = (closed: Prisma.Sql, totals: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH cast_votes AS MATERIALIZED (
    SELECT v.id, v.user_id AS person, unnest(${totals}) AS server_id, v.action, v.at, c.closed_at, c.day, ${isHasty} AS is_hasty
      FROM ${closed} c JOIN vote v ON v.elicitation_id = c.id CROSS JOIN LATERAL (${firstSeen}) seen
  )
  SELECT id, person, server_id, action, at, closed_at, day, is_hasty,
         CASE WHEN action = 'accept' THEN approvals ELSE 0 END AS approvals
    FROM (SELECT *, (count(*) FILTER (WHERE id IS NULL)
                       OVER (PARTITION BY person, server_id ORDER BY at RANGE ${spreeTime} PRECEDING))::int AS approvals
            FROM (TABLE cast_votes
                  UNION ALL SELECT NULL, person, server_id, NULL, at, NULL, NULL, NULL FROM (${approvalsNear(totals)}) a) b) b
   WHERE id IS NOT NULL`;

/** All approvals near these votes: each is read once, however many are near it. */
const approvalsNear = (totals: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT p.person, t.server_id, p.at
    FROM (SELECT DISTINCT person, date_bin(${spreeTime}, at - before, 'epoch') AS since
            FROM cast_votes, (VALUES (${spreeTime}), (interval '0')) AS span(before) WHERE action = 'accept') s
   CROSS JOIN LATERAL (
     SELECT v.user_id AS person, v.at, (SELECT e.server_id FROM elicitation e WHERE e.id = v.elicitation_id) AS server_id
       FROM vote v WHERE v.user_id = s.person AND v.action = 'accept' AND v.at >= s.since AND v.at < s.since + ${spreeTime} OFFSET 0) p
   CROSS JOIN LATERAL (SELECT p.server_id) c CROSS JOIN LATERAL unnest(${totals}) AS t(server_id)`;

const endings = Prisma.raw(
  endingColumns.map((status) => `count(*) FILTER (WHERE status = '${status}')::int AS ${status}`).join(', '),
);

/** By day and tool, and by day for all tools together. */
export const toolTotals = Prisma.sql`
  SELECT day, coalesce(server_id, '') AS server_id, coalesce(tool, '') AS tool, ${endings},
         count(bucket) FILTER (WHERE status = 'accepted')::int AS approved,
         count(bucket) FILTER (WHERE status = 'declined')::int AS rejected
    FROM closed GROUP BY GROUPING SETS ((day, server_id, tool), (day))`;

export const waitTotals = Prisma.sql`
  SELECT coalesce(server_id, '') AS server_id, coalesce(tool, '') AS tool, day, bucket, count(*)::int AS requests
    FROM closed WHERE bucket IS NOT NULL GROUP BY GROUPING SETS ((day, bucket, server_id, tool), (day, bucket))`;

/** Of the largest spree, when it was first that large. */
export const personTotals = Prisma.sql`
  SELECT server_id, day, person AS user_id, count(*)::int AS votes, count(*) FILTER (WHERE is_hasty)::int AS hasty,
         max(approvals) AS spree, (array_agg(at ORDER BY approvals DESC, at))[1] AS spree_at
    FROM ballots GROUP BY server_id, day, person`;

export const policyTotals = Prisma.sql`
  SELECT coalesce(server_id, '') AS server_id, day, policy, count(*)::int AS allowed,
         count(*) FILTER (WHERE EXISTS (SELECT FROM look_back l WHERE l.elicitation_id = c.id))::int AS drawn
    FROM closed c WHERE status = 'accepted' AND closed_at = opened_at
   GROUP BY GROUPING SETS ((server_id, day, policy), (day, policy))`;

/** Minutes that began in the range. */
export const burstsIn = (since: Prisma.Sql, before: Prisma.Sql, among: Among = null): Prisma.Sql => Prisma.sql`
  SELECT date_trunc('minute', opened_at) AS at, server_id, tool, count(*)::int AS requests
    FROM elicitation WHERE opened_at >= ${since} AND opened_at < ${before} AND ${isAmong(among, Prisma.sql`server_id`)}
   GROUP BY 1, 2, 3 HAVING count(*) >= ${burstSize}`;

/**
 * Hasty votes of one person with no other between them under the same total, in the order in which their requests closed; `is_first` if no
 * other vote of `ballots` was before, and `is_open` if none was after.
 */
export const runsOf = (ballots: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT person, server_id, count(*)::int AS votes, min(at) AS from_at, max(at) AS to_at, max(closed_at) AS ended_at,
         min(place) = 1 AS is_first, max(place) = max(total) AS is_open
    FROM (SELECT *, count(*) OVER (PARTITION BY person, server_id) AS total,
                 row_number() OVER (PARTITION BY person, server_id ORDER BY closed_at, at, id) AS place,
                 row_number() OVER (PARTITION BY person, server_id ORDER BY closed_at, at, id)
                   - row_number() OVER (PARTITION BY person, server_id, is_hasty ORDER BY closed_at, at, id) AS run
            FROM ${ballots} b) b
   WHERE is_hasty GROUP BY person, server_id, run`;

/** The runs in `runs`, which follow on the ones in `before` that were open; one that goes on is one run. */
export const joinedRuns = Prisma.sql`
  SELECT r.person AS user_id, r.server_id, coalesce(o.from_at, r.from_at) AS from_at, r.to_at, r.ended_at,
         r.votes + coalesce(o.votes, 0) AS votes, r.is_open
    FROM runs r LEFT JOIN before o ON o.user_id = r.person AND o.server_id = r.server_id AND r.is_first
  UNION ALL
  SELECT user_id, server_id, from_at, to_at, ended_at, votes, false FROM before o
   WHERE NOT EXISTS (SELECT FROM runs r WHERE r.person = o.user_id AND r.server_id = o.server_id AND r.is_first)`;
