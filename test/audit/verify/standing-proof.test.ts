import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { version } from '#platform/process/package';
import { createStandingProof, latestProof } from '#audit/verify/verbs/verify-log';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { sequenceAll } from '../../support/nodes/log.ts';
import { startTestServer, testSecrets } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const smtp = {
  host: 'mail.example',
  port: 587,
  isSecure: false,
  isLocal: false,
  auth: { user: 'assentry', pass: 'mail-password' },
  from: 'assentry@mail.example',
};

let clock = Date.parse('2026-08-03T08:00:00Z');
/** From where on entries were read. */
const starts: number[] = [];
const server = await startTestServer({ now: () => clock });
const asking = askingAt(server.url, await server.newServerKey());
const intruder = new pg.Client({ connectionString: server.databaseUrl });
afterAll(async () => {
  await intruder.end();
  await server.stop();
});
await intruder.connect();
await intruder.query('SET session_replication_role = replica'); // no trigger stops them
const readLog: typeof server.engine.readLog = (read) =>
  server.engine.readLog((snapshot) => {
    const entries: typeof snapshot.entries = (from, count) => {
      starts.push(from);
      return snapshot.entries(from, count);
    };
    return read({ ...snapshot, entries });
  });
const [node] = await server.engine.nodes.live();
const look = createStandingProof({ ...server.engine, readLog }, node?.id ?? '');

const grow = async (): Promise<number> => {
  await asking.open();
  await sequenceAll(server.engine);
  return (await server.engine.merkleLog.latest())?.size ?? 0;
};
const ready = () => json<Record<string, unknown>>(fetch(`${server.url}/readyz`));

test('what was verified is told at every node and on the page, and the next look goes on from there', async () => {
  expect(await ready()).toEqual({ status: 'ready', warnings: [] });
  const first = await grow();
  expect(await look()).toBeNull();
  expect(await ready()).toEqual({ status: 'ready', warnings: [], proof: { size: first, at: clock, isWhole: true } });
  clock += 1000;
  const second = await grow();
  starts.length = 0;
  expect(await look()).toBeNull();
  expect(starts[0]).toBe(first);
  const reviewer = await openBrowser(server, 'reviewer');
  const shown = await reviewer.call('GET', '/api/audit/proof');
  expect(await shown.json()).toEqual({
    proof: { size: second, at: clock, isWhole: true },
    witnesses: [],
    disagreeing: [],
  });
  expect((await (await openBrowser(server)).call('GET', '/api/audit/proof')).status).toBe(403);
});

test('of several nodes the first looks, and when it has left, the next', async () => {
  const { engine } = server;
  const other = '00000000-0000-0000-0000-000000000000';
  const before = await latestProof(engine);
  clock += 1000;
  await engine.nodes.heartbeat({ id: other, kids: engine.ring.kids, activeKid: engine.ring.active });
  starts.length = 0;
  expect(await look()).toBeNull();
  expect([starts, await latestProof(engine)]).toEqual([[], before]);
  await engine.nodes.leave(other);
  expect(await look()).toBeNull();
  expect([starts[0], (await latestProof(engine))?.at]).toEqual([0, clock]);
});

test.each([
  [
    'an entry',
    'audit_entry',
    `body = convert_to(replace(convert_from(body, 'UTF8'), 'medium', 'low'), 'UTF8')`,
    /^The entry/,
  ],
  ['a row', 'elicitation', `tool = 'another'`, /^The row eli_/],
])(
  '%s that was changed is found within the hour, told at /readyz, and so is its repair',
  async (_what, table, set, message) => {
    await intruder.query(`CREATE TABLE kept AS TABLE ${table}; UPDATE ${table} SET ${set}`);
    clock += 3_600_000;
    expect(await look()).toMatch(message);
    expect(await ready()).toMatchObject({ warnings: [{ code: 'log-changed' }], proof: { at: clock, isWhole: false } });
    const repair = `DELETE FROM ${table} WHERE id IN (SELECT id FROM kept); INSERT INTO ${table} SELECT * FROM kept`;
    await intruder.query(`${repair}; DROP TABLE kept`);
    expect(await look()).toBeNull();
    expect(await ready()).toMatchObject({ warnings: [], proof: { isWhole: true } });
  },
);

test('a result that no node wrote, or one of another node, counts for nothing', async () => {
  await intruder.query(`UPDATE node SET proof = '\\x0102'`);
  expect(await latestProof(server.engine)).toBeNull();
  expect(await look()).toBeNull();
  await intruder.query(
    `INSERT INTO node (id, kids, active_kid, seen_at, proof) SELECT 'another', kids, active_kid, now(), proof FROM node;
     UPDATE node SET proof = NULL WHERE id <> 'another'`,
  );
  expect(await latestProof(server.engine)).toBeNull();
  await intruder.query(`DELETE FROM node WHERE id = 'another'`);
});

test('a result is an entry when it changes, and once a day', async () => {
  const verified = async (): Promise<unknown[]> => {
    const { rows } = await intruder.query(
      'SELECT v.verified_by, v.whole FROM audit.verifications v JOIN audit_entry a ON a.id = v.entry ORDER BY a.seq',
    );
    return rows;
  };
  const before = await verified();
  for (let count = 0; count < 3; count += 1) expect(await look()).toBeNull();
  expect(await verified()).toEqual(before);
  clock += 86_400_000;
  expect(await look()).toBeNull();
  expect(await verified()).toEqual([...before, { verified_by: 'timer', whole: true }]);
  await server.verifyLog({ keys: [], kept: [] });
  const withRun = [...before, { verified_by: 'timer', whole: true }, { verified_by: 'operator', whole: true }];
  expect(await verified()).toEqual(withRun);
  clock += 43_200_000;
  expect(await look()).toBeNull();
  await intruder.query(`UPDATE elicitation SET tool = tool || '2'`);
  clock += 3_600_000;
  for (let count = 0; count < 3; count += 1) expect(await look()).toMatch(/^The row/);
  expect(await verified()).toEqual([...withRun, { verified_by: 'timer', whole: false }]);
  await intruder.query(`UPDATE elicitation SET tool = rtrim(tool, '2')`);
  expect(await look()).toBeNull();
  expect(await verified()).toEqual([
    ...withRun,
    { verified_by: 'timer', whole: false },
    { verified_by: 'timer', whole: true },
  ]);
});

test('a node that starts under other settings is an entry without secrets, and equal starts are none', async () => {
  const shown = async () =>
    (await intruder.query('SELECT version, settings FROM audit.configurations ORDER BY at')).rows;
  const before = await shown();
  expect(before).toMatchObject([{ version, settings: { environment: 'trial', secrets: ['test'], keepsHead: false } }]);
  const { databaseUrl } = server;
  for (let count = 0; count < 3; count += 1)
    await (await startTestServer({ databaseUrl, environment: 'clinic', smtp, now: () => clock + 1 })).stop();
  const after = await shown();
  expect(after).toMatchObject([...before, { settings: { environment: 'clinic', mailServer: 'mail.example' } }]);
  expect(after).toHaveLength(2);
  for (const secret of [testSecrets[0]!.secret, smtp.auth.pass]) expect(JSON.stringify(after)).not.toContain(secret);
});
