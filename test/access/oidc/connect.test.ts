import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { givesPower } from '#people/directory/verbs/power';
import { changeUser } from '#people/users/verbs';
import type { UserId } from '#platform/model/id';
import { browserAt, openBrowser } from '../../support/nodes/console.ts';
import { mailPasswordLink } from '#access/sign-in/verbs/links';
import { listPairs } from '#people/accounts/verbs/decide-pair';
import { makePasswordLink } from '#access/passwords/verbs';
import { enterBy, mailedLink, mailsDown } from '../../support/nodes/mailed-link.ts';
import { beginAt, signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { query } from '../../support/databases/embedded.ts';
import { signIn, startTestServer, type TestUser } from '../../support/nodes/server.ts';

let clock = Date.now();

const acme = await startHostileProvider('acme', () => clock);
/** People who are here already, and connect a provider or prove with it again who they are. */
const server = await startTestServer({
  now: () => clock,
  signInProviders: [acme.settings({ domains: ['elsewhere.example'] })],
  passwords: 'emergency-only',
  smtp: mailsDown,
});
afterAll(async () => {
  await server.stop();
  await acme.close();
});
const [ada, bob] = [await server.newUser(), await server.newUser()];
beforeEach(() => {
  clock += 1_000;
});

const refusal = (next: string): string | null => new URL(next, 'http://console').searchParams.get('refused');
const connect = async (user: TestUser, claims: JWTPayload) =>
  signInBy(acme, server.url, claims, await beginAt(server.url, 'acme', { cookie: user.cookie, way: '/connect' }));

describe('connecting a provider', () => {
  test('makes its identity a way to sign in, and a name of the person', async () => {
    const back = await connect(ada, { sub: 'ada-7' });
    expect([refusal(back.next), back.cookie]).toEqual([null, expect.any(String)]);
    expect((await server.engine.users.namesOf(ada.id as never))?.subjects).toEqual([`${acme.issuer}#ada-7`]);
    const { cookie = '' } = await signInBy(acme, server.url, { sub: 'ada-7' });
    const answer = await fetch(`${server.url}/api/session`, { headers: { cookie } });
    expect(await answer.json()).toMatchObject({ user: { id: ada.id } });
  });

  test('in a session that an administrator issued counts for them: it decides nothing that they ask, and the log says so', async () => {
    const [admin, dan] = [await openBrowser(server, 'admin', 'password'), await server.newUser()];
    await mailPasswordLink(server.engine, admin.user, dan.id as UserId);
    await enterBy(await mailedLink(server, dan.id), server);
    const headers = { 'content-type': 'application/json', origin: server.url };
    const body = JSON.stringify({ email: dan.email, password: 'a password the administrator knows' });
    const entered = await fetch(`${server.url}/api/session`, { method: 'POST', headers, body });
    const issued = entered.headers.getSetCookie().find((set) => set.startsWith('assentry='));
    await connect({ ...dan, cookie: issued?.split(';')[0] ?? '' }, { sub: 'of-the-administrator' });
    const { cookie = '' } = await signInBy(acme, server.url, { sub: 'of-the-administrator' });
    const inDansName = browserAt(server.url, admin.user, cookie);
    const asking = askingAt(server.url, await server.newServerKey());
    const request = await asking.open({ requester: { subject: admin.user.email, verified: true } });
    const refused = await inDansName.vote(request);
    expect([refused.status, await refused.json()]).toMatchObject([409, { refusal: { code: 'for-requester' } }]);
    const entries = await query(
      server.databaseUrl,
      `SELECT entry FROM audit_log WHERE type = 'user.provider-connected' AND entry->>'user' = '${dan.id}'`,
    );
    expect(entries).toMatchObject([{ countsFor: admin.user.id }]);
  });

  test('keeps each other address that it verifies once: who has that one may be the same person, also when they come later', async () => {
    const eve = await server.newUser();
    const changes = () =>
      query(
        server.databaseUrl,
        `SELECT entry->'changed' FROM audit_log WHERE type = 'user.changed' AND entry->>'user' = '${eve.id}'`,
      );
    const [own, later] = ['eve@elsewhere.example', 'eve.new@elsewhere.example'];
    await connect(eve, { sub: 'eve-1', email: own, email_verified: true });
    await signInBy(acme, server.url, { sub: 'eve-1', email: own.toUpperCase(), email_verified: true });
    await signInBy(acme, server.url, { sub: 'eve-1', email: 'unproven@elsewhere.example', email_verified: false });
    const kept = { verifiedAddress: true, vouchedAddress: true };
    expect(await changes()).toEqual([kept]);
    await signInBy(acme, server.url, { sub: 'eve-1', email: later, email_verified: true });
    expect(await changes()).toEqual([kept, kept]);
    const twin = await server.inviteUser({ email: later, name: 'Someone', role: 'approver' });
    const pairs = (await listPairs(server.engine)).filter(({ user, other }) =>
      [user.id, other.id].includes(eve.id as UserId),
    );
    expect(pairs).toMatchObject([{ sign: 'mailbox', answer: null }]);
    expect([pairs[0]?.user.id, pairs[0]?.other.id]).toContain(twin.user.id);
  });

  test('takes no identity that belongs to someone else', async () => {
    const back = await connect(bob, { sub: 'ada-7' });
    expect([refusal(back.next), back.cookie]).toEqual(['identity-taken', undefined]);
  });

  test('needs a sign-in there that was just made', async () => {
    const back = await connect(bob, { sub: 'bob-1', auth_time: Math.floor(clock / 1000) - 60 });
    expect(refusal(back.next)).toBe('not-proven-now');
    const silent = await connect(bob, { sub: 'bob-1', auth_time: undefined });
    expect(refusal(silent.next)).toBe('not-proven-now');
  });

  test('needs a session that was proven in the last ten minutes', async () => {
    const carl = await server.newUser();
    clock += 600_000;
    const answer = await carl.call('POST', '/api/sign-in/acme/connect', { returnTo: '/account' });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'fresh-sign-in-needed' }]);
  });

  test('is no way in for another page', async () => {
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example.com', cookie: bob.cookie };
    const init = { method: 'POST', headers, body: '{"returnTo":"/"}' };
    expect((await fetch(`${server.url}/api/sign-in/acme/connect`, init)).status).toBe(403);
  });
});

describe('proving again who one is', () => {
  const confirm = async (cookie: string, claims: JWTPayload) => {
    const begun = await beginAt(server.url, 'acme', { cookie, way: '/confirm', returnTo: '/requests/one' });
    expect(Object.fromEntries(begun.location.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    return signInBy(acme, server.url, claims, begun);
  };

  test('makes an old proof new, at the page one came from, under another secret', async () => {
    const { cookie = '' } = await signInBy(acme, server.url, { sub: 'ada-7', auth_time: undefined });
    const back = await confirm(cookie, { sub: 'ada-7', acr: 'mfa' });
    expect([back.next, back.cookie]).toEqual(['/requests/one', expect.any(String)]);
    expect((await browserAt(server.url, ada as never, cookie).call('GET', '/api/session')).status).toBe(401);
    expect((await browserAt(server.url, ada as never, back.cookie!).call('GET', '/api/session')).status).toBe(200);
  });

  test('is refused for another person, and for a proof from before', async () => {
    const { cookie = '' } = await signInBy(acme, server.url, { sub: 'ada-7' });
    expect(refusal((await confirm(cookie, { sub: 'someone-else' })).next)).toBe('other-person');
    const old = Math.floor(clock / 1000) - 60;
    expect(refusal((await confirm(cookie, { sub: 'ada-7', auth_time: old })).next)).toBe('not-proven-now');
  });

  test('does nothing once the session has ended', async () => {
    const { cookie = '' } = await signInBy(acme, server.url, { sub: 'ada-7' });
    const begun = await beginAt(server.url, 'acme', { cookie, way: '/confirm' });
    await browserAt(server.url, ada as never, cookie).call('DELETE', '/api/session');
    const back = await signInBy(acme, server.url, { sub: 'ada-7' }, begun);
    expect([refusal(back.next), back.cookie]).toEqual(['sign-in-outdated', undefined]);
  });
});

test('the operator connects someone, and a second administrator is needed for it in the console', async () => {
  const dora = await server.newUser();
  await server.connectUser(dora.email, { issuer: acme.issuer, subject: 'dora-9' });
  expect((await signInBy(acme, server.url, { sub: 'dora-9' })).cookie).toBeDefined();
  await expect(server.connectUser(ada.email, { issuer: acme.issuer, subject: 'dora-9' })).rejects.toThrow(
    'someone is already connected',
  );
  const add = { issuer: acme.issuer, subject: 'x', linkedById: null, createdAt: clock };
  expect(
    givesPower(
      { type: 'identity', id: dora.id as never, add, subjects: [] },
      { users: [], groups: [], spaces: [], roles: [] },
    ),
  ).toBe(true);
});

test('the name that someone signs in with stays among their names', async () => {
  const erin = await server.newUser();
  await connect(erin, { sub: 'erin-2' });
  const name = `${acme.issuer}#erin-2`;
  const rename = (...subjects: string[]) => changeUser(server.engine, 'operator', erin.id as UserId, { subjects });
  await expect(rename('erin')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    errors: [
      { path: ['subjects'], message: `Keep ${name}: they sign in with it, until they disconnect that provider.` },
    ],
  });
  await rename('erin', name);
  expect((await server.engine.users.namesOf(erin.id as never))?.subjects).toEqual(['erin', name]);
});

describe('verification finds an identity', () => {
  const faultAfter = async (sql: string, back: string): Promise<string | null> => {
    await sequenceAll(server.engine);
    expect(await verify(server.engine)).toMatchObject({ fault: null });
    await query(server.databaseUrl, sql);
    const { fault } = await verify(server.engine);
    await query(server.databaseUrl, back);
    return fault;
  };

  test('that was added in the database', async () => {
    const where = `issuer = '${acme.issuer}' AND subject = 'planted'`;
    const fault = await faultAfter(
      `INSERT INTO federated_identity (issuer, subject, user_id, created_at)
       VALUES ('${acme.issuer}', 'planted', '${bob.id}', now())`,
      `DELETE FROM federated_identity WHERE ${where}`,
    );
    expect(fault).toBe(
      `The identity of ${bob.id} at ${acme.issuer} is none of their names in the log: it was added without the server.`,
    );
  });

  test.each(['ada-7', 'of-the-administrator'])('that counts for someone else by its row: %s', async (subject) => {
    const where = `issuer = '${acme.issuer}' AND subject = '${subject}'`;
    const [before] = (await query(
      server.databaseUrl,
      `SELECT linked_by_id FROM federated_identity WHERE ${where}`,
    )) as [string | null];
    const set = (id: string | null): string =>
      `UPDATE federated_identity SET linked_by_id = ${id === null ? 'NULL' : `'${id}'`} WHERE ${where}`;
    const fault = await faultAfter(set(before === null ? bob.id : null), set(before));
    expect(fault).toContain('counts for another administrator than the log says');
  });
});

test('a provider is disconnected, which ends its sessions', async () => {
  const carl = await server.newUser();
  await connect(carl, { sub: 'carl-3' });
  const { cookie = '' } = await signInBy(acme, server.url, { sub: 'carl-3' });
  const browser = browserAt(server.url, carl as never, cookie);
  const listed = await (await browser.call('GET', '/api/account/providers')).json();
  expect(listed).toEqual({
    providers: [{ key: 'acme', name: 'ACME', connectedAt: expect.any(Number), lastUsedAt: clock }],
  });
  const { sessions } = (await (await browser.call('GET', '/api/account/sessions')).json()) as { sessions: object[] };
  expect(sessions).toContainEqual(expect.objectContaining({ isThis: true, provider: 'ACME' }));
  const { cookie: old = '' } = await signInBy(acme, server.url, { sub: 'carl-3', auth_time: undefined });
  const stale = await browserAt(server.url, carl as never, old).call('DELETE', '/api/account/providers/acme');
  expect([stale.status, await stale.json()]).toMatchObject([403, { code: 'fresh-sign-in-needed' }]);
  expect((await browser.call('DELETE', '/api/account/providers/acme')).status).toBe(204);
  expect((await browser.call('GET', '/api/session')).status).toBe(401);
  expect(refusal((await signInBy(acme, server.url, { sub: 'carl-3' })).next)).toBe('not-invited');
  // The name stays, so that no one comes to approve their own requests by it.
  expect((await server.engine.users.namesOf(carl.id as never))?.subjects).toEqual([`${acme.issuer}#carl-3`]);
});

test('passwords are for those without a provider, where the settings say so', async () => {
  await expect(signIn(server.url, ada)).rejects.toThrow('Sign in with ACME');
  await expect(signIn(server.url, bob)).resolves.toBeDefined();
});

test('there, no link of a password lets in someone with a provider: not one from before, and not the operator’s', async () => {
  const [admin, eve] = [await openBrowser(server, 'admin'), await server.newUser()];
  await mailPasswordLink(server.engine, admin.user, eve.id as UserId);
  const link = await mailedLink(server, eve.id);
  await server.connectUser(eve.email, { issuer: acme.issuer, subject: 'eve-5' });
  await expect(enterBy(link, server)).rejects.toThrow('The link was refused: 403');
  const again = mailPasswordLink(server.engine, admin.user, eve.id as UserId);
  await expect(again).rejects.toThrow('Sign in with ACME');
  const ofOperator = await makePasswordLink(server.engine, eve.id as UserId);
  await expect(enterBy(ofOperator, server)).rejects.toThrow('The link was refused: 403');
});
