import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { CreatedKey, KeyEntry, KeyList } from '../../../src/contract/users/key.ts';
import { askingAt, question, type Asking } from '../../support/asking.ts';
import { openBrowser, type Browser } from '../../support/console.ts';
import { readEvents } from '../../support/event-source.ts';
import { until } from '../../support/poll.ts';
import { entriesOf, startTwoNodes, type TwoNodes } from '../../support/two-nodes.ts';

let two: TwoNodes;
let admin: Browser;
let clock = Date.now();
beforeAll(async () => {
  two = await startTwoNodes({ now: () => clock });
  admin = await openBrowser(two.nodes[0], 'admin');
});
afterAll(() => two?.stop());

let servers = 0;
const newName = (): string => `server-${(servers += 1)}`;

async function newKey(server: string): Promise<CreatedKey & { asking: Asking }> {
  const response = await admin.call('POST', '/api/keys', { server });
  expect(response.status).toBe(201);
  const created = (await response.json()) as CreatedKey;
  return { ...created, asking: askingAt(two.nodes[0].url, created.key) };
}

const revoke = (kid: string, by = admin): Promise<Response> => by.call('POST', `/api/keys/${kid}/revoke`);
const list = async (): Promise<KeyEntry[]> => ((await (await admin.call('GET', '/api/keys')).json()) as KeyList).keys;
const find = async (kid: string) => (await list()).find((item) => item.kid === kid);
const entriesOfKey = async (kid: string) =>
  two.query(`SELECT entry FROM audit_log WHERE entry->>'kid' = $1 ORDER BY type`, [kid]);
const status = async (asking: Asking, id: string) => (await asking.call('GET', `/v1/elicitations/${id}`)).status;

describe('a key', () => {
  test('is made in the console, shown once, and never again', async () => {
    const server = newName();
    const { kid, key, asking } = await newKey(server);
    expect(key).toMatch(new RegExp(`^asn_${kid}_`));
    await asking.open();
    const lists = await Promise.all(two.nodes.map(({ url }) => admin.at(url).call('GET', '/api/keys')));
    for (const response of lists) expect(await response.text()).not.toContain(key.slice(-30));
    const actor = { kind: 'user', id: admin.user.id };
    expect(await entriesOfKey(kid)).toMatchObject([{ type: 'key.created', server, actor }]);
  });

  test('says when it was last used, to the minute', async () => {
    const { kid, asking } = await newKey(newName());
    expect(await find(kid)).toMatchObject({ lastUsedAt: null, revokedAt: null });
    const first = clock;
    const { id } = await asking.open();
    clock += 59_000;
    await status(asking, id);
    expect(await find(kid)).toMatchObject({ lastUsedAt: first });
    clock += 1_000;
    await status(asking.at(two.nodes[1].url), id);
    expect(await find(kid)).toMatchObject({ lastUsedAt: clock });
  });

  test('for a name of another shape, or from anyone but an administrator, is refused', async () => {
    expect((await admin.call('POST', '/api/keys', { server: '<b>' })).status).toBe(400);
    const { kid } = await newKey(newName());
    for (const role of ['approver', 'reviewer'] as const) {
      const browser = await openBrowser(two.nodes[0], role);
      expect((await browser.call('POST', '/api/keys', { server: newName() })).status).toBe(403);
      expect((await revoke(kid, browser)).status).toBe(403);
      expect((await browser.call('GET', '/api/keys')).status).toBe(200);
    }
    expect(await find(kid)).toMatchObject({ revokedAt: null });
  });
});

describe('a revoked key', () => {
  test('opens nothing at any node at once; what it asked stays, for the server’s other keys too', async () => {
    const server = newName();
    const [lost, kept] = [await newKey(server), await newKey(server)];
    const { id } = await lost.asking.open();
    const revoked = await revoke(lost.kid);
    expect([revoked.status, await revoked.json()]).toMatchObject([200, { kid: lost.kid, revokedAt: clock }]);
    for (const { url } of two.nodes) {
      const asking = lost.asking.at(url);
      expect([await status(asking, id), (await asking.call('POST', '/v1/elicitations', question)).status]).toEqual([
        401, 401,
      ]);
      expect(await status(kept.asking.at(url), id)).toBe(200);
    }
    expect(await entriesOf(two, id)).toMatchObject([{ type: 'elicitation.opened' }]);
    const { status: state } = await admin.show(id);
    expect(state).toBe('open');
  });

  test('is told once, however often it is revoked, at two nodes at the same time', async () => {
    const { kid } = await newKey(newName());
    const answers = await Promise.all([0, 1, 0].map((at) => revoke(kid, admin.at(two.nodes[at as 0 | 1].url))));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    clock += 1;
    expect(await (await revoke(kid)).json()).toMatchObject({ revokedAt: clock - 1 });
    expect(await entriesOfKey(kid)).toMatchObject([{ type: 'key.created' }, { type: 'key.revoked' }]);
    expect((await revoke('0123456789abcdef')).status).toBe(404);
  });

  test('hears no outcome on a stream that was open, at another node', async () => {
    const server = newName();
    const { kid, key, asking } = await newKey(server);
    const opened = await asking.open();
    const stream = await readEvents(`${two.nodes[1].url}/v1/stream`, { authorization: `Bearer ${key}` });
    await until(() => stream.events.length > 0);
    await revoke(kid);
    const vote = { action: 'decline', comment: 'no', digest: opened.digest };
    const voter = await openBrowser(two.nodes[0]);
    expect((await voter.call('POST', `/api/elicitations/${opened.id}/vote`, vote)).status).toBe(200);
    await stream.ended;
    expect(stream.events.map(({ event }) => event)).toEqual(['ready']);
  });

  test('ends a quiet stream at its next heartbeat, as the end of a session does', async () => {
    const { kid, key } = await newKey(newName());
    const other = await newKey(newName());
    const leaving = await openBrowser(two.nodes[0]);
    const never = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'nextTick', 'Date'] as const;
    jest.useFakeTimers({ doNotFake: [...never, 'performance', 'queueMicrotask', 'hrtime'] });
    try {
      const headers = [key, other.key].map((name) => ({ authorization: `Bearer ${name}` }));
      const { url } = two.nodes[1];
      const [ended, open, inbox] = await Promise.all([
        readEvents(`${url}/v1/stream`, headers[0] ?? {}),
        readEvents(`${url}/v1/stream`, headers[1] ?? {}),
        readEvents(`${url}/api/stream`, { cookie: leaving.cookie }),
      ]);
      await until(() => [ended, open, inbox].every(({ events }) => events.length === 1));
      await Promise.all([revoke(kid), leaving.call('DELETE', '/api/session')]);
      jest.advanceTimersByTime(15_000);
      await Promise.all([ended.ended, inbox.ended]);
      const isOver = await Promise.race([open.ended.then(() => true), status(other.asking, 'x').then(() => false)]);
      expect(isOver).toBe(false);
      open.cut();
    } finally {
      jest.useRealTimers();
    }
  });

  test('gets no answer from a wait that began before', async () => {
    const server = newName();
    const opened = await (await newKey(server)).asking.open();
    const { kid, asking } = await newKey(server);
    const waiting = asking.at(two.nodes[1].url).call('GET', `/v1/elicitations/${opened.id}?wait=25`);
    await until(async () => (await find(kid))?.lastUsedAt !== null); // it was let in, and waits
    await revoke(kid);
    const vote = { action: 'decline', comment: 'no', digest: opened.digest };
    const voter = await openBrowser(two.nodes[0]); // the maker of the key may not
    expect((await voter.call('POST', `/api/elicitations/${opened.id}/vote`, vote)).status).toBe(200);
    expect((await waiting).status).toBe(401);
  });
});
