import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { Device, DeviceList } from '#notify/contract/settings';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { dumpDatabase } from '../support/databases/database-dump.ts';
import { setUser } from '../support/requests/policies.ts';
import { until } from '../support/poll.ts';
import { startTwoNodes } from '../support/nodes/two-nodes.ts';
import { untilQuiet } from './until-quiet.ts';
import { newSubscription, openPushBrowser, type PushBrowser } from './push-browser.ts';
import { openReceiver, reach } from './receiver.ts';
import { json } from '../support/json.ts';

const devices = '/api/notifications/devices';
const settings = '/api/notifications/settings';
let ahead = 0;
const receiver = await openReceiver();
const house = await startTwoNodes({ webhooks: reach, now: () => Date.now() + ahead });
afterAll(async () => {
  await house.stop();
  await receiver.stop();
});

const person = (): Promise<Browser> => openBrowser(house.nodes[0]);
const ask = (content: object = {}) => house.asking.open({ tool: { name: 'transfer' }, ...content });

const statesOf = ({ id }: PushBrowser) =>
  house.query('SELECT state FROM notification WHERE target = $1 ORDER BY created_at, id', [id]);
const dueAt = async ({ id }: PushBrowser) =>
  (await house.query(`SELECT due_at FROM notification WHERE target = $1 AND state = 'due'`, [id])).map((at) =>
    (at as Date).getTime(),
  );
const end = async (...people: Browser[]) => {
  for (const user of people) await setUser(house.nodes[0], user, { disabled: true });
};

test('the browsers of those who may vote are told, once though two nodes run, and nothing of the content', async () => {
  const [ada, bob] = [await person(), await person()];
  const [phone, laptop] = [await openPushBrowser(receiver, ada), await openPushBrowser(receiver, bob)];
  const canary = randomBytes(6).toString('hex');
  const content = { arguments: { canary }, message: canary, reason: canary, requester: { subject: canary } };
  const { id } = await ask(content);
  await untilQuiet(house);
  for (const browser of [phone, laptop]) {
    const messages = await browser.read();
    expect(messages).toMatchObject([
      {
        title: 'Your approval is needed: transfer',
        body: expect.stringMatching(/^Server: payments\nRisk: \w+$/),
        path: `/requests/${id}`,
      },
    ]);
    expect(JSON.stringify(messages)).not.toContain(canary);
  }
  const deliveries = 'SELECT person FROM audit.deliveries WHERE request = $1 AND arrived ORDER BY person';
  expect(await house.query(deliveries, [id])).toEqual([ada.user.id, bob.user.id].sort());
  await end(ada, bob);
});

test('a test goes to one browser, and only its owner removes or tests it', async () => {
  const [ada, eve] = [await person(), await person()];
  const phone = await openPushBrowser(receiver, ada);
  for (const [method, path] of [
    ['DELETE', `${devices}/${phone.id}`],
    ['POST', `${devices}/${phone.id}/test`],
  ] as const)
    expect((await eve.call(method, path)).status).toBe(404);
  expect(await (await eve.call('GET', devices)).json()).toMatchObject({ devices: [] });
  expect((await ada.call('POST', `${devices}/${phone.id}/test`)).status).toBe(202);
  await untilQuiet(house);
  expect(await phone.read()).toMatchObject([{ title: 'A test from Assentry', path: '/account' }]);
  expect((await ada.call('POST', `${devices}/${phone.id}/test`)).status).toBe(202);
  expect((await ada.call('DELETE', `${devices}/${phone.id}`)).status).toBe(204);
  await untilQuiet(house);
  const types = `SELECT type FROM audit_log WHERE type LIKE 'device.%' AND entry #>> '{device}' = $1`;
  expect((await house.query(types, [phone.id])).sort()).toEqual(['device.added', 'device.removed']);
  await end(ada, eve);
});

test('its address and keys are not readable in the database; the keys of the installation stay the same', async () => {
  const ada = await person();
  const { subscription } = newSubscription(receiver);
  const answer = await ada.call('POST', devices, subscription);
  const { hash } = await json<Device>(answer);
  const again = await json<Device>(ada.call('POST', devices, subscription));
  const list = await json<DeviceList>(ada.at(house.nodes[1].url).call('GET', devices));
  expect(list.devices).toMatchObject([{ id: again.id, hash }]);
  expect(list.key).toBe((await json<DeviceList>(ada.call('GET', devices))).key);
  const dump = await dumpDatabase(house.nodes[0].databaseUrl);
  expect(dump).toContain(again.id);
  for (const secret of [subscription.endpoint, subscription.keys.auth, subscription.keys.p256dh])
    expect(dump).not.toContain(secret);
  await end(ada);
});

test('what comes together is one message, in quiet hours none, and in the language of the person', async () => {
  const ada = await person();
  const phone = await openPushBrowser(receiver, ada);
  await ada.call('PATCH', settings, { digest: 'hourly', language: 'de' });
  await ask();
  await ask();
  await until(async () => (await dueAt(phone)).length === 2);
  const [hour] = await dueAt(phone);
  expect((hour ?? 1) % 3_600_000).toBe(0);
  ahead = (hour ?? 0) - Date.now() + 1000;
  await untilQuiet(house);
  expect(await phone.read()).toMatchObject([
    {
      title: 'Assentry: 2 Mitteilungen',
      body: expect.stringContaining('Ihre Freigabe'),
      path: '/inbox',
      lang: 'de',
    },
  ]);
  await end(ada);
});

test.each([404, 410])('a browser that its push service answers with %i is forgotten', async (status) => {
  const ada = await person();
  const phone = await openPushBrowser(receiver, ada);
  receiver.answer(status, 1);
  await ada.call('POST', `${devices}/${phone.id}/test`);
  await untilQuiet(house);
  expect(await statesOf(phone)).toEqual(['moot']);
  expect(await (await ada.call('GET', devices)).json()).toMatchObject({ devices: [] });
  await end(ada);
});

test('a failure is tried again', async () => {
  const ada = await person();
  const phone = await openPushBrowser(receiver, ada);
  receiver.answer(503, 1);
  await ada.call('POST', `${devices}/${phone.id}/test`);
  await until(
    async () => (await house.query('SELECT failures FROM notification WHERE target = $1', [phone.id]))[0] === 1,
  );
  ahead += 5000;
  await untilQuiet(house);
  expect(await phone.read()).toHaveLength(2);
  expect(await statesOf(phone)).toEqual(['sent']);
  await end(ada);
});

test('a person who is disabled is told nothing more, and has no browsers when enabled again', async () => {
  const ada = await person();
  const phone = await openPushBrowser(receiver, ada);
  await setUser(house.nodes[0], ada, { disabled: true });
  await ask();
  await untilQuiet(house);
  expect(await phone.read()).toEqual([]);
  await setUser(house.nodes[0], ada, { disabled: false });
  expect(await house.query('SELECT id FROM push_device WHERE user_id = $1', [ada.user.id])).toEqual([]);
  await end(ada);
});

test('a private address is told nothing', async () => {
  const ada = await person();
  const { subscription } = newSubscription({ url: 'https://169.254.169.254/' });
  const { id } = await json<Device>(ada.call('POST', devices, subscription));
  await ada.call('POST', `${devices}/${id}/test`);
  await untilQuiet(house);
  const faults = await house.query('SELECT state, fault FROM notification WHERE target = $1', [id]);
  expect(faults).toEqual(['failed', 'address-not-allowed']);
  await end(ada);
});

const key = newSubscription({ url: 'https://push.example.com' }).subscription.keys;
test.each([
  ['without TLS', { endpoint: 'http://push.example.com/1' }, ['endpoint']],
  ['with a password', { endpoint: 'https://ada:secret@push.example.com/1' }, ['endpoint']],
  ['with too little to share', { keys: { ...key, auth: 'short' } }, ['keys', 'auth']],
  ['with a short key', { keys: { ...key, p256dh: key.auth } }, ['keys', 'p256dh']],
  [
    'with a point off the curve',
    { keys: { ...key, p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url') } },
    ['keys', 'p256dh'],
  ],
])('one %s is no subscription', async (_name, part, path) => {
  const ada = await person();
  const answer = await ada.call('POST', devices, { endpoint: 'https://push.example.com/1', keys: key, ...part });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ path }] });
  await end(ada);
});

test('a person is told in twenty browsers at most', async () => {
  const ada = await person();
  const subscribe = async () => (await ada.call('POST', devices, newSubscription(receiver).subscription)).status;
  for (let count = 0; count < 20; count++) expect(await subscribe()).toBe(201);
  expect(await subscribe()).toBe(400);
  await end(ada);
});
