import { afterAll, expect, test } from '@jest/globals';
import type { OwnSession, OwnSessions } from '#access/sign-in/contract/account';
import { mailPasswordLink } from '#access/sign-in/verbs/links';
import type { UserId } from '#platform/model/id';
import { newSubscription } from '../../notify/push-browser.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { mailedLink, mailsDown, secretIn } from '../../support/nodes/mailed-link.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const first = 'seven quiet otters paint';
const second = 'a quite different sentence of mine';
const hours = 3_600_000;
let ahead = 0;
const house = await startTwoNodes({ now: () => Date.now() + ahead, smtp: mailsDown });
afterAll(() => house.stop());

let addresses = 0;

const addPerson = () =>
  house.nodes[0].addUser({
    email: `person${++addresses}@example.com`,
    name: 'Person',
    role: 'approver',
    password: first,
  });

/** A browser of this person, from an address of its own. */
async function signIn(email: string, password = first, agent = 'A browser') {
  const [{ url }] = house.nodes;
  const from = `10.2.0.${++addresses}`;
  const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': from, 'user-agent': agent };
  const send = (method: string, path: string, body?: unknown, more = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...more, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const answer = await send('POST', '/api/session', { email, password });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const call = (method: string, path: string, body?: unknown) => send(method, path, body, { cookie });
  const sessions = async (): Promise<OwnSession[]> =>
    (await json<OwnSessions>(call('GET', '/api/account/sessions'))).sessions;
  return { status: answer.status, from, call, sessions, isIn: async () => (await call('GET', '/api/session')).ok };
}

const change = (browser: { call: Awaited<ReturnType<typeof signIn>>['call'] }, current: string, password: string) =>
  browser.call('POST', '/api/account/password', { current, password });
const entriesOf = (type: string, user: string) =>
  house.query(`SELECT entry FROM audit_log WHERE type = $1 AND entry->>'user' = $2`, [type, user]);

test('a person sees where they are signed in, and no one else does', async () => {
  const { email } = await addPerson();
  const laptop = await signIn(email, first, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0');
  const phone = await signIn(email, first, 'a'.repeat(1000));
  const sessions = await phone.sessions();
  const byPlace = Object.fromEntries(sessions.map((session) => [session.address, session]));
  expect(Object.keys(byPlace).toSorted()).toEqual([laptop.from, phone.from].toSorted());
  expect(byPlace[laptop.from]).toMatchObject({ agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', isThis: false });
  expect(byPlace[phone.from]).toMatchObject({ agent: 'a'.repeat(300), isThis: true });
  expect(JSON.stringify(sessions)).not.toContain('hash');
  const other = await openBrowser(house.nodes[0]);
  const path = `/api/account/sessions/${byPlace[laptop.from]?.id ?? ''}`;
  expect((await other.call('DELETE', path)).status).toBe(404);
  expect(await laptop.isIn()).toBe(true);
  ahead += hours; // longer than an unused session lasts
  const next = await signIn(email);
  expect(await next.sessions()).toHaveLength(1);
});

test('a person ends one session, or all others, and the log says so', async () => {
  const { id, email } = await addPerson();
  const [first, lost, here] = [await signIn(email), await signIn(email), await signIn(email)];
  const idOf = (from: string) => async () => (await here.sessions()).find(({ address }) => address === from)?.id ?? '';
  const lostId = await idOf(lost.from)();
  expect((await here.call('DELETE', `/api/account/sessions/${lostId}`)).status).toBe(204);
  expect((await here.call('DELETE', `/api/account/sessions/${lostId}`)).status).toBe(404);
  expect([await first.isIn(), await lost.isIn(), await here.isIn()]).toEqual([true, false, true]);
  const firstId = await idOf(first.from)();
  expect(await (await here.call('DELETE', '/api/account/sessions')).json()).toEqual({ count: 1 });
  expect(await (await here.call('DELETE', '/api/account/sessions')).json()).toEqual({ count: 0 });
  expect([await first.isIn(), await here.isIn()]).toEqual([false, true]);
  const ended = (await entriesOf('user.sessions-ended', id)) as { sessions: string[] }[];
  expect(ended.map(({ sessions }) => sessions).toSorted()).toEqual([[lostId], [firstId]].toSorted());
});

test('a person who knows their password changes it; every other way in ends, and the log is whole', async () => {
  const { id, email } = await addPerson();
  const [here, other] = [await signIn(email), await signIn(email)];
  const { subscription } = newSubscription({ url: 'https://192.0.2.1/' });
  expect((await other.call('POST', '/api/notifications/devices', subscription)).status).toBe(201);
  const wrong = await change(here, second, 'one more sentence of mine');
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { errors: [{ path: ['current'] }] }]);
  const weak = await change(here, first, 'too short');
  expect([weak.status, await weak.json()]).toMatchObject([400, { errors: [{ path: ['password'] }] }]);
  expect(await other.isIn()).toBe(true);
  expect((await change(here, first, second)).status).toBe(204);
  expect([await here.isIn(), await other.isIn()]).toEqual([true, false]);
  expect(await (await here.call('GET', '/api/notifications/devices')).json()).toMatchObject({ devices: [] });
  expect([(await signIn(email)).status, (await signIn(email, second)).status]).toEqual([401, 200]);
  expect(await entriesOf('user.password-changed', id)).toHaveLength(1);
  expect(await house.nodes[0].verifyLog({ keys: [], kept: [] })).toMatchObject({ fault: null });
});

test('who made the link of the first password stays on record: they may have set it', async () => {
  const [{ engine, url }] = house.nodes;
  const admin = await openBrowser(house.nodes[0], 'admin', 'password');
  const { id, email } = await addPerson();
  await mailPasswordLink(engine, admin.user, id as UserId);
  const link = secretIn(await mailedLink(house.nodes[0], id));
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const set = { method: 'POST', headers, body: JSON.stringify({ link, password: first }) };
  expect((await fetch(`${url}/api/password`, set)).status).toBe(200);
  const here = await signIn(email);
  expect((await change(here, first, second)).status).toBe(204);
  expect(await house.query('SELECT password_issuer_id FROM app_user WHERE id = $1', [id])).toEqual([admin.user.id]);
});

test('of two changes at once one counts', async () => {
  const { id, email } = await addPerson();
  const [here, there] = [await signIn(email), await signIn(email)];
  const answers = await Promise.all([
    change(here, first, second),
    change(there, first, 'a third sentence that no one else has'),
  ]);
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(await entriesOf('user.password-changed', id)).toHaveLength(1);
});

test('the current password cannot be guessed quickly in a session', async () => {
  const { email } = await addPerson();
  const here = await signIn(email);
  const statuses: number[] = [];
  for (let tries = 0; tries < 21; tries += 1) statuses.push((await change(here, 'wrong', second)).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(await here.isIn()).toBe(true);
});
