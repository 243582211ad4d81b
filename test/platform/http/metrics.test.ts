import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { SystemState } from '#platform/nodes/contract/ready';
import { version } from '#platform/process/package';
import { createStandingProof, latestProof } from '#audit/verify/verbs/verify-log';
import { recordBackup } from '#keeping/backup/store';
import { openDatabase } from '#platform/database/database';
import { askingAt } from '../../support/nodes/asking.ts';
import { warnOfKeys } from '#access/keys/loops';
import { startTestServer } from '../../support/nodes/server.ts';

const metricsToken = 'a-token-for-operators-of-32-characters';
const server = await startTestServer({ metricsToken });
const closed = await startTestServer({ databaseUrl: server.databaseUrl });
afterAll(async () => {
  await closed.stop();
  await server.stop();
});
const asking = askingAt(server.url, await server.newServerKey());
const ada = await server.newUser();

const read = (token: string, url = server.url) =>
  fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
const valueOf = async (name: string): Promise<number> => {
  const line = (await (await read(metricsToken)).text()).split('\n').find((text) => text.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
};

test('CF-03: only the operator’s token opens the metrics, and no token does where none is set', async () => {
  expect((await read(metricsToken)).status).toBe(200);
  for (const token of ['', asking.key, `${metricsToken}x`, metricsToken.slice(1)])
    expect((await read(token)).status).toBe(401);
  expect((await ada.call('GET', '/metrics')).status).toBe(401);
  for (const token of ['', 'null', metricsToken]) expect((await read(token, closed.url)).status).toBe(401);
});

test('they tell of requests, decisions, deliveries, the log and the clock', async () => {
  const { id } = await asking.open();
  expect(await valueOf('assentry_open_requests{audience="approvers"}')).toBe(1);
  const age = await valueOf('assentry_oldest_open_seconds{audience="approvers"}');
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(90);
  expect(await valueOf('assentry_decisions_total{outcome="accepted"}')).toBeNaN();
  expect((await ada.vote(id, 'accept', { confirmed: true })).status).toBe(200);
  expect(await valueOf('assentry_decisions_total{outcome="accepted"}')).toBe(1);
  expect(await valueOf('assentry_decision_seconds_count')).toBe(1);
  for (const name of ['open_requests', 'oldest_open_seconds'])
    expect(await valueOf(`assentry_${name}{audience="approvers"}`)).toBeNaN();
  expect(await valueOf(`assentry_build_info{version="${version}"}`)).toBe(1);
  expect(await valueOf('assentry_deliveries_due')).toBe(0);
  expect(await valueOf('assentry_clock_ahead_seconds')).toBeLessThan(5);
  for (const name of ['assentry_outbox_untold', 'assentry_log_unplaced', 'nodejs_eventloop_lag_seconds'])
    expect(await valueOf(name)).toBeGreaterThanOrEqual(0);
  expect((await asking.call('GET', '/v1/elicitations/eli_nothing')).status).toBe(400);
  expect(await valueOf('assentry_problems_total{code="INVALID_INPUT"}')).toBe(1);
});

test('they say when the log was verified and what the last backup is as of; 0 without one', async () => {
  const times = () =>
    Promise.all(['log_verified', 'last_backup'].map((name) => valueOf(`assentry_${name}_timestamp_seconds`)));
  expect(await times()).toEqual([0, 0]);
  const [node] = await server.engine.nodes.live();
  await createStandingProof(server.engine, node?.id ?? '')();
  const owner = openDatabase(server.databaseUrl, { poolSize: 1 });
  for (const at of [1_700_000_000_000, 1_800_000_000_000]) await recordBackup(owner.prisma, new Date(at));
  await owner.close();
  const proof = await latestProof(server.engine);
  expect(proof?.at).toBeGreaterThan(0);
  expect(await times()).toEqual([(proof?.at ?? 0) / 1000, 1_800_000_000]);
  const admin = await server.newUser('admin');
  expect(await (await admin.call('GET', '/api/system')).json()).toMatchObject({ backupAt: 1_800_000_000_000 });
});

test('the state of the system names nodes that fell silent, and the most urgent warning first', async () => {
  const { health, nodes } = server.engine;
  const admin = await server.newUser('admin');
  const state = async () => (await admin.call('GET', '/api/system')).json() as Promise<SystemState>;
  const before = await state();
  expect([before.silentNodes, before.warnings]).toEqual([[], []]);
  const settings = before.nodes.length > 0 ? (await nodes.live())[0]!.settings! : {};
  for (const id of ['killed', 'left']) await nodes.heartbeat({ id, kids: ['k1'], activeKid: 'k1', settings });
  await nodes.leave('left');
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ at: Date }>(
    `UPDATE node SET seen_at = now() - interval '31 seconds' WHERE id = 'killed' RETURNING seen_at AS at`,
  );
  await client.end();
  health.warn({ code: 'keys-expire', keys: 1, at: 1 });
  health.warn({ code: 'log-stands-still' });
  health.warn({ code: 'witness-disagrees', witnesses: ['notary'] });
  const { silentNodes, warnings } = await state();
  expect(silentNodes).toEqual([{ id: 'killed', at: rows[0]!.at.getTime() }]);
  expect(warnings.map(({ warning }) => warning.code)).toEqual(['witness-disagrees', 'log-stands-still', 'keys-expire']);
  for (const { warning } of warnings) health.clear(warning.code);
  expect((await state()).warnings).toEqual([]);
  await nodes.leave('killed');
});

test('they count the keys that expire within 14 days and those that were not used for 90', async () => {
  const newKid = async (name: string) => (await server.newServerKey(name)).split('_')[1] ?? '';
  const [idle, brief] = [await newKid('idle'), await newKid('brief')];
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query(`UPDATE api_key SET last_used_at = now() - interval '91 days' WHERE kid = $1`, [idle]);
  const times = `created_at = now() - interval '77 days', expires_at = now() + interval '13 days', last_used_at = now()`;
  await client.query(`UPDATE api_key SET ${times} WHERE kid = $1`, [brief]);
  await client.end();
  await warnOfKeys(server.engine, new Set(), { warn: () => {} });
  expect([await valueOf('assentry_keys_expiring'), await valueOf('assentry_keys_unused')]).toEqual([1, 1]);
  await server.rotateKey(brief);
  await server.revokeKey(idle);
  await warnOfKeys(server.engine, new Set(), { warn: () => {} });
  expect([await valueOf('assentry_keys_expiring'), await valueOf('assentry_keys_unused')]).toEqual([0, 0]);
});

test('CR-08: stored data that does not open is counted', async () => {
  const { id } = await asking.open();
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  await client.query(`UPDATE elicitation SET payload = overlay(payload PLACING 'x'::bytea FROM 20) WHERE id = $1`, [
    id,
  ]);
  await client.end();
  const before = await valueOf('assentry_unreadable_total');
  expect((await ada.call('GET', '/api/elicitations')).status).toBe(200);
  expect(await valueOf('assentry_unreadable_total')).toBeGreaterThan(before);
});
