import { afterAll, describe, expect, test } from '@jest/globals';
import type { AddedUser, UserEntry } from '#people/users/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { makePasswordLink, type PasswordLink } from '#access/passwords/verbs';
import type { UserId } from '#platform/model/id';
import { openMailBox } from '../../notify/mail-box.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { mailedLink, secretIn } from '../../support/nodes/mailed-link.ts';
import { until } from '../../support/poll.ts';
import { signIn } from '../../support/nodes/server.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const password = 'seven quiet otters paint';
const another = 'wrong horse battery staple';
const days = 86_400_000;
let clock = Date.now();
const box = await openMailBox();
const two = await startTwoNodes({ now: () => clock, smtp: box.settings });
afterAll(async () => {
  await two.stop();
  await box.stop();
});
let admin: Browser = await openBrowser(two.nodes[0], 'admin');

let count = 0;
const newcomer = (more: object = {}) => ({
  email: `new${(count += 1)}@example.com`,
  name: 'New',
  role: 'approver',
  ...more,
});
const entryOf = async (type: string, user: string) =>
  (await two.query(`SELECT entry FROM audit_log WHERE type = $1 AND entry->>'user' = $2`, [type, user]))[0];
const countEntries = async () =>
  (await two.query('SELECT count(*)::int FROM audit_entry WHERE type !~ $$^(access|notification)[.]$$'))[0];

type Invited = AddedUser & { link: PasswordLink };

async function add(more: object = {}): Promise<Invited> {
  const response = await admin.call('POST', '/api/users', newcomer(more));
  expect(response.status).toBe(201);
  const added = await json<AddedUser>(response);
  return { ...added, link: await mailedLink(two.nodes[0], added.user.id) };
}

const newLink = (id: string): Promise<PasswordLink> => makePasswordLink(two.nodes[0].engine, id as UserId);

const stateOfMail = async (id: string) =>
  (await two.query('SELECT state FROM notification WHERE target = $1 ORDER BY created_at DESC LIMIT 1', [id]))[0];

let addresses = 0;
const post = (path: string, body: unknown, node: 0 | 1 = 0): Promise<Response> =>
  fetch(two.nodes[node].url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': `10.2.0.${(addresses += 1)}`, // guessing is slowed for each address
    },
    body: JSON.stringify(body),
  });
const setPassword = (link: PasswordLink, chosen = password, node: 0 | 1 = 0): Promise<Response> =>
  post('/api/password', { link: secretIn(link), password: chosen }, node);
const enter = async (email: string, typed: string): Promise<number> =>
  (await post('/api/session', { email, password: typed })).status;
const hasPassword = async (id: string) =>
  (await two.nodes[0].engine.directory.read()).users.find((user) => user.id === id)?.hasPassword;

describe('someone who is added', () => {
  test('sets a password of their own, once, and is signed in; no one else ever knows it', async () => {
    const group = await json<{ id: string }>(admin.call('POST', '/api/groups', { name: 'Finance' }));
    const manager = await openBrowser(two.nodes[0]);
    const { user, link } = await add({ managerId: manager.user.id, groups: [group.id] });
    expect(user).toMatchObject({
      role: 'approver',
      hasPassword: false,
      managerId: manager.user.id,
      groups: [{ id: group.id }],
    });
    expect(await entryOf('user.added', user.id)).toMatchObject({
      actor: { kind: 'user', id: admin.user.id },
      role: 'approver',
      manager: manager.user.id,
      groups: [group.id],
      linkUntil: clock + 3 * days,
    });
    expect(link.expiresAt).toBe(clock + 3 * days);
    await until(() => box.to(user.email).length === 1);
    expect(box.to(user.email)[0]?.source).toContain(`/password#link=3D${secretIn(link)}`);
    await until(async () => (await stateOfMail(user.id)) === 'sent');
    expect(await enter(user.email, '')).toBe(400);

    const set = await setPassword(link);
    expect([set.status, await set.json()]).toMatchObject([200, { user: { id: user.id } }]);
    const cookie = set.headers.get('set-cookie')?.split(';')[0] ?? '';
    const welcome = await fetch(`${two.nodes[1].url}/api/session`, { headers: { cookie } });
    expect(welcome.status).toBe(200);
    const types = await two.query(`SELECT type FROM audit_log WHERE entry->>'user' = $1 ${asWritten}`, [user.id]);
    expect(types).toEqual(expect.arrayContaining(['user.added', 'user.password-set', 'user.signed-in']));
    expect(await hasPassword(user.id)).toBe(true);
    expect([await enter(user.email, password), await enter(user.email, another)]).toEqual([200, 401]);
  });

  test('keeps the link if the password is too weak for the rules', async () => {
    const { user, link } = await add();
    for (const weak of ['too short', 'aaaaaaaaaaaaaaaaaaaa', 'someone@example.com']) {
      const refused = await setPassword(link, weak);
      expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ path: ['password'] }] }]);
    }
    expect(await hasPassword(user.id)).toBe(false);
    expect((await setPassword(link)).status).toBe(200);
  });

  test('is one of an address, in any case, and known by no other subject; a refusal writes nothing', async () => {
    const { user } = await add();
    const browser = await openBrowser(two.nodes[0]);
    await admin.call('PATCH', `/api/users/${browser.user.id}`, { subjects: ['Known@example.com'] });
    const before = await countEntries();
    const cases: [object, object][] = [
      [{ email: user.email.toUpperCase() }, { status: 409, code: 'already-exists' }],
      [{ email: 'known@example.com' }, { status: 400, errors: [{ path: ['email'] }] }],
      [{ managerId: `usr_${'A'.repeat(22)}` }, { status: 400, errors: [{ path: ['managerId'] }] }],
      [{ groups: [`grp_${'A'.repeat(22)}`] }, { status: 400, errors: [{ path: ['groups', 0] }] }],
      [{ password }, { status: 400 }],
    ];
    for (const [more, refusal] of cases) {
      expect(await (await admin.call('POST', '/api/users', newcomer(more))).json()).toMatchObject(refusal);
    }
    expect(await countEntries()).toBe(before);
  });

  test('of two that race for one address at two nodes is one', async () => {
    const body = newcomer();
    const answers = await Promise.all(two.nodes.map(({ url }) => admin.at(url).call('POST', '/api/users', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('a new link', () => {
  test('voids the older one, signs the person out everywhere, and the old password ends with the new one', async () => {
    const { user, link } = await add();
    await setPassword(link);
    const browser = await signIn(two.nodes[1].url, user);
    const first = await newLink(user.id);
    expect(await entryOf('user.link-made', user.id)).toMatchObject({ linkUntil: first.expiresAt });
    expect((await browser.call('GET', '/api/session')).status).toBe(401);
    const second = await newLink(user.id);
    expect((await setPassword(first, another)).status).toBe(400);
    const meanwhile = await signIn(two.nodes[0].url, user); // it came back to them
    expect((await setPassword(second, another)).status).toBe(200);
    expect((await meanwhile.call('GET', '/api/session')).status).toBe(401);
    expect([await enter(user.email, password), await enter(user.email, another)]).toEqual([401, 200]);
  });

  test('that was replaced before its mail could be sent is not sent', async () => {
    const { user } = await add();
    await until(async () => (await stateOfMail(user.id)) === 'sent');
    clock += 1000;
    box.refuse(451, 1);
    expect((await admin.call('POST', `/api/users/${user.id}/password-link`)).status).toBe(202);
    await until(async () => (await two.query('SELECT 1 FROM notification WHERE failures = 1')).length === 1);
    await newLink(user.id);
    clock += 5 * 60_000;
    await until(async () => (await stateOfMail(user.id)) === 'moot');
    expect(box.to(user.email)).toHaveLength(1);
  });

  test('serves one of many who use it at once, at two nodes', async () => {
    const { link } = await add();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => setPassword(link, `${password} ${at}`, at % 2 === 0 ? 0 : 1)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(400)]);
  });

  test('that is made while the old one is used leaves one way in, no matter which was first', async () => {
    const { user, link } = await add();
    const [used, next] = await Promise.all([setPassword(link, password, 1), newLink(user.id)]);
    expect([200, 400]).toContain(used.status);
    expect((await setPassword(link)).status).toBe(400);
    expect((await setPassword(next, another)).status).toBe(200);
    expect([await enter(user.email, password), await enter(user.email, another)]).toEqual([401, 200]);
  });
});

test('whatever is wrong with a link, the answer is one and the same', async () => {
  const used = (await add()).link;
  await setPassword(used);
  const voided = await add();
  await newLink(voided.user.id);
  const disabled = await add();
  const disable = (off: boolean) => admin.call('PATCH', `/api/users/${disabled.user.id}`, { disabled: off });
  await disable(true);
  const back = await add();
  await admin.call('PATCH', `/api/users/${back.user.id}`, { disabled: true });
  await admin.call('PATCH', `/api/users/${back.user.id}`, { disabled: false });
  const old = (await add()).link;
  clock += 3 * days;
  admin = await openBrowser(two.nodes[0], 'admin'); // the session before is three days old
  const signInAddress = await two.nodes[0].signInAddress({ ...admin.user, id: back.user.id as UserId });
  const secrets = {
    unknown: 'A'.repeat(43),
    used: secretIn(used),
    voided: secretIn(voided.link),
    'of a disabled person': secretIn(disabled.link),
    'of someone who was disabled': secretIn(back.link),
    'too old': secretIn(old),
    'for signing in': new URLSearchParams(new URL(signInAddress).hash.slice(1)).get('link'),
  };
  for (const [name, link] of Object.entries(secrets)) {
    const response = await post('/api/password', { link, password });
    const { errorId: _id, requestId: _request, ...problem } = await json<ProblemDocument>(response);
    const title = 'Ask for a new link: this one is not valid.';
    expect([name, response.headers.get('set-cookie'), problem]).toEqual([
      name,
      null,
      { type: expect.any(String), status: 400, code: 'token-invalid', title },
    ]);
  }
  const refused = await admin.call('POST', `/api/users/${disabled.user.id}/password-link`);
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'not-now' }]);
});

test('links are not guessed quickly from one address', async () => {
  const headers = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': '10.3.0.1',
  };
  const body = JSON.stringify({ link: 'A'.repeat(43), password });
  const guess = async () => (await fetch(`${two.nodes[0].url}/api/password`, { method: 'POST', headers, body })).status;
  const statuses: number[] = [];
  for (let tries = 0; tries < 21; tries += 1) statuses.push(await guess());
  expect(statuses).toEqual([...Array(20).fill(400), 429]);
});

test('only administrators add people and make links', async () => {
  const other = await add();
  const before = await countEntries();
  for (const role of ['approver', 'reviewer'] as const) {
    const browser = await openBrowser(two.nodes[0], role);
    for (const [path, body] of [
      ['/api/users', newcomer()],
      [`/api/users/${other.user.id}/password-link`, undefined],
    ] as const) {
      expect((await browser.call('POST', path, body)).status).toBe(403);
    }
  }
  expect(await countEntries()).toBe((before as number) + 4); // their own: added and signed in
  const { users } = await json<{ users: UserEntry[] }>(admin.call('GET', '/api/users'));
  expect(JSON.stringify(users)).not.toContain(secretIn(other.link));
});
