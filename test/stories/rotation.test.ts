import pg from 'pg';
import { openPassed } from '#requests/asking/verbs/passed-calls';
import { afterAll, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { provenTotp } from '#access/factors/verbs';
import { addTotpRow } from '../support/nodes/totp-row.ts';
import { askingAt, question, type Asking } from '../support/nodes/asking.ts';
import type { DeviceList } from '#notify/contract/settings';
import { newSubscription } from '../notify/push-browser.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { runs } from '../support/runs.ts';
import { startTestServer, type TestServer } from '../support/nodes/server.ts';
import { json } from '../support/json.ts';

interface Named {
  kid: string;
  secret: string;
}

const [k1, k2, k3]: [Named, Named, Named] = [
  { kid: 'k1', secret: 'the-first-secret-of-this-installation' },
  { kid: 'k2', secret: 'the-second-secret-of-this-installation' },
  { kid: 'k3', secret: 'the-third-secret-of-this-installation-' },
];

const start = (secrets: Named[]): Promise<TestServer> => startTestServer({ databaseUrl: database.url, secrets });

const database = await freshDatabase();
const nodes: [TestServer, TestServer] = [await start([k1]), await start([k1])];
afterAll(async () => {
  for (const node of nodes ?? []) await node.stop();
  await database.drop();
});
let asking: Asking = askingAt(nodes[0].url, await nodes[0].newServerKey());
let browser: Browser = await openBrowser(nodes[0]);

/** One node after the other, as an operator rolls them. */
async function roll(secrets: Named[]): Promise<void> {
  for (const at of [0, 1] as const) {
    await nodes[at].stop();
    nodes[at] = await start(secrets);
  }
  asking = asking.at(nodes[0].url);
  browser = browser.at(nodes[0].url);
}

const problem = (detail: RegExp) => ({ code: 'not-now', message: expect.stringMatching(detail) });
const stateOf = async (kid: string) => (await nodes[0].secrets.list()).secrets.find((secret) => secret.kid === kid);

/** A node that has more at a time than it can do refuses some. */
const atATime = 25;

async function openMany(count: number, name: string, at = [asking, asking.at(nodes[1].url)]) {
  const opened: OpenedElicitation[] = [];
  while (opened.length < count) {
    const indices = Array.from({ length: Math.min(atATime, count - opened.length) }, (_, more) => opened.length + more);
    const open = (index: number) => at[index % at.length]!.open({ call: `${name}-${index}` });
    opened.push(...(await Promise.all(indices.map(open))));
  }
  return opened;
}

/** Each is read at both nodes, joined under its name, and found in a list. */
async function expectReadable(opened: OpenedElicitation[], name: string): Promise<void> {
  for (const url of nodes.map((node) => node.url)) {
    const views = await Promise.all(opened.map(({ id }) => browser.at(url).show(id)));
    expect(new Set(views.map(({ message }) => message))).toEqual(new Set([question.message]));
  }
  const joined = await openMany(opened.length, name, [asking]);
  expect(joined.map(({ id, joined: isJoined }) => [id, isJoined])).toEqual(opened.map(({ id }) => [id, true]));
  const page = await browser.call('GET', '/api/elicitations?view=all&limit=100');
  const { items } = await json<Inbox>(page);
  expect(items.filter(({ isUnreadable }) => isUnreadable)).toEqual([]);
}

const passedUnderFirst = {
  id: 'ab'.repeat(16),
  policy: 'reading@1',
  run: 'cd'.repeat(32),
  arguments: '{"path":"/under/k1"}',
  length: 20,
};

/** The arguments of the calls that passed, as the ring of a node opens them. */
async function readPassed(): Promise<string[]> {
  const { passedCalls, ring } = nodes[0].engine;
  const client = new pg.Client({ connectionString: nodes[0].databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM passed_call').finally(() => client.end());
  const calls = await Promise.all(rows.map(({ id }) => passedCalls.find(id)));
  return calls.flatMap((call) => (call ? [openPassed(ring, call).arguments] : []));
}

/** How many requests are open meanwhile. */
const openCount = runs(200);

const devices = () => json<DeviceList>(browser.call('GET', '/api/notifications/devices'));

test('three secrets in turn, under 200 open requests at two nodes: each is retired, and everything stays readable', async () => {
  const first = await openMany(openCount, 'first');
  await nodes[0].webhooks.add('https://192.0.2.1/');
  const { subscription } = newSubscription({ url: 'https://192.0.2.1/' });
  expect((await browser.call('POST', '/api/notifications/devices', subscription)).status).toBe(201);
  const view = { name: 'Kept', filters: { view: 'all' } };
  expect((await browser.call('POST', '/api/views', view)).status).toBe(201);
  await addTotpRow(nodes[0].engine, browser.user.id);
  await asking.call('POST', '/v1/passes', {
    passes: [{ tool: { name: 'list' }, requester: { subject: 'ada' }, ran: [passedUnderFirst] }],
  });
  const { key } = await devices();
  const decided = await asking.open({ call: 'decided' });
  const vote = { action: 'accept', content: {}, digest: decided.digest, comment: 'said under k1' };
  expect((await browser.call('POST', `/api/elicitations/${decided.id}/vote`, vote)).status).toBe(200);

  // A node that does not know the new secret yet keeps it from sealing.
  await expect(nodes[0].secrets.rotate()).rejects.toMatchObject(problem(/^Add a secret/));
  await nodes[0].stop();
  nodes[0] = await start([k1, k2]);
  await expect(nodes[0].secrets.rotate()).rejects.toMatchObject(problem(/1 of 2 do not know it/));
  await roll([k1, k2]);
  const before = openMany(20, 'meanwhile');
  expect(await nodes[1].secrets.rotate()).toEqual({ kid: 'k2', before: 'k1' });
  expect(nodes.map(({ engine }) => engine.ring.active)).toEqual(['k2', 'k2']);
  await expectReadable(await before, 'meanwhile');

  // Nothing that is needed is retired.
  await expect(nodes[0].secrets.retire('k2')).rejects.toMatchObject(problem(/^Rotate to another/));
  await expect(nodes[0].secrets.retire('k1')).rejects.toMatchObject(problem(/rewrap" first: k1 still seals \d\d/));
  const done: number[] = [];
  const { rewrapped, unreadable } = await nodes[0].secrets.rewrap((count) => done.push(count));
  expect([rewrapped > openCount, unreadable, done.at(-1)]).toEqual([true, [], rewrapped]);
  expect(await nodes[0].secrets.rewrap()).toEqual({ rewrapped: 0, unreadable: [] });
  await nodes[0].secrets.retire('k1');
  expect(await stateOf('k1')).toMatchObject({ state: 'retired', sealed: 0 });

  await roll([k2]);
  await expectReadable(first, 'first');
  expect(await browser.show(decided.id)).toMatchObject({ status: 'accepted', votes: [{ comment: 'said under k1' }] });

  const second = await openMany(20, 'second');
  await roll([k3, k2]);
  await nodes[0].secrets.rotate('k3');
  await nodes[1].secrets.rewrap();
  await nodes[1].secrets.retire('k2');
  await roll([k3]);
  await expectReadable(first, 'first');
  await expectReadable(second, 'second');
  expect(await nodes[0].webhooks.list()).toMatchObject([{ host: '192.0.2.1' }]);
  expect(await readPassed()).toEqual([passedUnderFirst.arguments]);
  expect(await devices()).toMatchObject({ key, devices: [{ agent: 'node' }] });
  expect(await json(browser.call('GET', '/api/views'))).toMatchObject({ views: [view] });
  expect(await provenTotp(nodes[0].engine, browser.user.id)).toMatchObject({ secrets: { recovery: { hashes: [] } } });
  const claim = await asking.claim(decided.toolCall, 'a');
  expect(await claim.json()).toMatchObject({ state: 'claimed' });
  expect(await nodes[0].verifyLog({ keys: [], kept: [] })).toMatchObject({ fault: null });
  expect((await nodes[0].secrets.list()).secrets.map(({ kid, state }) => [kid, state])).toEqual([
    ['k1', 'retired'],
    ['k2', 'retired'],
    ['k3', 'active'],
  ]);
  await expect(start([k1, k3]).then((node) => node.stop())).resolves.toBeUndefined();
});
