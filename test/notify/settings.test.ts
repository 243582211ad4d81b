import { afterAll, expect, test } from '@jest/globals';
import { askingAt } from '../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { publish } from '../support/requests/policies.ts';
import { until } from '../support/poll.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { openMailBox } from './mail-box.ts';

const week = 7 * 86_400_000;
const path = '/api/notifications/settings';
let now = Date.UTC(2026, 10, 22, 21, 30);
const box = await openMailBox();
const server = await startTestServer({ smtp: box.settings, sessions: { idle: week, longest: week }, now: () => now });
afterAll(async () => {
  await server.stop();
  await box.stop();
});
const asking = askingAt(server.url, await server.newServerKey());
const [ada, bob, grace] = [await openBrowser(server), await openBrowser(server), await openBrowser(server)];

const change = async (by: Browser, body: object): Promise<unknown> => (await by.call('PATCH', path, body)).json();

const listDue = async () =>
  (await server.notifications.list({ isFailed: false })).filter(({ state }) => state === 'due');

test('are one’s own, and what is not named stays', async () => {
  await change(ada, { timeZone: 'Europe/Berlin', quiet: { from: 1320, until: 420 } });
  const expected = { email: true, language: 'de', timeZone: 'Europe/Berlin', quiet: { from: 1320, until: 420 } };
  expect(await change(ada, { language: 'de' })).toEqual({
    ...expected,
    digest: 'none',
    urgent: true,
    sendsMails: true,
  });
  expect(await (await bob.call('GET', path)).json()).toMatchObject({ language: 'en', quiet: null });
  await server.notifications.set(bob.user.email, { email: false });
  expect(await (await bob.call('GET', path)).json()).toMatchObject({ email: false });
});

test.each([
  [{ timeZone: 'Berlin' }],
  [{ quiet: { from: 60, until: 60 } }],
  [{ quiet: { from: 0, until: 1440 } }],
  [{ digest: 'weekly' }],
])('cannot be %j', async (body) => {
  expect((await grace.call('PATCH', path, body)).status).toBe(400);
});

test('are followed: nothing for one, the next morning for another in their language, at once for the third', async () => {
  const { id } = await asking.open();
  await until(() => box.to(grace.user.email).length === 1);
  await until(async () => (await listDue()).length === 1);
  const due = await listDue();
  const morning = Date.parse('2026-11-23T07:00:00+01:00');
  expect(due.map(({ to, dueAt }) => [to.id, dueAt])).toEqual([[ada.user.id, morning]]);
  now = morning;
  await until(() => box.to(ada.user.email).length === 1);
  expect(box.to(ada.user.email)[0]?.source).toContain(`In Assentry =C3=B6ffnen: ${server.url}/requests/${id}`);
  expect(box.to(bob.user.email)).toEqual([]);
});

test('what was planned is not sent to one who has turned mails off since; a test they ask for is', async () => {
  await change(ada, { digest: 'hourly', quiet: null });
  now += 60_000;
  await asking.open();
  await until(() => box.to(grace.user.email).length === 2);
  await change(ada, { email: false });
  now += 3_600_000;
  expect((await ada.call('POST', '/api/notifications/test')).status).toBe(202);
  await until(async () => (await listDue()).length === 0);
  expect(
    box
      .to(ada.user.email)
      .slice(1)
      .map(({ subject }) => subject),
  ).toEqual(['Ein Test von Assentry']);
});

test('do not hold up what a policy calls urgent, unless a person wants it; and a policy can leave mails out', async () => {
  const stages = 'stages: [{ name: One, approvers: anyone }]';
  await publish(
    server,
    `policy: urgent\nmatch: { tool: pay }\nrequire: { ${stages}, notify: { urgent: true } }`,
    `policy: pushed\nmatch: { tool: send }\nrequire: { ${stages}, notify: { channels: [push] } }`,
  );
  const [zoe, kim] = [await openBrowser(server), await openBrowser(server)];
  const minutes = Math.floor(now / 60_000) % 1440;
  const quiet = { from: (minutes + 1430) % 1440, until: (minutes + 60) % 1440 };
  await change(zoe, { quiet, digest: 'daily' });
  await change(kim, { quiet, urgent: false });
  const mailed = await asking.open({ tool: { name: 'pay' } });
  const pushed = await asking.open({ tool: { name: 'send' } });
  await until(() => box.to(zoe.user.email).length === 1);
  expect(box.to(zoe.user.email)[0]?.source).toContain(mailed.id);
  const last = await asking.open({ tool: { name: 'pay' } });
  await until(() => box.to(zoe.user.email).length === 2);
  const planned = await server.notifications.list({ isFailed: false });
  expect(planned.filter(({ elicitationId }) => elicitationId === pushed.id)).toEqual([]);
  const kims = planned.filter(({ to, state }) => to.id === kim.user.id && state === 'due');
  expect(kims.map(({ elicitationId }) => elicitationId).toSorted()).toEqual([mailed.id, last.id].toSorted());
  expect(box.to(kim.user.email)).toEqual([]);
});
