import { afterAll, describe, expect, test } from '@jest/globals';
import { hashSecret } from '#platform/crypto/random';
import type { OwnPasskey, OwnPasskeys, PasskeyAssertion } from '#access/passkeys/contract/passkeys';
import { challengeLife, maxPasskeys } from '#access/passkeys/contract/types';
import { framed, newAuthenticator, withTwoChallenges, type Authenticator } from '../../support/nodes/authenticator.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { keyKinds } from '../../support/nodes/passkey-keys.ts';
import { json } from '../../support/json.ts';
import { mailedLink, mailsDown, secretIn } from '../../support/nodes/mailed-link.ts';
import { startNamedHouse, type NamedHouse } from '../../support/nodes/named-house.ts';
import { byPassword } from '#access/passwords/verbs';
import { confirmSession, signedInUser } from '#access/sign-in/verbs/sessions';
import { mailPasswordLink } from '#access/sign-in/verbs/links';

const minutes = 60_000;
const password = 'seven quiet otters paint';
let ahead = 0;
const production = { environment: 'production', secondFactor: 'optional' } as const;
const house = await startNamedHouse({ ...production, now: () => Date.now() + ahead, smtp: mailsDown });
afterAll(() => house.stop());

const call: NamedHouse['call'] = (...parts) => house.call(...parts);
const enrol: NamedHouse['enrol'] = (...parts) => house.enrol(...parts);
const fresh = () => openBrowser(house.nodes[0], 'approver', 'password');

let doors = 0;

/** A browser in which someone begins to sign in, from an address of its own. */
async function atDoor() {
  const from = `10.3.0.${++doors}`;
  const begun = await house.send('/api/session/passkey/begin', undefined, { from });
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { challenge } = (await begun.json()) as { challenge: string };
  const enter = (assertion: PasskeyAssertion, kept = cookie) =>
    house.send('/api/session/passkey', assertion, { cookie: kept, from, node: 1 });
  return { challenge, enter };
}

async function signIn(device: Authenticator): Promise<Browser | null> {
  const { challenge, enter } = await atDoor();
  const answer = await enter(device.sign(challenge));
  const { user } = (await answer.json()) as { user: Browser['user'] };
  const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('assentry='));
  return answer.ok ? browserAt(house.publicUrl, user, cookie?.split(';')[0] ?? '') : null;
}

const entries = (type: string, user: string) =>
  house.query(`SELECT entry FROM audit_log WHERE type = $1 AND entry->>'user' = $2 ORDER BY at`, [type, user]);
const refusals = async (user: string) => {
  for (const { engine } of house.nodes) await engine.access.flush(Date.now() + 86_400_000);
  return house.query(
    `SELECT entry->>'what' AS what FROM audit_log WHERE type IN ('access.refused', 'access.sign-in-failed')
      AND (entry->'actor'->>'id' = $1 OR entry->'about' ? $1) ORDER BY at`,
    [user],
  );
};
const owned = async (browser: Browser): Promise<OwnPasskey[]> =>
  (await json<OwnPasskeys>(call(browser, 'GET', '/api/account/passkeys'))).passkeys;

test('a person adds passkeys at any node, signs in with one, and removes it; the log has the key', async () => {
  const begun = await fresh();
  const { device, answer } = await enrol(begun);
  expect([answer.status, await answer.json()]).toMatchObject([201, { name: 'A phone', usedAt: null }]);
  const ada = await house.confirm(begun, device);
  await enrol(ada);
  const own = await owned(ada);
  expect(own).toHaveLength(2);
  const [added] = await entries('user.passkey-added', ada.user.id);
  expect(added).toMatchObject({ credential: device.credentialId, site: 'localhost', origin: house.publicUrl });
  expect(added).not.toHaveProperty('countsFor');
  const again = await signIn(device);
  expect(await json(call(again!, 'GET', '/api/session'))).toMatchObject({ user: { id: ada.user.id } });
  expect((await entries('user.signed-in', ada.user.id)).at(-1)).toMatchObject({
    with: 'passkey',
    assurance: 'multi-factor',
    passkey: own[0]?.id,
  });
  expect((await owned(ada))[0]?.usedAt).not.toBeNull();
  expect((await call(ada, 'DELETE', `/api/account/passkeys/${own[0]?.id}`)).status).toBe(204);
  expect((await call(again!, 'GET', '/api/session')).status).toBe(401);
  expect(await signIn(device)).toBeNull();
  expect(await entries('user.passkey-removed', ada.user.id)).toMatchObject([{ credential: device.credentialId }]);
  expect(await house.nodes[0].verifyLog({ keys: [], kept: [] })).toMatchObject({ fault: null });
});

test('the list says where browsers can make one', async () => {
  const { origin } = await json<OwnPasskeys>(call(await fresh(), 'GET', '/api/account/passkeys'));
  expect(origin).toBe(house.publicUrl);
});

test('a passkey is added and removed only within ten minutes of a proof of one’s own, and proves again by itself', async () => {
  const byLink = await openBrowser(house.nodes[0], 'approver', 'link');
  expect((await call(byLink, 'POST', '/api/account/passkeys/begin')).status).toBe(403);
  const ada = await fresh();
  const { device } = await enrol(ada);
  const [own] = await owned(ada);
  ahead += 11 * minutes;
  const refused = await call(ada, 'DELETE', `/api/account/passkeys/${own?.id}`);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'fresh-sign-in-needed' }]);
  const begun = await json<{ challenge: string; allowCredentials: { id: string }[] }>(
    call(ada, 'POST', '/api/session/confirm/passkey/begin'),
  );
  expect(begun.allowCredentials.map(({ id }) => id)).toEqual([device.credentialId]);
  const proof = device.sign(begun.challenge);
  const confirmed = await call(ada, 'POST', '/api/session/confirm/passkey', proof, 1);
  expect(confirmed.status).toBe(204);
  const cookie = confirmed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const renewed = browserAt(house.publicUrl, ada.user, cookie);
  expect((await call(renewed, 'POST', '/api/session/confirm/passkey', proof)).status).toBe(403);
  expect((await call(renewed, 'DELETE', `/api/account/passkeys/${own?.id}`)).status).toBe(204);
});

test('who has a passkey changes no way in, and lets no one vote for them, by the password alone', async () => {
  const { engine } = house.nodes[0];
  const begun = await fresh();
  const { device } = await enrol(begun);
  const [own] = await owned(begun);
  const stranger = await openBrowser(house.nodes[0], 'approver', 'password');
  const delegation = { toId: stranger.user.id, endsAt: Date.now() + ahead + 60 * minutes };
  const attempts = [
    ['POST', '/api/account/passkeys/begin'],
    ['DELETE', `/api/account/passkeys/${own?.id}`],
    ['POST', '/api/account/totp/begin'],
    ['POST', '/api/account/password', { current: password, password: 'eleven calm herons sing' }],
    ['POST', '/api/delegations', delegation],
  ] as [method: string, path: string, body?: object][];
  const refusals = async (browser: Browser) =>
    Promise.all(
      attempts.map(
        async ([method, path, body]) => (await json<{ code: string }>(call(browser, method, path, body))).code,
      ),
    );
  const proven = await house.confirm(begun, device);
  expect((await call(proven, 'POST', '/api/account/totp/begin')).status).toBe(200);
  ahead += 11 * minutes;
  // The password alone makes the session fresh, in which a passkey was proven before.
  const session = hashSecret(proven.cookie.split('=')[1] ?? '');
  const { secret } = await confirmSession(engine, begun.user, session, byPassword);
  const left = browserAt(house.publicUrl, begun.user, `assentry=${secret}`);
  expect(await refusals(left)).toEqual(attempts.map(() => 'second-factor-needed'));
  expect(await owned(left)).toHaveLength(1);
  const again = await house.confirm(left, device);
  expect((await call(again, 'POST', '/api/delegations', delegation)).status).toBe(201);
  expect((await call(again, 'DELETE', `/api/account/passkeys/${own?.id}`)).status).toBe(204);
  ahead += 11 * minutes;
  // Without a factor there is none to prove.
  const without = await confirmSession(engine, begun.user, hashSecret(again.cookie.split('=')[1] ?? ''), byPassword);
  const plain = browserAt(house.publicUrl, begun.user, `assentry=${without.secret}`);
  expect((await call(plain, 'POST', '/api/account/passkeys/begin')).status).toBe(200);
});

test('removing one ends a session that began with it, also if another one has confirmed it since', async () => {
  const begun = await fresh();
  const { device: lost } = await enrol(begun);
  const ada = await house.confirm(begun, lost);
  const { device: other } = await enrol(ada);
  const began = await signIn(lost);
  const session = await house.confirm(began!, other);
  expect((await call(session, 'GET', '/api/session')).status).toBe(200);
  const { id } = (await owned(ada))[0]!;
  expect((await call(ada, 'DELETE', `/api/account/passkeys/${id}`)).status).toBe(204);
  expect(
    await Promise.all([session, ada].map(async (each) => (await call(each, 'GET', '/api/session')).status)),
  ).toEqual([401, 200]);
});

test('a person has twenty, however many are added at both nodes at once', async () => {
  const first = await fresh();
  const ada = await house.confirm(first, (await enrol(first)).device);
  const begin = () => json<{ challenge: string }>(call(ada, 'POST', '/api/account/passkeys/begin'));
  const begun = await Promise.all(Array.from({ length: maxPasskeys }, begin));
  const add = async ({ challenge }: { challenge: string }, at: number): Promise<number> => {
    const registration = newAuthenticator(house.publicUrl).create(challenge);
    return (await call(ada, 'POST', '/api/account/passkeys', registration, at % 2 === 0 ? 0 : 1)).status;
  };
  const statuses = await Promise.all(begun.map(add));
  expect(statuses.toSorted()).toEqual([...Array.from({ length: maxPasskeys - 1 }, () => 201), 409]);
});

test('disabling a person ends their passkeys for good, also for someone who enables them again; the log has it', async () => {
  const [admin, ada] = [await openBrowser(house.nodes[0], 'admin', 'password'), await fresh()];
  const { device } = await enrol(ada);
  for (const disabled of [true, false])
    expect((await call(admin, 'PATCH', `/api/users/${ada.user.id}`, { disabled })).status).toBe(200);
  expect(await signIn(device)).toBeNull();
  expect(await entries('user.passkey-removed', ada.user.id)).toMatchObject([
    { credential: device.credentialId, actor: { kind: 'user', id: admin.user.id } },
  ]);
  const { passkeys } = house.nodes[0].engine;
  expect(await passkeys.listOf(ada.user.id)).toEqual([]);
});

test.each([
  ['another site', { site: 'example.com' }],
  ['another origin', { origin: 'https://localhost' }],
  ['no verification of its person', { isVerified: false }],
  ['its page in a frame of another site', { client: framed }],
  ['a challenge that other programs may read differently', { client: withTwoChallenges }],
])('no passkey is added that was made with %s', async (_, options) => {
  const ada = await fresh();
  const { answer } = await enrol(ada, options);
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'passkey-refused' }]);
  expect(await owned(ada)).toEqual([]);
});

test.each(keyKinds)(
  'of the keys that passkeys are asked for %s is taken or not, and one that is taken signs',
  async (kind) => {
    const ada = await fresh();
    const { device, answer } = await enrol(ada, { kind });
    const isAsked = ['ES256', 'EdDSA', 'RS256'].includes(kind);
    expect([answer.status, (await owned(ada)).length]).toEqual(isAsked ? [201, 1] : [403, 0]);
    expect((await signIn(device)) !== null).toBe(isAsked);
  },
);

test('what is to be signed works once, for five minutes, in its browser and for its purpose', async () => {
  const [ada, bob] = [await fresh(), await fresh()];
  const { device, challenge: used } = await enrol(ada);
  const add = (browser: Browser, challenge: string) =>
    call(browser, 'POST', '/api/account/passkeys', newAuthenticator(house.publicUrl).create(challenge));
  expect((await add(ada, used)).status).toBe(403);
  const { challenge } = await json<{ challenge: string }>(call(ada, 'POST', '/api/account/passkeys/begin'));
  expect((await add(bob, challenge)).status).toBe(403);
  // One that was given out to add a passkey confirms nothing, in the same session.
  expect((await call(ada, 'POST', '/api/session/confirm/passkey', device.sign(challenge))).status).toBe(403);
  const [mine, other] = [await atDoor(), await atDoor()];
  expect((await mine.enter(device.sign(challenge))).status).toBe(403);
  expect((await mine.enter(device.sign(other.challenge))).status).toBe(403);
  expect((await mine.enter(device.sign(mine.challenge), '')).status).toBe(403);
  const late = await atDoor();
  ahead += challengeLife;
  expect((await late.enter(device.sign(late.challenge))).status).toBe(403);
  const right = await atDoor();
  const assertion = device.sign(right.challenge);
  expect((await right.enter(assertion)).status).toBe(200);
  expect((await right.enter(assertion)).status).toBe(403);
});

test.each([
  ['passkey-origin', { origin: 'https://phish.example' }],
  ['passkey-origin', { site: 'phish.example' }],
  ['passkey-no-verification', { isVerified: false }],
])('outside, a refused signature is one word; in the log it is %s', async (what, options) => {
  const ada = await fresh();
  const { device } = await enrol(ada);
  const { challenge, enter } = await atDoor();
  const answer = await enter(device.sign(challenge, options));
  const body = (await answer.json()) as Record<string, unknown>;
  expect([answer.status, body['code']]).toEqual([403, 'passkey-refused']);
  expect(JSON.stringify(body)).not.toContain(what);
  expect(await refusals(ada.user.id)).toEqual([what]);
});

test('a counter that goes back is refused and logged; a wrong signature and an unknown passkey are refused', async () => {
  const ada = await fresh();
  const { device } = await enrol(ada);
  expect(await signIn(device)).not.toBeNull();
  device.counter = 1;
  expect(await signIn(device)).toBeNull();
  expect(await refusals(ada.user.id)).toEqual(['passkey-counter']);
  const { challenge, enter } = await atDoor();
  const forged = { ...newAuthenticator(house.publicUrl).sign(challenge), credentialId: device.credentialId };
  expect((await enter(forged)).status).toBe(403);
  const stranger = await atDoor();
  expect((await stranger.enter(newAuthenticator(house.publicUrl).sign(stranger.challenge))).status).toBe(403);
});

test('a passkey that someone wrote into the database opens nothing, and the log tells of it', async () => {
  const [ada, mallory] = [await fresh(), await fresh()];
  const [own, theirs] = [await enrol(ada), await enrol(mallory)];
  const swap = `UPDATE passkey SET public_key = (SELECT public_key FROM passkey WHERE credential_id = $1) WHERE credential_id = $2`;
  const before = await house.query('SELECT public_key FROM passkey WHERE credential_id = $1', [
    own.device.credentialId,
  ]);
  await house.query(swap, [theirs.device.credentialId, own.device.credentialId]);
  const { challenge, enter } = await atDoor();
  const forged = { ...theirs.device.sign(challenge), credentialId: own.device.credentialId };
  expect((await enter(forged)).status).toBe(403);
  const { fault } = await house.nodes[0].verifyLog({ keys: [], kept: [] });
  expect(fault).toMatch(/differs from the log/);
  await house.query('UPDATE passkey SET public_key = $1 WHERE credential_id = $2', [
    before[0],
    own.device.credentialId,
  ]);
});

test('a passkey of one’s own ends the issuer of a later password; one added under an issued password keeps them', async () => {
  const admin = await openBrowser(house.nodes[0], 'admin', 'password');
  const [ada, bob] = [await fresh(), await fresh()];
  const { device } = await enrol(ada);
  /** The person as an administrator who reads their mail could sign in. */
  const takeOver = async ({ user }: Browser) => {
    await mailPasswordLink(house.nodes[0].engine, admin.user, user.id);
    const link = secretIn(await mailedLink(house.nodes[0], user.id));
    await house.send('/api/password', { link, password });
    const entered = await house.send('/api/session', { email: user.email, password });
    const cookie = entered.headers.getSetCookie().find((text) => text.startsWith('assentry='));
    return browserAt(house.publicUrl, user, cookie?.split(';')[0] ?? '');
  };
  const [issued, withoutOwn] = [await takeOver(ada), await takeOver(bob)];
  const issuerOf = async ({ cookie: text }: Browser) =>
    (await signedInUser(house.nodes[0].engine, text.split('=')[1] ?? ''))?.credentialIssuer;
  expect(await issuerOf(issued)).toBe(admin.user.id);
  expect(await issuerOf((await signIn(device))!)).toBeUndefined();
  expect((await call(issued, 'POST', '/api/account/passkeys/begin')).status).toBe(403);
  const first = await enrol(withoutOwn);
  expect(await issuerOf((await signIn(first.device))!)).toBe(admin.user.id);
  expect((await entries('user.passkey-added', bob.user.id)).at(-1)).toMatchObject({ countsFor: admin.user.id });
});

test('guesses are slowed down as those of passwords are', async () => {
  const { challenge, enter } = await atDoor();
  const device = newAuthenticator(house.publicUrl);
  for (let tries = 0; tries < 20; tries += 1) expect((await enter(device.sign(challenge))).status).toBe(403);
  expect((await enter(device.sign(challenge))).status).toBe(429);
});

describe('where a passkey is kept', () => {
  const kept = async (browser: Browser) =>
    (await owned(browser)).map(({ isBackedUp, isSyncable }) => ({ isBackedUp, isSyncable }));

  test('is stored and logged as its authenticator says, at each use again, and administrators read it', async () => {
    const admin = await openBrowser(house.nodes[0], 'admin', 'password');
    const ada = await fresh();
    const { device } = await enrol(ada, { backup: 'syncable' });
    expect(await kept(ada)).toEqual([{ isBackedUp: false, isSyncable: true }]);
    const use = async (backup: 'syncable' | 'synced') => {
      const { challenge, enter } = await atDoor();
      expect((await enter(device.sign(challenge, { backup }))).status).toBe(200);
    };
    await use('syncable');
    expect(await entries('user.passkey-backup-changed', ada.user.id)).toEqual([]);
    await use('synced');
    await use('synced');
    expect(await kept(ada)).toEqual([{ isBackedUp: true, isSyncable: true }]);
    expect(await entries('user.passkey-added', ada.user.id)).toMatchObject([{ isBackedUp: false, isSyncable: true }]);
    expect(await entries('user.passkey-backup-changed', ada.user.id)).toMatchObject([{ isBackedUp: true }]);
    const path = `/api/users/${ada.user.id}/passkeys`;
    expect(await json<OwnPasskeys>(call(admin, 'GET', path))).toMatchObject({
      passkeys: [{ name: 'A phone', isBackedUp: true }],
    });
    expect((await call(ada, 'GET', path)).status).toBe(403);
    expect((await call(admin, 'GET', '/api/users/usr_0000000000000000000000/passkeys')).status).toBe(404);
  });

  test('cannot change from its device to elsewhere: what says so is not that passkey', async () => {
    const ada = await fresh();
    const { device } = await enrol(ada);
    const { challenge, enter } = await atDoor();
    expect((await enter(device.sign(challenge, { backup: 'synced' }))).status).toBe(403);
    expect(await refusals(ada.user.id)).toContain('passkey-syncable');
    expect(await kept(ada)).toEqual([{ isBackedUp: false, isSyncable: false }]);
  });

  test('is named by the log if someone changes it in the database', async () => {
    const { device } = await enrol(await fresh(), { backup: 'synced' });
    const { credentialId: id } = device;
    await house.query('UPDATE passkey SET is_syncable = false WHERE credential_id = $1', [id]);
    expect(await signIn(device)).toBeNull();
    expect((await house.nodes[0].verifyLog({ keys: [], kept: [] })).fault).toMatch(/differs from the log/);
    await house.query('UPDATE passkey SET is_syncable = true WHERE credential_id = $1', [id]);
  });
});
