import { Prisma } from '#platform/database/generated/prisma/client';
import type { Database } from '#platform/database/database/database';
import type { Query } from '#platform/database/connection/query';
import { moment } from '#platform/database/sql/time';
import {
  ballotsOf,
  bothTotals,
  burstsIn,
  closedIn,
  dayOf,
  joinedRuns,
  minuteOf,
  mondayOf,
  personTotals,
  policyTotals,
  runLength,
  runsOf,
  startOf,
  toolColumns,
  toolTotals,
  waitTotals,
} from './insight-parts.ts';

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

/** By their keys: an estimate for reading whole tables would have PostgreSQL compile the statement. */
const emptyStatement = Prisma.sql`
  WITH tools AS (DELETE FROM insight_tool WHERE day >= '-infinity'), waits AS (DELETE FROM insight_wait WHERE server_id >= ''),
    persons AS (DELETE FROM insight_person WHERE server_id >= ''), policies AS (DELETE FROM insight_policy WHERE server_id >= ''),
    bursts AS (DELETE FROM insight_burst WHERE at >= '-infinity'), runs AS (DELETE FROM insight_run WHERE server_id >= ''),
    tool_weeks AS (DELETE FROM insight_tool_week WHERE week >= '-infinity'),
    person_weeks AS (DELETE FROM insight_person_week WHERE server_id >= '')
  UPDATE insight_state SET summed_until = NULL, weeks_until = NULL WHERE id = 1`;

/** Of the row `t` that is there already. */
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
