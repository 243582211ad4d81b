import { afterAll, afterEach, expect, test } from '@jest/globals';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { readEvents } from '../../support/nodes/event-source.ts';
import { createMeanwhile } from '../../support/nodes/meanwhile.ts';
import { until } from '../../support/poll.ts';
import { runs } from '../../support/runs.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const pause = createMeanwhile(two);
afterEach(() => pause.end());

const meanwhile = (sql: string, ...values: unknown[]): void => pause.next(() => two.query(sql, values));

/** What the first node reads of callers while it works. */
async function readsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { servers, users } = two.nodes[0].engine;
  const [byKey, session] = [servers.byKey, users.session];
  const reads: string[] = [];
  servers.byKey = (kid) => (reads.push('key'), byKey(kid));
  users.session = (hash) => (reads.push('session'), session(hash));
  await work().finally(() => (Object.assign(servers, { byKey }), Object.assign(users, { session })));
  return reads;
}

const votesOf = async (id: string): Promise<unknown> =>
  (await two.query('SELECT count(*)::int FROM vote WHERE elicitation_id = $1', [id]))[0];
const ofServer = async (name: string): Promise<unknown> =>
  (
    await two.query('SELECT count(*)::int FROM elicitation JOIN server s ON s.id = server_id WHERE s.name = $1', [name])
  )[0];

test('a caller in use is read neither to open nor to vote nor to tell an outcome', async () => {
  const browser = await openBrowser(two.nodes[0]);
  await browser.call('GET', '/api/session');
  const { key } = two.asking;
  await two.asking.open();
  const stream = await readEvents(`${two.nodes[0].url}/v1/stream`, { authorization: `Bearer ${key}` });
  await until(() => stream.events.length > 0);
  const act = async () => {
    const opened = await two.asking.open();
    expect((await browser.vote(opened)).status).toBe(200);
    await until(() => stream.events.some(({ data }) => data.includes(opened.id)));
  };
  expect(await readsOf(act)).toEqual([]);
  stream.cut();
});

test('a key that is revoked between reading and writing opens nothing', async () => {
  for (let round = 0; round < runs(200); round += 1) {
    const name = `revoked-${round}`;
    const asking = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey(name));
    await asking.open();
    meanwhile('UPDATE api_key SET revoked_at = now() WHERE server_id = (SELECT id FROM server WHERE name = $1)', name);
    const response = await asking.call('POST', '/v1/elicitations', { ...question, call: 'another' });
    expect([response.status, await ofServer(name)]).toEqual([401, 1]);
  }
});

test('a key whose networks are narrowed between reading and writing opens nothing from elsewhere', async () => {
  for (let round = 0; round < runs(40); round += 1) {
    const name = `narrowed-${round}`;
    const asking = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey(name));
    await asking.open();
    const narrow = (networks: string) =>
      `UPDATE api_key SET networks = '${networks}' WHERE server_id = (SELECT id FROM server WHERE name = $1)`;
    meanwhile(narrow('{127.0.0.0/8}'), name);
    const near = await asking.call('POST', '/v1/elicitations', { ...question, call: 'near' });
    meanwhile(narrow('{10.0.0.0/8}'), name);
    const far = await asking.call('POST', '/v1/elicitations', { ...question, call: 'far' });
    expect([near.status, far.status, await ofServer(name)]).toEqual([201, 401, 2]);
  }
});

test('a session that ends between reading and writing decides nothing', async () => {
  const opened = await two.asking.open();
  for (let round = 0; round < runs(200); round += 1) {
    const browser = await openBrowser(two.nodes[0]);
    await browser.call('GET', '/api/session');
    meanwhile('DELETE FROM session WHERE user_id = $1', browser.user.id);
    expect([(await browser.vote(opened)).status, await votesOf(opened.id)]).toEqual([401, 0]);
  }
});

test('a person who is disabled between reading and writing decides nothing', async () => {
  const opened = await two.asking.open();
  const browser = await openBrowser(two.nodes[0]);
  for (let round = 0; round < runs(200); round += 1) {
    await browser.call('GET', '/api/session');
    meanwhile('UPDATE app_user SET disabled_at = now() WHERE id = $1', browser.user.id);
    expect([(await browser.vote(opened)).status, await votesOf(opened.id)]).toEqual([401, 0]);
    await two.query('UPDATE app_user SET disabled_at = NULL WHERE id = $1', [browser.user.id]);
  }
});

test('a person whose role changed at another node is judged by the new one', async () => {
  const opened = await two.asking.open();
  const browser = await openBrowser(two.nodes[0]);
  const become = (role: string) => two.query('UPDATE app_user SET role = $2 WHERE id = $1', [browser.user.id, role]);
  await browser.call('GET', '/api/session');
  await become('reviewer');
  expect((await browser.vote(opened)).status).toBe(403);
  meanwhile(`UPDATE app_user SET role = 'reviewer' WHERE id = $1`, browser.user.id);
  await become('approver');
  expect([(await browser.vote(opened)).status, await votesOf(opened.id)]).toEqual([403, 0]);
  await become('approver');
  expect((await browser.vote(opened)).status).toBe(200);
});

test('a caller who is no longer good hears nothing but that', async () => {
  const name = 'gone';
  const asking = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey(name));
  const opened = await asking.open();
  const browser = await openBrowser(two.nodes[0]);
  await browser.call('GET', '/api/session');
  await two.query('UPDATE api_key SET revoked_at = now() WHERE server_id = (SELECT id FROM server WHERE name = $1)', [
    name,
  ]);
  await two.query('DELETE FROM session WHERE user_id = $1', [browser.user.id]);
  const answers = await Promise.all([
    asking.call('POST', '/v1/elicitations', { ...question, call: 'x'.repeat(10_000) }),
    browser.vote({ ...opened, digest: 'other' }),
    browser.vote({ ...opened, id: `eli_${'A'.repeat(22)}` }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});
