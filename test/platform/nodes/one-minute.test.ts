import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { LoopState } from '#platform/nodes/verbs/health';
import type { ServerOptions } from '#server/server';
import { openReceiver, reach } from '../../notify/receiver.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { isNight } from '../../support/runs.ts';

const minute = 60_000;
const day = 86_400_000;
const count = isNight ? 20_000 : 400;

/** Everything happens in one minute of this clock, with the limits and time-outs that a node has by default. */
let clock = Date.now();
const receiver = await openReceiver();
const options: Partial<ServerOptions> = { webhooks: reach, now: () => clock };
const first = await startTestServer(options);
const nodes = [first];
const owner = new pg.Client({ connectionString: first.databaseUrl });
await owner.connect();
afterAll(async () => {
  await owner.end();
  for (const node of nodes.toReversed()) await node.stop();
  await receiver.stop();
});
const asking = askingAt(first.url, await first.newServerKey());

const query = async (sql: string): Promise<unknown[]> =>
  (await owner.query({ text: sql, rowMode: 'array' })).rows.flat();
const rowsOf = async (from: string): Promise<number> => Number((await query(`SELECT count(*) FROM ${from}`))[0]);
const untilEmpty = (...tables: string[]) =>
  until(async () => (await Promise.all(tables.map(rowsOf))).every((rows) => rows === 0), { within: 600_000 });

/** Work of a node that failed in its last turn. */
function failing(): LoopState[] {
  const loops = nodes.flatMap(({ engine }) => engine.health.loops());
  expect(loops.length).toBeGreaterThan(10);
  return loops.filter(({ failures }) => failures > 0);
}

/** As many rows of one moment in a table whose rows nothing reads but the one that prunes them. */
async function fill(table: string, at: number): Promise<void> {
  const { rows: columns } = await owner.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL`,
    [table],
  );
  const valueOf: Record<string, string> = {
    text: `'row-' || n`,
    bytea: `sha256(convert_to('row-' || n, 'UTF8'))`,
    'timestamp with time zone': `to_timestamp(${at / 1000})`,
    integer: '1',
    boolean: 'false',
    jsonb: `'{}'`,
  };
  const values = columns.map(({ type }) => valueOf[type] ?? 'NULL');
  await owner.query(`SET session_replication_role = replica`);
  await owner.query(
    `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join()})
     SELECT ${values.join()} FROM generate_series(1, ${count}) AS n`,
  );
  await owner.query(`SET session_replication_role = origin`);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** A node whose every loop has its first turn now. */
async function another(): Promise<TestServer> {
  const node = await startTestServer({ ...options, databaseUrl: first.databaseUrl });
  nodes.push(node);
  return node;
}

test(`all work of a node ends, and none of it fails, on ${count} requests of one minute`, async () => {
  const approver = await first.newUser();
  await first.applyPolicies([
    'policy: minute\nmatch: {}\nkeep: 1d\nrequire: { deadline: 20m, reminders: [10m], stages: [{ name: One, approvers: anyone }] }\n',
  ]);
  await first.webhooks.add(new URL('/hook', receiver.url).href);
  const ids: string[] = [];
  await inParallel(
    Array.from({ length: count }, (_, at) => at),
    async (at) => void ids.push((await asking.open({ tool: { name: `tool_${at % 20}` } })).id),
  );
  await inParallel(
    ids.filter((_, at) => at % 10 === 0),
    async (id) => expect((await approver.vote(id, 'accept', { confirmed: true })).status).toBe(200),
  );

  clock += 10 * minute + 1_000; // all reminders are due
  await another();
  await untilEmpty(`elicitation WHERE status = 'open' AND wake_at <= to_timestamp(${clock / 1000})`);
  clock += 10 * minute + 1_000; // all deadlines are
  await another();
  await untilEmpty(`elicitation WHERE status = 'open'`);
  expect(await rowsOf(`elicitation WHERE status = 'expired'`)).toBe(count - Math.ceil(count / 10));
  await untilEmpty('audit_queue', `notification WHERE state = 'due'`);
  const place = `SELECT place FROM outbox_reader`;
  await untilEmpty(`outbox WHERE place > (${place})`);

  const pruned = [
    'sign_in_attempt',
    'sign_in_budget',
    'passkey_challenge',
    'session',
    'token',
    'chat_delivery',
    'call_memo',
  ];
  for (const table of pruned) await fill(table, clock);
  clock += 40 * day;
  await another();
  await untilEmpty(
    'elicitation WHERE data_key IS NOT NULL',
    'outbox',
    'notification',
    'sign_in_attempt',
    'sign_in_budget',
    'passkey_challenge',
    `session WHERE user_id LIKE 'row-%'`,
    `token WHERE elicitation_id LIKE 'row-%'`,
    'chat_delivery',
    'call_memo',
    'audit_queue',
  );
  await until(async () => (await rowsOf(`insight_state WHERE summed_until > now() + interval '20 days'`)) === 1, {
    within: 600_000,
  });
  expect(
    await query("SELECT sum(accepted + declined + cancelled + expired)::int FROM insight_tool WHERE server_id <> ''"),
  ).toEqual([count]);
  expect(failing()).toEqual([]);
}, 1_800_000);
