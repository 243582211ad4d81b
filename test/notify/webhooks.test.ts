import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { NotificationList, WaitingWebhook } from '#notify/webhooks/contract/webhooks';
import type { WebhookId } from '#platform/model/id';
import { question } from '../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { dumpDatabase } from '../support/databases/database-dump.ts';
import { until } from '../support/poll.ts';
import { publish } from '../support/requests/policies.ts';
import { asWritten, startTwoNodes } from '../support/nodes/two-nodes.ts';
import { untilQuiet } from './until-quiet.ts';
import { openReceiver, reach } from './receiver.ts';
import { json } from '../support/json.ts';

const minute = 60_000;
let ahead = 0;
const receiver = await openReceiver();
const house = await startTwoNodes({ webhooks: reach, environment: 'production', now: () => Date.now() + ahead });
afterAll(async () => {
  await house.stop();
  await receiver.stop();
});
const [node] = house.nodes;
const ada = await openBrowser(node, 'admin', 'password');
const ben = await openBrowser(node, 'admin', 'password');
const eve = await openBrowser(node);

interface Event {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** What came at this path, as the reference library verifies it. */
const verified = (path: string, secret: string): Event[] =>
  receiver.received
    .filter((delivery) => delivery.path === path)
    .map(({ body, headers }) => new Webhook(secret).verify(body, headers as Record<string, string>) as Event);

let paths = 0;
async function addHook(): Promise<{ id: WebhookId; path: string; secret: string }> {
  const path = `/hook/${++paths}`;
  const { id, secret } = await house.nodes[0].webhooks.add(new URL(path, receiver.url).href);
  return { id, path, secret: secret ?? '' };
}

async function vote(by: Browser, id: string, body: object): Promise<void> {
  const { digest } = await by.show(id);
  expect((await by.call('POST', `/api/elicitations/${id}/vote`, { digest, ...body })).status).toBe(200);
}

/** What the log says of what this webhook was told. */
const loggedTo = ({ id }: { id: WebhookId }): Promise<unknown[]> =>
  house.query(
    `SELECT to_json(d) FROM audit.deliveries d JOIN audit_entry a ON a.id = d.entry WHERE target = $1 ORDER BY a.seq`,
    [id],
  );

const statesOf = (hook: { id: WebhookId }) =>
  house.query('SELECT state FROM notification WHERE target = $1 ORDER BY created_at, id', [hook.id]);

test('a program is told, once and signed, of each request that waits and how it ended; never of its content', async () => {
  const hook = await addHook();
  const canary = randomBytes(6).toString('hex');
  const content = { arguments: { canary }, message: canary, reason: canary, requester: { subject: canary } };
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const opening = { ...question, tool: { name: 'transfer' }, ...content };
  const { id } = await json<{ id: string }>(house.asking.call('POST', '/v1/elicitations', opening, { traceparent }));
  await untilQuiet(house);
  await vote(eve, id, { action: 'decline', comment: 'not now' });
  await untilQuiet(house);
  const events = verified(hook.path, hook.secret);
  const data = { request: id, server: 'payments', tool: 'transfer', stage: 0, revision: 1 };
  expect(events).toMatchObject([
    { type: 'request.waiting', data: { ...data, status: 'open' } },
    { type: 'request.ended', data: { ...data, status: 'declined' } },
  ]);
  expect(house.nodes.map((node) => `${node.url}/requests/${id}`)).toContain(events[0]?.data['url']);
  const delivered = receiver.received.filter(({ path }) => path === hook.path);
  expect(delivered.map(({ headers }) => headers['traceparent'])).toEqual([traceparent, traceparent]);
  expect(JSON.stringify(receiver.received)).not.toContain(canary);
  const deliveriesTo = async (by: Browser) => (await by.call('GET', `/api/elicitations/${id}/deliveries`)).json();
  expect(await deliveriesTo(eve)).toEqual({ deliveries: [] });
  const call = { channel: 'webhook', state: 'sent', to: new URL(receiver.url).host };
  expect(await deliveriesTo(ada)).toMatchObject({
    deliveries: [
      { kind: 'turn', ...call },
      { kind: 'outcome', ...call },
    ],
  });
  const delivery = {
    request: id,
    server: 'payments',
    tool: 'transfer',
    channel: 'webhook',
    person: null,
    arrived: true,
  };
  expect(await loggedTo(hook)).toMatchObject([
    { ...delivery, kind: 'turn', fault: null },
    { ...delivery, kind: 'outcome', fault: null },
  ]);
  await house.nodes[0].webhooks.remove(hook.id);
});

test('nothing but the secret verifies; neither it nor the address is readable in the database', async () => {
  const hook = await addHook();
  await house.nodes[0].webhooks.test(hook.id);
  await untilQuiet(house);
  expect(verified(hook.path, hook.secret)).toMatchObject([{ type: 'test', data: {} }]);
  expect(() => verified(hook.path, `whsec_${randomBytes(32).toString('base64')}`)).toThrow();
  const dump = await dumpDatabase(house.nodes[0].databaseUrl);
  expect(dump).toContain(hook.id);
  for (const secret of [hook.secret.slice(6), hook.path]) expect(dump).not.toContain(secret);
  await house.nodes[0].webhooks.remove(hook.id);
});

const failuresOf = async ({ id }: { id: WebhookId }) =>
  (await house.query('SELECT failures FROM notification WHERE target = $1', [id]))[0];

test('a refusal is tried again under the same id, as late as the other side asks', async () => {
  const hook = await addHook();
  receiver.answer(500, 1);
  receiver.answer(429, 1, { 'retry-after': '50' });
  await house.nodes[0].webhooks.test(hook.id);
  await until(async () => (await failuresOf(hook)) === 1);
  ahead += 5000;
  await until(async () => (await failuresOf(hook)) === 2);
  const [due] = await house.query('SELECT due_at FROM notification WHERE target = $1', [hook.id]);
  expect((due as Date).getTime()).toBeGreaterThan(Date.now() + ahead + 40_000);
  ahead += minute;
  await untilQuiet(house);
  const tried = receiver.received.filter(({ path }) => path === hook.path);
  expect(tried).toHaveLength(3);
  expect(new Set(tried.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(verified(hook.path, hook.secret)).toHaveLength(3);
  await house.nodes[0].webhooks.remove(hook.id);
});

test('nothing is sent any more once it is removed', async () => {
  const hook = await addHook();
  receiver.answer(500, 1);
  await house.nodes[0].webhooks.test(hook.id);
  await until(async () => (await failuresOf(hook)) === 1);
  await house.nodes[0].webhooks.remove(hook.id);
  ahead += minute;
  await untilQuiet(house);
  expect(await statesOf(hook)).toEqual(['moot']);
  expect(receiver.received.filter(({ path }) => path === hook.path)).toHaveLength(1);
});

test('a redirect is not followed, and what is given up waits for an administrator', async () => {
  const hook = await addHook();
  receiver.answer(302, 1, { location: `${receiver.url}/elsewhere` });
  await house.nodes[0].webhooks.test(hook.id);
  await until(async () => (await house.query(`SELECT id FROM notification WHERE fault = '302'`)).length === 1);
  receiver.answer(410, 1);
  ahead += minute;
  await until(async () => (await statesOf(hook))[0] === 'failed');
  expect(receiver.received.filter(({ path }) => path.includes('elsewhere'))).toEqual([]);
  expect((await eve.call('GET', '/api/notifications?state=failed')).status).toBe(403);
  expect((await eve.call('POST', '/api/notifications/replay', {})).status).toBe(403);
  const { notifications } = await json<NotificationList>(await ada.call('GET', '/api/notifications?state=failed'));
  const [failed] = notifications;
  expect(failed).toMatchObject({
    fault: '410',
    channel: 'webhook',
    to: { id: hook.id, name: `localhost:${receiver.port}` },
  });
  const replay = await ada.call('POST', '/api/notifications/replay', { ids: [failed!.id] });
  expect(await replay.json()).toEqual({ count: 1 });
  await untilQuiet(house);
  expect(await statesOf(hook)).toEqual(['sent']);
  expect(await loggedTo(hook)).toMatchObject([
    { request: null, kind: 'test', arrived: false, failures: 2, fault: '410' },
    { request: null, kind: 'test', arrived: true, failures: 0, fault: null },
  ]);
  await house.nodes[0].webhooks.remove(hook.id);
});

test('a private address is told nothing, by whatever name', async () => {
  const [node] = house.nodes;
  const { id } = await node.webhooks.add('https://169.254.169.254/latest');
  await node.webhooks.test(id);
  await until(async () => (await statesOf({ id }))[0] === 'failed');
  const [failed] = await node.notifications.list({ isFailed: true });
  expect(failed).toMatchObject({ fault: 'address-not-allowed', to: { id } });
  await node.webhooks.remove(id);
});

test.each([
  'http://hooks.example.com/',
  'https://ada:secret@hooks.example.com/',
  'https://hooks.example.com/#a',
  'hooks',
])('%s is no address of a webhook', async (url) => {
  await expect(house.nodes[0].webhooks.add(url)).rejects.toThrowProblem('INVALID_INPUT');
});

test('a chat is told in words, and PagerDuty with its key', async () => {
  const [node] = house.nodes;
  const chat = await node.webhooks.add(new URL('/chat', receiver.url).href, { format: 'chat', language: 'de' });
  const key = randomBytes(16).toString('hex');
  const pager = await node.webhooks.add(new URL('/pager', receiver.url).href, { format: 'pagerduty', key });
  const { id } = await house.asking.open({ tool: { name: 'transfer' } });
  await node.webhooks.test(pager.id);
  await untilQuiet(house);
  const at = (path: string) => receiver.received.filter((delivery) => delivery.path === path);
  expect(at('/chat').map(({ body }) => JSON.parse(body))).toEqual([
    { text: expect.stringContaining('Freigabe nötig: transfer') },
  ]);
  expect(at('/chat')[0]?.body).toContain(id);
  expect(at('/pager').map(({ body }) => JSON.parse(body))).toMatchObject([
    { routing_key: key, event_action: 'trigger' },
  ]);
  expect(await dumpDatabase(node.databaseUrl)).not.toContain(key);
  for (const webhook of [chat, pager]) await node.webhooks.remove(webhook.id);
});

test.each([
  { format: 'pagerduty' },
  { format: 'pagerduty', key: 'short' },
  { format: 'chat', key: '0'.repeat(32) },
  { key: '0'.repeat(32) },
] as const)('the key is for PagerDuty, and only for it: %j', async (manner) => {
  await expect(house.nodes[0].webhooks.add('https://192.0.2.1/', manner)).rejects.toThrowProblem('INVALID_INPUT');
});

test('a webhook is added by two administrators and removed by one; the one who asked has seen the secret', async () => {
  const path = `/hook/${++paths}`;
  const { href: url } = new URL(path, receiver.url);
  expect((await eve.call('POST', '/api/webhooks', { url })).status).toBe(403);
  expect((await eve.call('GET', '/api/webhooks')).status).toBe(403);
  const answer = await ada.call('POST', '/api/webhooks', { url });
  expect(answer.status).toBe(202);
  const { id, secret, request } = await json<WaitingWebhook>(answer);
  expect(await house.nodes[0].webhooks.list()).toEqual([]);
  expect(JSON.stringify(await ben.show(request))).toContain(url);
  expect(JSON.stringify(await ben.show(request))).not.toContain(secret);
  await vote(ben, request, { action: 'accept', content: {} });
  await until(async () => (await house.nodes[0].webhooks.list()).length === 1);
  expect((await ada.call('POST', `/api/webhooks/${id}/test`)).status).toBe(202);
  await untilQuiet(house);
  expect(verified(path, secret ?? '').map(({ type }) => type)).toContain('test');
  expect((await ada.call('DELETE', `/api/webhooks/${id}`)).status).toBe(204);
  const types = `SELECT type, entry #>> '{actor,agreed,request}' FROM audit_log WHERE type LIKE 'webhook.%' ${asWritten} DESC LIMIT 2`;
  await until(async () => (await house.query(types)).length === 4);
  expect(await house.nodes[0].verifyLog({ keys: [], kept: [] })).toMatchObject({ fault: null });
  expect((await house.query(types)).filter(Boolean).sort()).toEqual(
    [request, 'webhook.added', 'webhook.removed'].sort(),
  );
});

test('PagerDuty has one incident for an escalated request, whatever it answers first, until people decide', async () => {
  const [node] = house.nodes;
  const key = randomBytes(16).toString('hex');
  const manner = { format: 'pagerduty', language: 'de', key } as const;
  const pager = await node.webhooks.add(new URL('/incidents', receiver.url).href, manner);
  const rest = `approvers: anyone, escalate: { after: [{ after: 2m, add: { user: ${ben.user.email} } }] }`;
  await publish(
    node,
    `policy: paged\nmatch: { tool: paged }\nrequire: { stages: [{ name: One, ${rest} }], deadline: 5h }\n`,
  );
  const { id } = await house.asking.open({ tool: { name: 'paged' } });
  await untilQuiet(house);
  const calls = () => receiver.received.filter(({ path }) => path === '/incidents').map(({ body }) => JSON.parse(body));
  expect(calls()).toEqual([]);
  receiver.answer(429, 1, { 'retry-after': '1' });
  receiver.answer(502, 1);
  ahead += 2 * minute + 1000;
  await until(async () => calls().length === 1);
  ahead += minute;
  await until(async () => calls().length === 2);
  ahead += minute;
  await until(async () => calls().length === 3);
  await untilQuiet(house);
  const incident = { routing_key: key, client: 'Assentry', dedup_key: id };
  const payload = { summary: 'Noch nicht entschieden: paged von payments', severity: 'error' };
  expect(calls()).toMatchObject(Array.from({ length: 3 }, () => ({ ...incident, event_action: 'trigger', payload })));
  await vote(eve, id, { action: 'decline', comment: 'not now' });
  await untilQuiet(house);
  expect(calls().slice(3)).toEqual([{ ...incident, event_action: 'resolve' }]);
  await node.webhooks.remove(pager.id);
});
