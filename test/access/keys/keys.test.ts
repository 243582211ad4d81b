import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { TestRequest } from '#requests/tests/contract';
import type { CreatedKey, KeyEntry, KeyList, NewKey, RotatedKey } from '#access/keys/contract/key';
import { testServer } from '#platform/model/names';
import { prepareRotation, addServerKey } from '#access/keys/verbs/keys';
import { warnOfKeys } from '#access/keys/loops';
import { askingAt, question, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { readEvents } from '../../support/nodes/event-source.ts';
import { until } from '../../support/poll.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';
import { runs } from '../../support/runs.ts';
import { verify } from '../../support/nodes/log.ts';

let clock = Date.now();
const two = await startTwoNodes({ now: () => clock });
afterAll(() => two.stop());
const admin = await openBrowser(two.nodes[0], 'admin');

let servers = 0;
const newName = (): string => `server-${(servers += 1)}`;

async function newKey(server: string, terms: Partial<NewKey> = {}): Promise<CreatedKey & { asking: Asking }> {
  const response = await admin.call('POST', '/api/keys', { server, ...terms });
  expect(response.status).toBe(201);
  const created = await json<CreatedKey>(response);
  return { ...created, asking: askingAt(two.nodes[0].url, created.key) };
}

const revoke = (kid: string, by = admin): Promise<Response> => by.call('POST', `/api/keys/${kid}/revoke`);
const list = async (): Promise<KeyEntry[]> => (await json<KeyList>(admin.call('GET', '/api/keys'))).keys;
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

describe('the test request', () => {
  const send = (by = admin): Promise<Response> => by.call('POST', '/api/test-request');

  test('is a real one, and the same while it waits; once decided, the next is another', async () => {
    const first = await send();
    const { id, status } = await json<TestRequest>(first);
    expect([first.status, status]).toEqual([201, 'open']);
    expect(await (await send()).json()).toEqual({ id, status });
    const { digest, server, risk, requester } = await admin.show(id);
    expect({ server, risk, requester }).toMatchObject({
      server: 'assentry-test',
      risk: 'low',
      requester: { verified: false },
    });
    const vote = { action: 'accept', content: {}, digest };
    expect((await admin.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
    expect(await (await send()).json()).not.toMatchObject({ id });
  });

  test('comes from a server that no one can have a key of or own', async () => {
    await send();
    for (const server of ['assentry-test', 'Assentry-Test'])
      expect((await admin.call('POST', '/api/keys', { server })).status).toBe(400);
    expect(await (await admin.call('GET', '/api/servers')).text()).not.toContain('assentry-test');
    const owner = { ownerId: (await openBrowser(two.nodes[0], 'admin')).user.id };
    expect((await admin.call('PATCH', `/api/servers/${testServer.id}`, owner)).status).toBe(404);
  });

  test('is for administrators only', async () => {
    for (const role of ['approver', 'reviewer'] as const)
      expect((await send(await openBrowser(two.nodes[0], role))).status).toBe(403);
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

  test('is done by the owner of its server as well, and by no one else', async () => {
    const [node] = two.nodes;
    const [owner, other] = [await openBrowser(node), await openBrowser(node)];
    const [own, foreign] = [await newKey(newName()), await newKey(newName())];
    expect((await revoke(own.kid, owner)).status).toBe(403);
    const { servers } = await node.engine.directory.read();
    const id = servers.find(({ name }) => name === own.server)?.id;
    expect((await admin.call('PATCH', `/api/servers/${id}`, { ownerId: owner.user.id })).status).toBe(200);
    for (const [kid, by] of [
      [foreign.kid, owner],
      [own.kid, other],
      ['none', owner],
    ] as const)
      expect((await revoke(kid, by)).status).toBeGreaterThanOrEqual(400);
    expect((await own.asking.call('GET', '/v1/identity')).status).toBe(200);
    expect((await revoke(own.kid, owner)).status).toBe(200);
    expect((await own.asking.call('GET', '/v1/identity')).status).toBe(401);
    expect((await foreign.asking.call('GET', '/v1/identity')).status).toBe(200);
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

describe('AU-03 the keys that a person made', () => {
  test('open nothing at any node from the moment on that they are disabled, and work again once they are enabled', async () => {
    const maker = await openBrowser(two.nodes[0], 'admin');
    const server = newName();
    const created = await json<CreatedKey>(maker.call('POST', '/api/keys', { server }));
    const asking = askingAt(two.nodes[1].url, created.key);
    const kept = await newKey(server);
    const { id, digest } = await asking.open();
    const waiting = asking.call('GET', `/v1/elicitations/${id}?wait=25`);
    const stream = await readEvents(`${two.nodes[1].url}/v1/stream`, { authorization: `Bearer ${created.key}` });
    await until(() => stream.events.length > 0);
    const disable = (disabled: boolean) => admin.call('PATCH', `/api/users/${maker.user.id}`, { disabled });
    expect((await disable(true)).status).toBe(200);
    for (const { url } of two.nodes) {
      const late = asking.at(url);
      expect([await status(late, id), (await late.call('POST', '/v1/elicitations', question)).status]).toEqual([
        401, 401,
      ]);
      expect(await status(kept.asking.at(url), id)).toBe(200);
    }
    expect(await find(created.kid)).toMatchObject({ maker: { id: maker.user.id, disabled: true }, revokedAt: null });
    const voter = await openBrowser(two.nodes[0]); // the maker of the key may not
    const vote = { action: 'decline', comment: 'no', digest };
    expect((await voter.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
    expect((await waiting).status).toBe(401);
    await stream.ended;
    expect(stream.events.map(({ event }) => event)).toEqual(['ready']);
    expect((await disable(false)).status).toBe(200);
    expect(await status(asking, id)).toBe(200);
  });
});

describe('AU-11 a key with an end', () => {
  const minute = 60_000;

  test('opens nothing at any node from that moment on, and a wait that began before gets no answer', async () => {
    const server = newName();
    const kept = await newKey(server);
    const { id, digest } = await kept.asking.open();
    const { kid, asking } = await newKey(server, { expiresAt: clock + 5 * minute });
    expect(await entriesOfKey(kid)).toMatchObject([
      { type: 'key.created', at: new Date(clock).toISOString(), expiresAt: clock + 5 * minute, tools: ['*'] },
    ]);
    expect(await find(kid)).toMatchObject({ createdAt: clock });
    clock += 5 * minute - 1;
    expect(await status(asking.at(two.nodes[1].url), id)).toBe(200);
    const before = (await find(kid))?.lastUsedAt;
    const waiting = asking.call('GET', `/v1/elicitations/${id}?wait=25`);
    await until(async () => (await find(kid))?.lastUsedAt !== before || before === clock);
    clock += 1;
    for (const { url } of two.nodes) {
      const late = asking.at(url);
      expect([await status(late, id), (await late.call('POST', '/v1/elicitations', question)).status]).toEqual([
        401, 401,
      ]);
      expect(await status(kept.asking.at(url), id)).toBe(200);
    }
    const voter = await openBrowser(two.nodes[0]); // the maker of the key may not
    const vote = { action: 'decline', comment: 'no', digest };
    expect((await voter.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
    expect((await waiting).status).toBe(401);
  });

  test('is named to operators before it ends, once in the log of a node and at /readyz while it lasts', async () => {
    const { engine, url } = two.nodes[1];
    const server = newName();
    const lines: unknown[] = [];
    const log = { warn: (line: unknown) => void lines.push(line) } as unknown as Parameters<typeof warnOfKeys>[2];
    const named = new Set<string>();
    const { kid } = await newKey(server, { expiresAt: clock + minute });
    const later = await newKey(newName(), { expiresAt: clock + 15 * 24 * 60 * minute });
    const warnings = async () => {
      await warnOfKeys(engine, named, log);
      return (await json<{ warnings: unknown[] }>(fetch(`${url}/readyz`))).warnings;
    };
    expect(await warnings()).toEqual([{ code: 'keys-expire', keys: 1, at: clock + minute }]);
    await warnings();
    expect(lines).toEqual([{ kid, server, expires: new Date(clock + minute).toISOString() }]);
    clock += minute;
    expect(await warnings()).toEqual([]);
    expect((await revoke(later.kid)).status).toBe(200);
  });

  test.each([
    ['expiresAt', () => ({ expiresAt: clock })],
    ['expiresAt', () => ({ expiresAt: clock + 11 * 366 * 24 * 60 * minute })],
    ['tools', () => ({ tools: [] })],
    ['tools', () => ({ tools: ['a b'] })],
  ])('or a scope that is none is refused by its place: %s', async (place, terms) => {
    const response = await admin.call('POST', '/api/keys', { server: newName(), ...terms() });
    const { errors } = await json<{ errors: { path: string[] }[] }>(response);
    expect([response.status, errors[0]?.path[0]]).toEqual([400, place]);
  });
});

describe('AU-11 a key for some tools', () => {
  const refund = { tool: { name: 'refund_order' } };
  const principal = { subject: 'alice', verified: false };
  const binding = { principal, method: 'tools/call', tool: 'refund_order', argumentsDigest: '0'.repeat(64) };

  test('asks about them alone, and sees nothing that another key of its server asked about others', async () => {
    const server = newName();
    const [narrow, wide] = [await newKey(server, { tools: ['refund_*', 'lookup'] }), await newKey(server)];
    expect(await find(narrow.kid)).toMatchObject({ tools: ['refund_*', 'lookup'], expiresAt: null });
    const refused = await narrow.asking.call('POST', '/v1/elicitations', question);
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'forbidden', refusal: { code: 'other-tools' } },
    ]);
    const own = await narrow.asking.open(refund);
    const other = await wide.asking.open();
    for (const asking of [narrow.asking, narrow.asking.at(two.nodes[1].url)]) {
      expect(await status(asking, own.id)).toBe(200);
      const answers = await Promise.all([
        asking.call('GET', `/v1/elicitations/${other.id}`),
        asking.call('GET', `/v1/elicitations/${other.id}/receipt`),
        asking.call('GET', `/v1/tool-calls/${other.toolCall}`),
        asking.call('POST', `/v1/elicitations/${other.id}/cancel`, { cause: 'user' }),
        asking.call('POST', `/v1/elicitations/${other.id}/caller`, { state: 'gone' }),
        asking.call('POST', `/v1/elicitations/${other.id}/answer`, { action: 'decline' }),
        asking.claim(other.toolCall, 'a'),
        asking.call('POST', '/v1/states', { toolCall: other.toolCall, binding }),
        asking.call('POST', `/v1/tool-calls/${other.toolCall}/complete`, { attempt: 'a', delivered: true }),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual(Array(9).fill(404));
    }
    expect((await entriesOf(two, other.id)).map(({ type }) => type)).toEqual(['elicitation.opened']);
    expect(await status(wide.asking, own.id)).toBe(200);
  });

  test('hears only of them on its stream, and replaces no question about others in a session', async () => {
    const server = newName();
    const [narrow, wide] = [await newKey(server, { tools: ['refund_*'] }), await newKey(server)];
    const session = `session-${server}`;
    const terms = { audience: 'requester', session, supersede: 'session' };
    const other = await wide.asking.open(terms);
    const own = await narrow.asking.open({ ...refund, ...terms });
    expect(await (await wide.asking.call('GET', `/v1/elicitations/${other.id}`)).json()).toMatchObject({
      status: 'open',
    });
    const stream = await readEvents(`${two.nodes[1].url}/v1/stream`, { authorization: `Bearer ${narrow.key}` });
    await until(() => stream.events.length > 0);
    for (const { id } of [other, own])
      expect((await wide.asking.call('POST', `/v1/elicitations/${id}/cancel`, { cause: 'user' })).status).toBe(200);
    await until(() => stream.events.length > 1);
    expect(stream.events.slice(1).map(({ data }) => (JSON.parse(data) as { id: string }).id)).toEqual([own.id]);
    stream.cut();
  });

  test('has no pass for others, and cannot report that one was used', async () => {
    const server = newName();
    const [narrow, wide] = [await newKey(server, { tools: ['refund_*'] }), await newKey(server)];
    await two.nodes[0].applyPolicies([
      'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }\n',
    ]);
    const requester = { subject: 'alice', verified: true };
    const ran = [{ id: '0'.repeat(32), policy: 'reading@1', run: '0'.repeat(64) }];
    const pass = { tool: { name: 'lookup', annotations: { readOnlyHint: true } }, requester, ran };
    const ask = async ({ asking }: { asking: Asking }) =>
      (await asking.call('POST', '/v1/passes', { passes: [pass] })).json();
    expect(await ask(narrow)).toMatchObject({ passes: [null] });
    expect(await two.query(`SELECT entry FROM audit_log WHERE type = 'call.passed'`)).toEqual([]);
    expect(await ask(wide)).toMatchObject({ passes: [{ policy: 'reading@1' }] });
  });
});

describe('a key for some networks', () => {
  /** Tests call from 127.0.0.1, a proxy that is trusted: it says from where. */
  const statusFrom = async (key: string, address: string, node: 0 | 1 = 0): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
    return (await fetch(`${two.nodes[node].url}/v1/elicitations/eli_${'A'.repeat(22)}`, { headers })).status;
  };
  const networks = ['10.0.0.0/8', '192.0.2.7/32', '2001:db8:7::/48'];

  test.each([
    ['10.1.2.3', 404],
    ['::ffff:10.1.2.3', 404],
    ['::ffff:a01:203', 404],
    ['192.0.2.7', 404],
    ['2001:db8:7::1', 404],
    ['11.0.0.1', 401],
    ['::ffff:11.0.0.1', 401],
    ['192.0.2.8', 401],
    ['2001:db8:8::1', 401],
    ['not-an-address', 401],
    ['10.1.2.3:443', 404], // some proxies write the port
    ['192.0.2.8:443', 401],
    ['010.1.2.3', 401],
    ['10.1.2.3, 198.51.100.9', 401], // the caller wrote the first
    ['127.0.0.1, 198.51.100.9', 401],
    ['10.1.2.3, 127.0.0.1, ::1', 404], // two proxies of this machine
  ])('works from %s: %i', async (address, answer) => {
    const { kid, key } = await newKey(newName(), { networks });
    expect(await find(kid)).toMatchObject({ networks, replacedBy: null });
    expect(await entriesOfKey(kid)).toMatchObject([{ type: 'key.created', networks }]);
    expect([await statusFrom(key, address), await statusFrom(key, address, 1)]).toEqual([answer, answer]);
    expect((await find(kid))?.lastUsedAt).toBe(answer === 404 ? clock : null);
  });

  test('of IPv6 alone works from no address of IPv4, however that is written', async () => {
    const { key } = await newKey(newName(), { networks: ['::/0'] });
    expect(await statusFrom(key, '2001:db8::1')).toBe(404);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '::ffff:a01:203'])
      expect(await statusFrom(key, address)).toBe(401);
  });

  test('is refused elsewhere in the words for an unknown key; the log says which it is, and that it is good', async () => {
    const { kid, key } = await newKey(newName(), { networks });
    const refused = async (bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}`, 'x-forwarded-for': '198.51.100.77' };
      return (await fetch(`${two.nodes[0].url}/v1/elicitations/eli_x`, { headers })).text();
    };
    const outside = (text: string) => text.replace(/err_\w+|"requestId":"[^"]*"/g, '');
    expect(outside(await refused(key))).toBe(outside(await refused('asn_0123456789abcdef_x')));
    const sql = `SELECT entry FROM audit_log WHERE type = 'access.refused' AND entry->'about' @> to_jsonb($1::text)`;
    expect(await two.query(sql, [kid])).toMatchObject([{ what: 'key-elsewhere', source: expect.any(String) }]);
  });

  test('opens nothing, gets no outcome and no wait from elsewhere, also at a node that keeps the key', async () => {
    const { key } = await newKey(newName(), { networks });
    const { url } = two.nodes[0];
    const from = (address: string) => ({ authorization: `Bearer ${key}`, 'x-forwarded-for': address });
    const open = async (address: string, call: string) => {
      const headers = { ...from(address), 'content-type': 'application/json' };
      const body = JSON.stringify({ ...question, call });
      return (await fetch(`${url}/v1/elicitations`, { method: 'POST', headers, body })).status;
    };
    expect([await open('10.0.0.1', 'near'), await open('11.0.0.1', 'far')]).toEqual([201, 401]);
    expect((await fetch(`${url}/v1/stream`, { headers: from('11.0.0.1') })).status).toBe(401);
  });

  test.each([
    ['10.0.0.0'],
    ['10.0.0.0/33'],
    ['10.0.0.300/8'],
    ['2001:db8::/129'],
    ['::ffff:10.0.0.0/104'],
    ['10.0.0.0/8/8'],
    ['office/8'],
    [''],
  ])('is refused if one is none: %s', async (network) => {
    const response = await admin.call('POST', '/api/keys', { server: newName(), networks: [network] });
    const { errors } = await json<{ errors: { path: string[] }[] }>(response);
    expect([response.status, errors[0]?.path[0]]).toEqual([400, 'networks']);
  });
});

describe('the rotation of a key', () => {
  const [minute, hour] = [60_000, 3_600_000];
  const rotate = (kid: string, body: object = {}, by = admin): Promise<Response> =>
    by.call('POST', `/api/keys/${kid}/rotate`, body);
  const rotated = async (kid: string, body: object = {}): Promise<RotatedKey> => {
    const response = await rotate(kid, body);
    expect(response.status).toBe(201);
    return json<RotatedKey>(response);
  };
  const refusalOf = async (response: Promise<Response>) =>
    (await json<{ refusal?: { code: string } }>(response)).refusal?.code;
  const opens = (key: string) =>
    Promise.all(two.nodes.map(({ url }) => status(askingAt(url, key), `eli_${'A'.repeat(22)}`)));

  test('makes a key with the same limits; both work until the old one ends at every node', async () => {
    const limits = { tools: ['refund_*'], networks: ['127.0.0.0/8'], expiresAt: clock + 90 * 24 * hour };
    const server = newName();
    const old = await newKey(server, limits);
    clock += 5 * minute;
    const next = await rotated(old.kid, { overlapMs: 10 * minute });
    const endsAt = clock + 10 * minute;
    expect(next).toMatchObject({ server, replaces: old.kid, endsAt });
    expect(await find(old.kid)).toMatchObject({ expiresAt: endsAt, replacedBy: next.kid, revokedAt: null });
    const same = { tools: limits.tools, networks: limits.networks, maker: { id: admin.user.id }, replacedBy: null };
    expect(await find(next.kid)).toMatchObject({
      ...same,
      expiresAt: clock + 90 * 24 * hour,
      server: { name: server },
    });
    const at = new Date(clock).toISOString();
    expect(await entriesOfKey(next.kid)).toMatchObject([{ type: 'key.created', at, server, replaces: old.kid }]);
    expect(await entriesOfKey(old.kid)).toMatchObject([
      { type: 'key.created' },
      { type: 'key.rotated', at, server, next: next.kid, endsAt, actor: { kind: 'user', id: admin.user.id } },
    ]);
    clock = endsAt - 1;
    expect([await opens(old.key), await opens(next.key)]).toEqual([
      [404, 404],
      [404, 404],
    ]);
    clock += 1;
    expect([await opens(old.key), await opens(next.key)]).toEqual([
      [401, 401],
      [404, 404],
    ]);
  });

  test('leaves an earlier end, and ends the old key at once without an overlap', async () => {
    const early = await newKey(newName(), { expiresAt: clock + hour });
    expect(await rotated(early.kid)).toMatchObject({ endsAt: clock + hour });
    const usual = await newKey(newName());
    expect(await rotated(usual.kid)).toMatchObject({ endsAt: clock + 24 * hour });
    const old = await newKey(newName());
    expect(await opens(old.key)).toEqual([404, 404]); // both nodes keep it
    expect(await rotated(old.kid, { overlapMs: 0 })).toMatchObject({ endsAt: clock });
    expect(await opens(old.key)).toEqual([401, 401]);
    expect((await find((await find(old.kid))?.replacedBy ?? ''))?.expiresAt).toBeNull();
  });

  test('is refused for a key that was rotated, was revoked, has expired or never existed, and from a person who may not', async () => {
    const first = await newKey(newName());
    const next = await rotated(first.kid);
    const again = await json<{ refusal: unknown; detail: string }>(rotate(first.kid));
    expect(again.refusal).toMatchObject({ code: 'key-rotated', values: { next: next.kid } });
    await revoke(first.kid);
    expect(await refusalOf(rotate(first.kid))).toBe('key-revoked');
    expect((await rotate(next.kid)).status).toBe(201);
    const short = await newKey(newName(), { expiresAt: clock + minute });
    clock += minute;
    expect(await refusalOf(rotate(short.kid))).toBe('key-expired');
    expect((await rotate('0123456789abcdef')).status).toBe(404);
    const { kid } = await newKey(newName());
    for (const overlapMs of [-1, 1.5, 31 * 24 * hour]) expect((await rotate(kid, { overlapMs })).status).toBe(400);
    expect((await rotate(kid, {}, await openBrowser(two.nodes[0], 'approver'))).status).toBe(403);
    expect(await find(kid)).toMatchObject({ expiresAt: null, replacedBy: null });
  });

  test('twice at two nodes at once makes one key; with a revocation at once, one comes first and the log says which', async () => {
    for (let round = 0; round < runs(40); round += 1) {
      const { kid } = await newKey(newName());
      const answers = await Promise.all([0, 1].map((at) => rotate(kid, {}, admin.at(two.nodes[at as 0 | 1].url))));
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
      const other = await newKey(newName());
      const [ended, following] = await Promise.all([revoke(other.kid, admin.at(two.nodes[1].url)), rotate(other.kid)]);
      expect(ended.status).toBe(200);
      const stored = await find(other.kid);
      const types = (await entriesOfKey(other.kid)).map((entry) => (entry as { type: string }).type);
      if (following.status === 201) {
        expect(stored?.replacedBy).toBe((await json<RotatedKey>(following)).kid);
        expect(types).toEqual(['key.created', 'key.revoked', 'key.rotated']);
      } else {
        expect(['key-revoked', 'change-outdated']).toContain(await refusalOf(Promise.resolve(following)));
        expect([stored?.replacedBy, types]).toEqual([null, ['key.created', 'key.revoked']]);
        expect((await list()).filter(({ server }) => server.name === other.server)).toHaveLength(1);
      }
    }
    expect(await verify(two.nodes[0].engine)).toMatchObject({ fault: null });
  });

  test('that fails half way leaves no new key, and the old one as it was', async () => {
    const { kid, server } = await newKey(newName());
    const { engine } = two.nodes[0];
    const { record } = await prepareRotation(engine, 'operator', kid);
    await two.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut off'; END $$`);
    await two.query(`CREATE TRIGGER failing BEFORE INSERT ON audit_entry FOR EACH ROW
      WHEN (NEW.type = 'key.rotated') EXECUTE FUNCTION fail()`);
    try {
      await expect(addServerKey(engine, 'operator', record)).rejects.toThrow();
    } finally {
      await two.query('DROP TRIGGER failing ON audit_entry');
      await two.query('DROP FUNCTION fail()');
    }
    expect((await list()).filter((key) => key.server.name === server)).toMatchObject([
      { kid, expiresAt: null, replacedBy: null },
    ]);
    expect(await entriesOfKey(kid)).toMatchObject([{ type: 'key.created' }]);
  });
});
