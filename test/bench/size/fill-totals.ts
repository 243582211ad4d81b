import pg from 'pg';
import { openDatabase } from '#platform/database/database';
import { createInsightTotals } from '#audit/reports/store/insights';

/** Days, tools of each server, and how differently long people took on a day. */
const [days, tools, buckets] = [31, 5, 11];
/** At how many servers a person votes on a day, and a policy allows. */
const busy = 5;

/** What Insights count from, as a busy month leaves it, of the servers and people that there are. */
export async function fillTotals(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query('UPDATE insight_state SET summed_until = now() WHERE id = 1');
    for (const fill of fills) await client.query(`${fill} ON CONFLICT DO NOTHING`);
    await addUpWeeks(connectionString);
    await client.query(`VACUUM ANALYZE insight_tool, insight_tool_week, insight_wait, insight_person, insight_person_week,
      insight_policy, insight_burst`);
  } finally {
    await client.end();
  }
}

/** As the loop of a node does. */
async function addUpWeeks(connectionString: string): Promise<void> {
  const database = openDatabase(connectionString);
  try {
    while (await createInsightTotals(database).countNext(Date.now(), 2_000));
  } finally {
    await database.close();
  }
}

const day = `(now() AT TIME ZONE 'utc')::date - d`;
const everyTool = `generate_series(0, ${days - 1}) d, server s, generate_series(1, ${tools}) t`;

const fills = [
  `INSERT INTO insight_tool (day, server_id, tool, accepted, declined, cancelled, expired, approved, rejected)
   SELECT ${day}, s.id, 'tool_' || t, 14, 1, 1, 1, 13, 1 FROM ${everyTool}
   UNION ALL SELECT ${day}, '', '', 28000, 2000, 2000, 2000, 26000, 2000 FROM generate_series(0, ${days - 1}) d`,
  `INSERT INTO insight_wait (server_id, tool, day, bucket, requests)
   SELECT s.id, 'tool_' || t, ${day}, 5 + 3 * b, 1 + b % 3 FROM ${everyTool}, generate_series(1, ${buckets}) b
   UNION ALL SELECT '', '', ${day}, b, 400 FROM generate_series(0, ${days - 1}) d, generate_series(0, 60) b`,
  `INSERT INTO insight_person (server_id, day, user_id, votes, hasty, spree, spree_at)
   SELECT s.id, ${day}, u.id, 15, length(u.name) % 4, length(u.name) * 2, now() - d * interval '1 day'
     FROM generate_series(0, ${days - 1}) d, app_user u,
          LATERAL (SELECT '' AS id UNION ALL (SELECT id FROM server ORDER BY md5(u.id || id) LIMIT ${busy})) s`,
  `INSERT INTO insight_policy (server_id, day, policy, allowed, drawn)
   SELECT s.id, ${day}, p.name, 20, 1
     FROM generate_series(0, ${days - 1}) d, policy p,
          LATERAL (SELECT '' AS id UNION ALL (SELECT id FROM server ORDER BY md5(p.name || id) LIMIT ${busy})) s`,
  `INSERT INTO insight_burst (at, server_id, tool, requests)
   SELECT date_trunc('minute', now()) - d * interval '1 day', id, 'tool_1', 20 FROM generate_series(0, ${days - 1}) d, server`,
];
