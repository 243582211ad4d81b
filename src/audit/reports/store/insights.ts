import type { ServerId } from '#platform/model/id';
import { Prisma } from '#platform/database/generated/prisma/client';
import { firstSeen, isHasty, policyNameOf } from '../../entries/store/entries.ts';
import type { Database } from '#platform/database/database';
import { moment } from '#platform/database/sql';
import type { Query } from '#platform/database/connection';

/** Hasty votes in a row that count as a rubber stamp. */
export const runLength = 50;
/** Approvals of one person, and milliseconds, that count as a spree. */
export const spreeSize = 20;
export const spreeWithin = 300_000;
/** Requests of one tool in a minute that count as a burst. */
export const burstSize = 20;

/** The servers that someone reads about; null if they read about all. */
export type Among = readonly ServerId[] | null;

/** Is a request, by the column with its server, one that they read about? */
export const isAmong = (among: Among, serverId: Prisma.Sql): Prisma.Sql =>
  among === null ? Prisma.sql`true` : Prisma.sql`${serverId} = ANY(${among}::text[])`;

/** Selects the totals of these servers; those of all servers together stand under an empty one. */
const isTotalAmong = (among: Among, serverId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`${serverId} = ANY(${among ?? ['']}::text[])`;

/** The totals under which a vote on the request `c` counts: one of the two, or both. */
const totalsAmong = (among: Among): Prisma.Sql =>
  among === null ? Prisma.sql`ARRAY['']` : Prisma.sql`ARRAY[c.server_id]`;
const bothTotals = Prisma.sql`ARRAY['', c.server_id]`;

/** The day in UTC that begins at or before a time. */
export const dayOf = (time: Prisma.Sql): Prisma.Sql => Prisma.sql`((${time}) AT TIME ZONE 'UTC')::date`;

/** The beginning of a day, as a time. */
export const startOf = (day: Prisma.Sql): Prisma.Sql => Prisma.sql`((${day})::timestamp AT TIME ZONE 'UTC')`;

/** The minute that begins at or before a time. */
export const minuteOf = (time: Prisma.Sql): Prisma.Sql => Prisma.sql`date_trunc('minute', ${time})`;

/** The Monday at or before a day. */
const mondayOf = (day: Prisma.Sql): Prisma.Sql => Prisma.sql`date_trunc('week', (${day})::timestamp)::date`;

/** Endings of requests, and the deciders among these people. */
const endingColumns = ['accepted', 'declined', 'cancelled', 'expired'] as const;
const toolColumns = [...endingColumns, 'approved', 'rejected'] as const;

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
const closedIn = (ranges: Prisma.Sql, among: Among = null): Prisma.Sql => Prisma.sql`
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
const ballotsOf = (closed: Prisma.Sql, totals: Prisma.Sql): Prisma.Sql => Prisma.sql`
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
const toolTotals = Prisma.sql`
  SELECT day, coalesce(server_id, '') AS server_id, coalesce(tool, '') AS tool, ${endings},
         count(bucket) FILTER (WHERE status = 'accepted')::int AS approved,
         count(bucket) FILTER (WHERE status = 'declined')::int AS rejected
    FROM closed GROUP BY GROUPING SETS ((day, server_id, tool), (day))`;

const waitTotals = Prisma.sql`
  SELECT coalesce(server_id, '') AS server_id, coalesce(tool, '') AS tool, day, bucket, count(*)::int AS requests
    FROM closed WHERE bucket IS NOT NULL GROUP BY GROUPING SETS ((day, bucket, server_id, tool), (day, bucket))`;

/** Totals by person; of the largest spree, the time at which it first was that large. */
const personTotals = Prisma.sql`
  SELECT server_id, day, person AS user_id, count(*)::int AS votes, count(*) FILTER (WHERE is_hasty)::int AS hasty,
         max(approvals) AS spree, (array_agg(at ORDER BY approvals DESC, at))[1] AS spree_at
    FROM ballots GROUP BY server_id, day, person`;

const policyTotals = Prisma.sql`
  SELECT coalesce(server_id, '') AS server_id, day, policy, count(*)::int AS allowed,
         count(*) FILTER (WHERE EXISTS (SELECT FROM look_back l WHERE l.elicitation_id = c.id))::int AS drawn
    FROM closed c WHERE status = 'accepted' AND closed_at = opened_at
   GROUP BY GROUPING SETS ((server_id, day, policy), (day, policy))`;

/** Minutes that began in the range. */
const burstsIn = (since: Prisma.Sql, before: Prisma.Sql, among: Among = null): Prisma.Sql => Prisma.sql`
  SELECT date_trunc('minute', opened_at) AS at, server_id, tool, count(*)::int AS requests
    FROM elicitation WHERE opened_at >= ${since} AND opened_at < ${before} AND ${isAmong(among, Prisma.sql`server_id`)}
   GROUP BY 1, 2, 3 HAVING count(*) >= ${burstSize}`;

/**
 * Hasty votes of one person with no other between them under the same total, in the order in which their requests closed; `is_first` if no
 * other vote of `ballots` was before, and `is_open` if none was after.
 */
const runsOf = (ballots: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT person, server_id, count(*)::int AS votes, min(at) AS from_at, max(at) AS to_at, max(closed_at) AS ended_at,
         min(place) = 1 AS is_first, max(place) = max(total) AS is_open
    FROM (SELECT *, count(*) OVER (PARTITION BY person, server_id) AS total,
                 row_number() OVER (PARTITION BY person, server_id ORDER BY closed_at, at, id) AS place,
                 row_number() OVER (PARTITION BY person, server_id ORDER BY closed_at, at, id)
                   - row_number() OVER (PARTITION BY person, server_id, is_hasty ORDER BY closed_at, at, id) AS run
            FROM ${ballots} b) b
   WHERE is_hasty GROUP BY person, server_id, run`;

/** The runs in `runs`, which follow on the ones in `before` that were open; one that goes on is one run. */
const joinedRuns = Prisma.sql`
  SELECT r.person AS user_id, r.server_id, coalesce(o.from_at, r.from_at) AS from_at, r.to_at, r.ended_at,
         r.votes + coalesce(o.votes, 0) AS votes, r.is_open
    FROM runs r LEFT JOIN before o ON o.user_id = r.person AND o.server_id = r.server_id AND r.is_first
  UNION ALL
  SELECT user_id, server_id, from_at, to_at, ended_at, votes, false FROM before o
   WHERE NOT EXISTS (SELECT FROM runs r WHERE r.person = o.user_id AND r.server_id = o.server_id AND r.is_first)`;

/** How many requests ended in each way. */
interface Endings {
  accepted: number;
  declined: number;
  cancelled: number;
  expired: number;
}

/** Waits for people, in seconds: the median, and the 95th percentile; null if no one decided. */
interface Waits {
  p50: number | null;
  p95: number | null;
}

/** Counts of a period. */
export interface Insights {
  /** Day by day or week by week in UTC, from `at`; a span in which nothing ended is left out. */
  spans: (Endings & Waits & { at: number })[];
  /** The busiest first. `approved` and `rejected` are those that people decided. */
  tools: (Endings & Waits & { server: string; tool: string; approved: number; rejected: number })[];
  /** The votes of each person, and how many were cast too soon after the request was seen. */
  voters: { person: string; votes: number; hasty: number }[];
  /**
   * Hasty votes of one person with no other between them, of which the last is in the period. For those who do not read about all
   * servers, each server is looked at by itself.
   */
  runs: { person: string; server: string | null; votes: number; from: number; to: number }[];
  /** The most approvals of one person within a few minutes, if they are many; `at` is that of the last. By server as runs are. */
  sprees: { person: string; server: string | null; approvals: number; at: number }[];
  /** Minutes in which one tool asked very often. */
  bursts: { server: string; tool: string; at: number; requests: number }[];
  /** By policy: numbers of requests that it allowed, drew for a later look, had reviewed, and of wrong ones. */
  samples: { policy: string; allowed: number; drawn: number; reviewed: number; wrong: number }[];
}

/** The most lines of each list. */
const maxRows = 50;
/** Milliseconds that the counting may take: only what is in no total yet is read request by request. */
const timeoutMs = 30_000;

interface InsightsPeriod {
  from: number;
  to: number;
  step: 'day' | 'week';
  /** Nothing of another server is in any number. */
  among: Among;
}

export const createInsightsReader = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async count(period: InsightsPeriod): Promise<Insights> {
    const [, rows] = await prisma.$transaction([
      prisma.$executeRaw`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`,
      prisma.$queryRaw<[Insights]>(statementOf(period)),
    ]);
    return rows[0];
  },
});

const milliseconds = (time: string): Prisma.Sql => Prisma.raw(`round(extract(epoch FROM ${time}) * 1000)::bigint`);

const sums = (names: readonly string[]): Prisma.Sql =>
  Prisma.raw(names.map((name) => `sum(${name})::int AS ${name}`).join(', '));

const columns = (names: readonly string[]): Prisma.Sql => Prisma.raw(names.join(', '));

const list = (table: string, order: string): Prisma.Sql =>
  Prisma.raw(`(SELECT coalesce(jsonb_agg(t ORDER BY ${order}), '[]') FROM ${table} t) AS ${table}`);

/** Of the waits of each key, with how many requests waited so long: how long half of them took, and all but one of twenty. */
const shares = (key: Prisma.Sql, waits: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT ${key}, ${secondsOf(Prisma.sql`min(bucket) FILTER (WHERE upto * 2 >= among)`)} AS p50,
         ${secondsOf(Prisma.sql`min(bucket) FILTER (WHERE upto * 20 >= among * 19)`)} AS p95
    FROM (SELECT ${key}, bucket, sum(sum(requests)) OVER (PARTITION BY ${key} ORDER BY bucket) AS upto,
                 sum(sum(requests)) OVER (PARTITION BY ${key}) AS among
            FROM (${waits}) w GROUP BY ${key}, bucket) w GROUP BY ${key}`;

/**
 * What the totals have of whole days, and of today what they have so far; of these days, those that are added up by week,
 * and the others. `closed` has the rest, request by request: the part of a day at either end, and what closed since the totals were
 * brought up to date.
 */
const scope = ({ from, to, among }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  asked AS MATERIALIZED (
    SELECT ${moment(from)} AS since, ${moment(to)} AS before, coalesce(summed_until, '-infinity') AS counted
      FROM insight_state WHERE id = 1
  ), whole AS MATERIALIZED (
    SELECT least(${startOf(dayOf(Prisma.sql`since + interval '1 day' - interval '1 ms'`))}, before) AS since,
           CASE WHEN counted <= before THEN counted ELSE ${startOf(dayOf(Prisma.sql`before`))} END AS before FROM asked
  ), days AS MATERIALIZED (
    SELECT ${dayOf(Prisma.sql`w.since`)} AS first, ${dayOf(Prisma.sql`w.before - interval '1 ms'`)} AS last, w.since, w.before
      FROM whole w WHERE w.since < w.before
  ), weeks AS MATERIALIZED (
    -- The latest week has the days before weeks_until.
    SELECT first, last FROM (
      SELECT ${mondayOf(Prisma.sql`d.first + 6`)} AS first,
             CASE WHEN weeks_until <= d.last + 1 THEN weeks_until ELSE ${mondayOf(Prisma.sql`d.last + 1`)} END - 1 AS last
        FROM days d JOIN insight_state ON id = 1 AND ${startOf(Prisma.sql`weeks_until`)} <= summed_until) w
     WHERE first <= last
  ), other_days AS MATERIALIZED (
    SELECT d.first, coalesce(w.first - 1, d.last) AS last FROM days d LEFT JOIN weeks w ON true
    UNION ALL SELECT w.last + 1, d.last FROM days d JOIN weeks w ON true
  ), closed AS MATERIALIZED (
    ${closedIn(
      Prisma.sql`(
      SELECT a.since, coalesce(d.since, a.before) AS before FROM asked a LEFT JOIN days d ON true
      UNION ALL SELECT d.before, a.before FROM asked a JOIN days d ON true)`,
      among,
    )}
  ), ballots AS MATERIALIZED (${ballotsOf(Prisma.sql`closed`, totalsAmong(among))}
  )`;

const spans = ({ step, among }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  all_days AS (
    SELECT t.* FROM days d CROSS JOIN generate_series(d.first, d.last, '1 day') g
      JOIN insight_tool t ON t.day = g::date AND ${isTotalAmong(among, Prisma.sql`t.server_id`)}
    UNION ALL SELECT * FROM (${toolTotals}) s WHERE ${isTotalAmong(among, Prisma.sql`server_id`)}
  ), all_waits AS (
    SELECT w.* FROM days d CROSS JOIN (SELECT DISTINCT server_id, tool FROM all_days) t CROSS JOIN LATERAL (
      SELECT day, bucket, requests FROM insight_wait
       WHERE server_id = t.server_id AND tool = t.tool AND day BETWEEN d.first AND d.last OFFSET 0) w
    UNION ALL SELECT day, bucket, requests FROM (${waitTotals}) w WHERE ${isTotalAmong(among, Prisma.sql`server_id`)}
  ), spans AS (
    SELECT ${milliseconds('at')} AS at, s.accepted, s.declined, s.cancelled, s.expired, p50, p95
      FROM (SELECT date_trunc(${step}, ${startOf(Prisma.sql`day`)}, 'UTC') AS at, ${sums(endingColumns)} FROM all_days GROUP BY 1) s
      LEFT JOIN (${shares(
        Prisma.sql`at`,
        Prisma.sql`
        SELECT date_trunc(${step}, ${startOf(Prisma.sql`day`)}, 'UTC') AS at, bucket, requests FROM all_waits`,
      )}) w USING (at)
  )`;

const tools = ({ among }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  busiest AS MATERIALIZED (
    SELECT row_number() OVER () AS place, t.* FROM (
      SELECT t.*, s.name AS server FROM (
        SELECT server_id, tool, ${sums(toolColumns)} FROM (
          SELECT server_id, tool, ${columns(toolColumns)} FROM weeks w JOIN insight_tool_week ON week BETWEEN w.first AND w.last
          UNION ALL SELECT server_id, tool, ${columns(toolColumns)} FROM other_days d JOIN insight_tool ON day BETWEEN d.first AND d.last
          UNION ALL SELECT server_id, tool, ${columns(toolColumns)} FROM (${toolTotals}) s) t
         WHERE server_id <> '' AND ${isAmong(among, Prisma.sql`server_id`)} GROUP BY server_id, tool) t JOIN server s ON s.id = server_id
       ORDER BY accepted + declined + cancelled + expired DESC, s.name, tool LIMIT ${maxRows}) t
  ), tool_waits AS (
    SELECT b.place, w.bucket, w.requests
      FROM busiest b CROSS JOIN days d JOIN insight_wait w
        ON w.server_id = b.server_id AND w.tool = b.tool AND w.day BETWEEN d.first AND d.last
    UNION ALL SELECT b.place, w.bucket, w.requests FROM busiest b JOIN (${waitTotals}) w USING (server_id, tool)
  ), tools AS (
    SELECT server, tool, accepted, declined, cancelled, expired, p50, p95, approved, rejected
      FROM busiest LEFT JOIN (${shares(Prisma.sql`place`, Prisma.sql`TABLE tool_waits`)}) w USING (place)
  )`;

const people = ({ among }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  live_persons AS MATERIALIZED (${personTotals}
  ), persons AS MATERIALIZED (
    SELECT user_id, server_id, ${sums(['votes', 'hasty'])}, max(spree) AS spree FROM (
      SELECT user_id, server_id, votes, hasty, spree FROM weeks w
        JOIN insight_person_week p ON ${isTotalAmong(among, Prisma.sql`p.server_id`)} AND p.week BETWEEN w.first AND w.last
      UNION ALL SELECT user_id, server_id, votes, hasty, spree FROM other_days d
        JOIN insight_person p ON ${isTotalAmong(among, Prisma.sql`p.server_id`)} AND p.day BETWEEN d.first AND d.last
      UNION ALL SELECT user_id, server_id, votes, hasty, spree FROM live_persons) p
     GROUP BY user_id, server_id
  ), voters AS (
    SELECT user_id AS person, ${sums(['votes', 'hasty'])} FROM persons GROUP BY 1 ORDER BY 3 DESC, 2 DESC, 1 LIMIT ${maxRows}
  ), sprees AS (
    -- When it was is looked up for these alone, day by day, as the key has them.
    SELECT user_id AS person, s.name AS server, spree AS approvals, ${milliseconds(`(
      SELECT min(spree_at) FROM (
        SELECT p.spree, p.spree_at FROM days d CROSS JOIN generate_series(d.first, d.last, '1 day') g
          JOIN insight_person p ON p.server_id = t.server_id AND p.day = g::date AND p.user_id = t.user_id
        UNION ALL SELECT l.spree, l.spree_at FROM live_persons l WHERE l.user_id = t.user_id AND l.server_id = t.server_id) p
       WHERE p.spree = t.spree)`)} AS at
      FROM (SELECT * FROM persons WHERE spree >= ${Prisma.raw(String(spreeSize))}
             ORDER BY spree DESC, user_id, server_id LIMIT ${maxRows}) t
      LEFT JOIN server s ON s.id = t.server_id
  )`;

const runs = ({ among }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  latest AS MATERIALIZED (
    ${ballotsOf(
      Prisma.sql`(${closedIn(Prisma.sql`(SELECT counted AS since, 'infinity'::timestamptz AS before FROM asked)`, among)})`,
      totalsAmong(among),
    )}
  ), runs AS (${runsOf(Prisma.sql`latest`)}
  ), before AS (
    SELECT * FROM insight_run WHERE is_open AND (user_id, server_id) IN (SELECT person, server_id FROM latest)
  ), long_runs AS (
    SELECT user_id AS person, s.name AS server, votes, ${milliseconds('from_at')} AS "from", ${milliseconds('to_at')} AS "to" FROM (
      SELECT r.user_id, r.server_id, from_at, to_at, votes
        FROM asked a JOIN insight_run r
          ON ${isTotalAmong(among, Prisma.sql`r.server_id`)} AND r.ended_at >= a.since AND r.ended_at < a.before
       WHERE NOT (r.is_open AND (r.user_id, r.server_id) IN (SELECT person, server_id FROM latest))
      UNION ALL
      SELECT user_id, server_id, from_at, to_at, votes
        FROM asked a, (${joinedRuns}) r WHERE ended_at >= a.since AND ended_at < a.before) r
      LEFT JOIN server s ON s.id = r.server_id
     WHERE votes >= ${runLength} ORDER BY 4 DESC, 1, 2 LIMIT ${maxRows}
  )`;

const samples = ({ from, to, among }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  policies AS (
    SELECT policy, ${sums(['allowed', 'drawn'])} FROM (
      SELECT p.* FROM days d
        JOIN insight_policy p ON ${isTotalAmong(among, Prisma.sql`p.server_id`)} AND p.day BETWEEN d.first AND d.last
      UNION ALL SELECT * FROM (${policyTotals}) s WHERE ${isTotalAmong(among, Prisma.sql`server_id`)}) p
     GROUP BY policy HAVING sum(drawn) > 0 ORDER BY 2 DESC, 1 LIMIT ${maxRows}
  ), looks AS (
    SELECT ${policyNameOf()} AS policy, count(*)::int AS reviewed,
           count(*) FILTER (WHERE EXISTS (
             SELECT FROM audit_entry a WHERE a.elicitation_id = e.id AND a.type = 'look-back.reviewed'
                AND (audit.entry(a.body) ->> 'shouldHaveAsked')::boolean))::int AS wrong
      FROM look_back l JOIN elicitation e ON e.id = l.elicitation_id
     WHERE l.at >= ${moment(from)} AND l.at < ${moment(to)} AND l.reviewed_at IS NOT NULL
       AND ${isAmong(among, Prisma.sql`e.server_id`)} GROUP BY 1
  ), samples AS (
    SELECT policy, allowed, drawn, coalesce(reviewed, 0) AS reviewed, coalesce(wrong, 0) AS wrong
      FROM policies LEFT JOIN looks USING (policy)
  )`;

const bursts = ({ among }: InsightsPeriod): Prisma.Sql => Prisma.sql`
  bursts AS (
    SELECT s.name AS server, b.tool, ${milliseconds('b.at')} AS at, b.requests FROM (
      SELECT b.* FROM asked a
        JOIN insight_burst b ON b.at >= a.since AND b.at < a.before AND ${isAmong(among, Prisma.sql`b.server_id`)}
      UNION ALL ${burstsIn(
        Prisma.sql`(SELECT greatest(date_trunc('minute', counted), date_trunc('minute', since + interval '1 minute' - interval '1 ms')) FROM asked)`,
        Prisma.sql`(SELECT before FROM asked)`,
        among,
      )} ORDER BY requests DESC, at, server_id, tool LIMIT ${maxRows}) b JOIN server s ON s.id = b.server_id
  )`;

/** One statement, so that all counts are of one moment. */
const statementOf = (period: InsightsPeriod): Prisma.Sql => Prisma.sql`
  WITH ${scope(period)}, ${spans(period)}, ${tools(period)}, ${people(period)}, ${runs(period)}, ${samples(period)}, ${bursts(period)}
  SELECT ${list('spans', 'at')},
         ${list('tools', 'accepted + declined + cancelled + expired DESC, server, tool')},
         ${list('voters', 'hasty DESC, votes DESC, person')},
         (SELECT coalesce(jsonb_agg(t ORDER BY "from" DESC), '[]') FROM long_runs t) AS runs,
         ${list('bursts', 'requests DESC, at')}, ${list('samples', 'allowed DESC, policy')},
         ${list('sprees', 'approvals DESC, person, server')}`;

export const createInsightTotals = ({ transact }: Pick<Database, 'transact'>) => ({
  /**
   * Counts a slice of what closed before this time into the totals: of one day, and about so many requests; then adds a day of which all has been counted to its week. False if nothing is left, or another node is counting. If more
   * than this has been counted, the database's clock went back, and requests close at times that are in no total: all of it is
   * counted again.
   */
  countNext: (before: number, most: number): Promise<boolean> =>
    transact(async (query) => {
      const [state] = await query<{ counted: Date | null; since: Date | null; isAhead: boolean }>(Prisma.sql`
        SELECT summed_until AS counted, ${startOf(Prisma.sql`weeks_until`)} > coalesce(summed_until, '-infinity') AS "isAhead",
               coalesce(summed_until, (SELECT ${startOf(dayOf(Prisma.sql`opened_at`))} FROM elicitation ORDER BY opened_at, id LIMIT 1)) AS since
          FROM insight_state WHERE id = 1 FOR UPDATE SKIP LOCKED`);
      if (!state?.since) return false;
      // A node of an earlier version begins again without the weeks.
      if (state.isAhead || (state.counted && state.counted.getTime() > before + toleranceMs)) {
        await query(emptyStatement);
        return true;
      }
      const slice = await nextSlice(query, state.since, { before, most });
      if (!slice.isOver) return (await query(weekStatement)).length > 0;
      await query(countStatement(state.since, slice.end));
      return true;
    }),
});

/** Milliseconds by which nodes may be ahead of one another, and more. */
const toleranceMs = 60_000;

/** Reads by keys: an estimate for reading whole tables would have PostgreSQL compile the statement. */
const emptyStatement = Prisma.sql`
  WITH tools AS (DELETE FROM insight_tool WHERE day >= '-infinity'), waits AS (DELETE FROM insight_wait WHERE server_id >= ''),
    persons AS (DELETE FROM insight_person WHERE server_id >= ''), policies AS (DELETE FROM insight_policy WHERE server_id >= ''),
    bursts AS (DELETE FROM insight_burst WHERE at >= '-infinity'), runs AS (DELETE FROM insight_run WHERE server_id >= ''),
    tool_weeks AS (DELETE FROM insight_tool_week WHERE week >= '-infinity'),
    person_weeks AS (DELETE FROM insight_person_week WHERE server_id >= '')
  UPDATE insight_state SET summed_until = NULL, weeks_until = NULL WHERE id = 1`;

/** Adds to the existing row `t`. */
const added = (...columns: string[]): Prisma.Sql =>
  Prisma.raw(columns.map((column) => `${column} = t.${column} + excluded.${column}`).join(', '));

/** Adds the first day that is in no week yet to its week, if all of it has been counted. */
const weekStatement = Prisma.sql`
  WITH next AS MATERIALIZED (
    SELECT day, ${mondayOf(Prisma.sql`day`)} AS week FROM (
      SELECT summed_until, coalesce(weeks_until, (SELECT min(day) FROM insight_tool)) AS day FROM insight_state WHERE id = 1) state
     WHERE ${startOf(Prisma.sql`(day + 1)`)} <= summed_until
  ), tools AS (
    INSERT INTO insight_tool_week AS t (week, server_id, tool, ${Prisma.raw(toolColumns.join(', '))})
    SELECT week, server_id, tool, ${Prisma.raw(toolColumns.join(', '))} FROM next JOIN insight_tool USING (day)
    ON CONFLICT (week, server_id, tool) DO UPDATE SET ${added(...toolColumns)}
  ), persons AS (
    INSERT INTO insight_person_week AS t (server_id, week, user_id, votes, hasty, spree)
    SELECT server_id, week, user_id, votes, hasty, spree FROM next JOIN insight_person USING (day)
    ON CONFLICT (server_id, week, user_id) DO UPDATE SET ${added('votes', 'hasty')}, spree = greatest(t.spree, excluded.spree)
  )
  UPDATE insight_state SET weeks_until = day + 1 FROM next WHERE id = 1 RETURNING true`;

/** Ends within the day. Requests that closed at one instant are counted together. */
async function nextSlice(query: Query, since: Date, { before, most }: { before: number; most: number }) {
  const [slice] = await query<{ end: Date; isOver: boolean }>(Prisma.sql`
    WITH slice AS (
      SELECT least(date_trunc('minute', ${moment(before)}), ${startOf(Prisma.sql`(${dayOf(Prisma.sql`${since}::timestamptz`)} + 1)`)},
        coalesce((
          SELECT date_trunc('milliseconds', closed_at) + interval '1 ms' FROM elicitation WHERE closed_at >= ${since}::timestamptz
           ORDER BY closed_at, id OFFSET ${most - 1} LIMIT 1), 'infinity')) AS "end"
    )
    SELECT "end", "end" > ${since}::timestamptz AS "isOver" FROM slice`);
  return slice ?? { end: since, isOver: false };
}

function countStatement(since: Date, end: Date): Prisma.Sql {
  const range = Prisma.sql`(SELECT ${since}::timestamptz AS since, ${end}::timestamptz AS before)`;
  return Prisma.sql`
    WITH closed AS MATERIALIZED (${closedIn(range)}
    ), ballots AS MATERIALIZED (${ballotsOf(Prisma.sql`closed`, bothTotals)}
    ), tools AS (
      INSERT INTO insight_tool AS t (day, server_id, tool, accepted, declined, cancelled, expired, approved, rejected)
      ${toolTotals}
      ON CONFLICT (day, server_id, tool) DO UPDATE SET ${added(...toolColumns)}
    ), waits AS (
      INSERT INTO insight_wait AS t (server_id, tool, day, bucket, requests) ${waitTotals}
      ON CONFLICT (server_id, tool, day, bucket) DO UPDATE SET ${added('requests')}
    ), persons AS (
      INSERT INTO insight_person AS t (server_id, day, user_id, votes, hasty, spree, spree_at) ${personTotals}
      ON CONFLICT (server_id, day, user_id) DO UPDATE SET ${added('votes', 'hasty')}, spree = greatest(t.spree, excluded.spree),
        spree_at = CASE WHEN excluded.spree > t.spree THEN excluded.spree_at ELSE t.spree_at END
    ), policies AS (
      INSERT INTO insight_policy AS t (server_id, day, policy, allowed, drawn) ${policyTotals}
      ON CONFLICT (server_id, day, policy) DO UPDATE SET ${added('allowed', 'drawn')}
    ), bursts AS (
      INSERT INTO insight_burst (at, server_id, tool, requests)
      ${burstsIn(minuteOf(Prisma.sql`${since}::timestamptz`), minuteOf(Prisma.sql`${end}::timestamptz`))}
    ), runs AS (${runsOf(Prisma.sql`ballots`)}
    ), before AS (
      DELETE FROM insight_run WHERE is_open AND (user_id, server_id) IN (SELECT person, server_id FROM ballots) RETURNING *
    ), kept AS (
      INSERT INTO insight_run (user_id, server_id, from_at, to_at, ended_at, votes, is_open)
      SELECT * FROM (${joinedRuns}) r WHERE is_open OR votes >= ${runLength}
    )
    UPDATE insight_state SET summed_until = ${end} WHERE id = 1`;
}
