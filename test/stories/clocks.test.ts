import { afterAll, expect, test } from '@jest/globals';
import type { ElicitationState } from '#requests/asking/contract/open';
import { askingAt } from '../support/nodes/asking.ts';
import { spawnNode } from '../support/nodes/node-process.ts';
import { until } from '../support/poll.ts';
import { signIn, startTestServer } from '../support/nodes/server.ts';
import { json } from '../support/json.ts';
import { openDatabase } from '#platform/database/database';

const minute = 60_000;

const stateAt = (url: string, id: string): Promise<ElicitationState> =>
  json<ElicitationState>(asking.at(url).call('GET', `/v1/elicitations/${id}`));

const atRight = (): string => right.url;
const ahead = (): string => wrong[0]?.node.url ?? '';

const right = await startTestServer();
const database = openDatabase(right.databaseUrl);
const start = async (ahead: number) => ({
  ahead,
  node: await spawnNode(right.databaseUrl, { logLevel: 'warn' }, { ahead }),
});
const wrong = await Promise.all([start(10 * minute), start(-10 * minute)]);
afterAll(async () => {
  for (const { node } of wrong ?? []) await node.stop();
  await database.close();
  await right.stop();
});
const asking = askingAt(right.url, await right.newServerKey());
const ada = await right.newUser();
const behind = (): string => wrong[1]?.node.url ?? '';

/** Milliseconds until the deadline of this question, by the database. */
async function timeLeft(id: string): Promise<number> {
  const { rows } = await database.pool.query<{ left: number }>(
    `SELECT (extract(epoch FROM deadline_at - clock_timestamp()) * 1000)::float8 AS left FROM elicitation WHERE id = $1`,
    [id],
  );
  return rows[0]?.left ?? Number.NaN;
}

test.each([
  ['a node that is right', atRight],
  ['a node ten minutes ahead', ahead],
  ['a node ten minutes behind', behind],
])('what %s opens for five minutes is open for five minutes at each', async (_name, url) => {
  const { id } = await asking.at(url()).open({ ttl: 5 * minute });
  const remaining = await timeLeft(id);
  expect(remaining).toBeGreaterThan(4 * minute);
  expect(remaining).toBeLessThanOrEqual(5 * minute);
  for (const other of [atRight, ahead, behind]) {
    const { status, deadlineAt } = await stateAt(other(), id);
    expect(status).toBe('open');
    expect(Math.abs(deadlineAt - Date.now() - remaining)).toBeLessThan(minute);
  }
});

test.each([
  ['ten minutes ahead', ahead],
  ['ten minutes behind', behind],
])('a node %s takes a vote before the deadline, and none after it', async (_name, url) => {
  const [soon, later] = [await asking.at(url()).open({ ttl: 1000 }), await asking.at(url()).open({ ttl: 5 * minute })];
  const { cookie } = await signIn(url(), ada);
  const vote = ({ id, digest }: { id: string; digest: string }) =>
    fetch(`${url()}/api/elicitations/${id}/vote`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', origin: url() },
      body: JSON.stringify({ action: 'accept', content: {}, digest }),
    });
  expect((await vote(later)).status).toBe(200);
  await until(async () => (await timeLeft(soon.id)) < -100);
  expect([(await vote(soon)).status, (await stateAt(url(), soon.id)).status]).toEqual([409, 'expired']);
});

test.each([
  ['ten minutes ahead', ahead],
  ['ten minutes behind', behind],
])('a node %s counts the days until members leave their group by the clock of the database', async (name, url) => {
  const { call } = await signIn(url(), await right.newUser('admin'));
  const { id } = await json<{ id: string }>(call('POST', '/api/groups', { name, description: '' }));
  expect((await call('PUT', `/api/groups/${id}/confirmation`, { days: 30, owners: [] })).status).toBe(200);
  const { rows } = await database.pool.query<{ off: number }>(
    `SELECT abs(extract(epoch FROM clock_timestamp() - confirmed_at))::float8 AS off FROM app_group WHERE id = $1`,
    [id],
  );
  expect(rows[0]?.off).toBeLessThan(30);
});

test('a node whose clock is wrong says so once in its log, and at /readyz with the seconds; one that is right is silent', async () => {
  type Ready = { warnings: { code: string; seconds: number }[]; advice?: string[] };
  const readyAt = (url: string) => json<Ready>(fetch(`${url}/readyz`));
  const warningsAt = async (url: string) => (await readyAt(url)).warnings;
  for (const { node, ahead: by } of wrong) {
    await until(async () => (await warningsAt(node.url)).length > 0);
    const [warning] = await warningsAt(node.url);
    expect(warning?.code).toBe('clock-differs');
    expect(Math.abs((warning?.seconds ?? 0) - by / 1000)).toBeLessThanOrEqual(2);
    expect((await readyAt(node.url)).advice).toEqual([
      expect.stringMatching(/^The clock of this node is .* s (ahead of|behind) .* Set the clock of its machine\./),
    ]);
    expect(node.log().match(/set the clock of this machine/g)).toHaveLength(1);
  }
  expect(await readyAt(right.url)).not.toHaveProperty('advice');
  expect(await warningsAt(right.url)).toEqual([]);
});
