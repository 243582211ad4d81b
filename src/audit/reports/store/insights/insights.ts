import { Prisma } from '#platform/database/generated/prisma/client';
import type { Database } from '#platform/database/database/database';
import { moment } from '#platform/database/sql/time';
import { policyNameOf } from '../../../entries/store/entries/decided-by.ts';
import {
  type Among,
  ballotsOf,
  burstsIn,
  closedIn,
  dayOf,
  endingColumns,
  isAmong,
  isTotalAmong,
  joinedRuns,
  mondayOf,
  personTotals,
  policyTotals,
  runLength,
  runsOf,
  secondsOf,
  spreeSize,
  startOf,
  toolColumns,
  toolTotals,
  totalsAmong,
  waitTotals,
} from './insight-parts.ts';

/** How many requests ended in each way. */
interface Endings {
  accepted: number;
  declined: number;
  cancelled: number;
  expired: number;
}

/** How long people took, in seconds: half of them, and all but one of twenty; null if no one decided. */
interface Waits {
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
  /**
   * Hasty votes of one person with no other between them, of which the last is in the period. For those who do not read about all
   * servers, each server is looked at by itself.
   */
  runs: { person: string; server: string | null; votes: number; from: number; to: number }[];
  /** The most approvals of one person within a few minutes, if they are many; `at` is that of the last. By server as runs are. */
  sprees: { person: string; server: string | null; approvals: number; at: number }[];
  /** Minutes in which one tool asked very often. */
  bursts: { server: string; tool: string; at: number; requests: number }[];
  /** By policy: what it allowed, what of it was drawn for a later look, and what those who looked found. */
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

/** All of it is of one moment. */
const statementOf = (period: InsightsPeriod): Prisma.Sql => Prisma.sql`
  WITH ${scope(period)}, ${spans(period)}, ${tools(period)}, ${people(period)}, ${runs(period)}, ${samples(period)}, ${bursts(period)}
  SELECT ${list('spans', 'at')},
         ${list('tools', 'accepted + declined + cancelled + expired DESC, server, tool')},
         ${list('voters', 'hasty DESC, votes DESC, person')},
         (SELECT coalesce(jsonb_agg(t ORDER BY "from" DESC), '[]') FROM long_runs t) AS runs,
         ${list('bursts', 'requests DESC, at')}, ${list('samples', 'allowed DESC, policy')},
         ${list('sprees', 'approvals DESC, person, server')}`;
