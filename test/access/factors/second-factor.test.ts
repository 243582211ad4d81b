import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import type { OwnSessions } from '#access/sign-in/contract/account';
import type { BegunTotp, OwnTotp, RecoveryCodes } from '#access/factors/contract/second-factor';
import { createListener, signedInUser, startSession } from '#access/sign-in/verbs/sessions';
import { makePasswordLink } from '#access/passwords/verbs';
import type { UserId } from '#platform/model/id';
import type { Role } from '#people/directory/contract/permission';
import { codeAt, stepMs } from '../../support/nodes/authenticator-app.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { enterBy, mailedLink, mailsDown } from '../../support/nodes/mailed-link.ts';
import { startNamedHouse, type NamedHouse } from '../../support/nodes/named-house.ts';
import { asWritten } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';
import { verify } from '../../support/nodes/log.ts';

let clock = Math.floor(Date.now() / stepMs) * stepMs;
/** Two nodes of a production installation. */
const house = await startNamedHouse({
  environment: 'production',
  secondFactor: 'required',
  now: () => clock,
  smtp: mailsDown,
});
afterAll(() => house.stop());

const pass = (steps = 1): void => void (clock += steps * stepMs);
const call: NamedHouse['call'] = (...parts) => house.call(...parts);

/** A browser that signed in with a password alone. */
const byPassword = (role: Role = 'approver'): Promise<Browser> => openBrowser(house.nodes[0], role, 'password');

/** The browser as it goes on after an answer that gave it another cookie. */
function keep(browser: Browser, answer: Response): Browser {
  const cookie = answer.headers.getSetCookie().find((text) => /^assentry=[^;]/.test(text));
  return browserAt(house.publicUrl, browser.user, cookie?.split(';')[0] ?? browser.cookie);
}

interface Enrolled {
  browser: Browser;
  secret: string;
  recoveryCodes: string[];
}

/** Begins at one node, and confirms at the other. */
async function enrolTotp(browser: Browser): Promise<Enrolled> {
  const { secret, enrolment } = await json<BegunTotp>(call(browser, 'POST', '/api/account/totp/begin'));
  const answer = await call(browser, 'POST', '/api/account/totp', { enrolment, code: codeAt(secret, clock) }, 1);
  const { recoveryCodes } = await json<RecoveryCodes>(answer);
  return { browser: keep(browser, answer), secret, recoveryCodes };
}

/** Another browser of the same person, signed in with the password alone. */
async function again({ user }: Browser): Promise<Browser> {
  const { engine } = house.nodes[0];
  const session = await startSession(engine, user, { method: 'password', assurance: 'single-factor' });
  return browserAt(house.publicUrl, user, `assentry=${session?.secret}`);
}

const prove = (browser: Browser, code: string, node: 0 | 1 = 0) =>
  call(browser, 'POST', '/api/session/confirm/code', { code }, node);
const who = (browser: Browser) => json<SignedIn>(call(browser, 'GET', '/api/session'));
const reads = async (browser: Browser): Promise<number> => (await call(browser, 'GET', '/api/elicitations')).status;
const problemOf = async (answer: Promise<Response>) => (await json<{ code: string }>(answer)).code;
const entries = (type: string, user: string) =>
  house.query(`SELECT entry FROM audit_log WHERE type = $1 AND entry->>'user' = $2 ${asWritten}`, [type, user]);
const secretOf = ({ cookie }: Browser): string => cookie.split('=')[1] ?? '';
const issuerOf = async (browser: Browser) =>
  (await signedInUser(house.nodes[0].engine, secretOf(browser)))?.credentialIssuer ?? null;

describe('a session that began with a password alone', () => {
  test('opens nothing before its person adds an authenticator app, and then everything; the log says so', async () => {
    const ada = await byPassword();
    expect(await who(ada)).toMatchObject({
      user: { id: ada.user.id },
      unfinished: { step: 'enrol-factor', hasPasskey: false, hasTotp: false, mayAddPasskey: true },
    });
    const refused = await json(call(ada, 'GET', '/api/elicitations'));
    expect(refused).toMatchObject({ status: 403, code: 'second-factor-needed' });
    const { browser } = await enrolTotp(ada);
    expect(await reads(browser)).toBe(200);
    expect((await who(browser)).unfinished).toBeNull();
    expect((await call(ada, 'GET', '/api/session')).status).toBe(401); // its secret has changed
    expect(await entries('user.totp-added', ada.user.id)).toEqual([
      expect.not.objectContaining({ countsFor: expect.anything() }),
    ]);
    expect(await entries('user.confirmed', ada.user.id)).toMatchObject([{ with: 'totp', assurance: 'multi-factor' }]);
    const { sessions } = await json<OwnSessions>(call(browser, 'GET', '/api/account/sessions'));
    expect(sessions).toMatchObject([{ method: 'password', secondFactor: 'totp', assurance: 'multi-factor' }]);
  });

  test('of someone who has a factor proves it, and adds no other one before', async () => {
    const { browser: first, secret } = await enrolTotp(await byPassword());
    const ada = await again(first);
    expect((await who(ada)).unfinished).toMatchObject({ step: 'prove-factor', hasTotp: true });
    for (const path of ['/api/account/totp/begin', '/api/account/passkeys/begin'])
      expect([path, await problemOf(call(ada, 'POST', path))]).toEqual([path, 'second-factor-needed']);
    expect(await problemOf(call(ada, 'DELETE', '/api/account/totp'))).toBe('second-factor-needed');
    pass();
    const proven = await prove(ada, codeAt(secret, clock), 1);
    expect([proven.status, await reads(keep(ada, proven))]).toEqual([204, 200]);
  });

  test('signs out', async () => {
    const ada = await byPassword();
    expect((await call(ada, 'DELETE', '/api/session')).status).toBe(204);
    expect((await call(ada, 'GET', '/api/session')).status).toBe(401);
  });

  test('hears nothing: neither a new stream nor one that looks again', async () => {
    const { engine } = house.nodes[0];
    const ada = await byPassword();
    expect(await problemOf(call(ada, 'GET', '/api/stream'))).toBe('second-factor-needed');
    expect(await createListener(engine, secretOf(ada))()).toBeNull();
    expect(await signedInUser(engine, secretOf(ada))).toBeNull();
  });
});

describe('a code', () => {
  test('counts once, at any node, and no earlier one after it', async () => {
    const { browser, secret } = await enrolTotp(await byPassword());
    expect((await prove(await again(browser), codeAt(secret, clock))).status).toBe(400); // it confirmed the app
    pass();
    const code = codeAt(secret, clock);
    const others = await Promise.all([1, 2, 3, 4].map(() => again(browser)));
    const answers = await Promise.all(others.map((other, at) => prove(other, code, at % 2 === 0 ? 0 : 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
    expect((await prove(await again(browser), codeAt(secret, clock - stepMs))).status).toBe(400);
  });

  test('that is wrong waits longer and longer, at both nodes and in each browser, and no fault is a guess', async () => {
    const { browser, secret } = await enrolTotp(await byPassword());
    pass();
    const wrong = codeAt(secret, clock + 100 * stepMs);
    for (let times = 0; times < 5; times += 1)
      expect((await prove(await again(browser), wrong, times % 2 === 0 ? 0 : 1)).status).toBe(400);
    const late = await prove(await again(browser), codeAt(secret, clock), 1);
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1']);
    for (const { engine } of house.nodes) await engine.access.flush(Date.now() + 86_400_000);
    const failed = `SELECT sum((entry->>'count')::int)::int FROM audit_log WHERE type = 'access.sign-in-failed'
      AND entry->'actor'->>'id' = $1`;
    expect(await house.query(failed, [browser.user.id])).toEqual([6]);
    pass();
    const proven = await prove(await again(browser), codeAt(secret, clock));
    expect(proven.status).toBe(204);
  });

  test('is taken only after another factor: a link is none', async () => {
    const { browser, secret } = await enrolTotp(await byPassword());
    const link = await makePasswordLink(house.nodes[0].engine, browser.user.id);
    const linked = browserAt(house.publicUrl, browser.user, await enterBy(link, house.nodes[0]));
    pass();
    expect(await problemOf(prove(linked, codeAt(secret, clock)))).toBe('fresh-sign-in-needed');
    const password = 'a password the administrator knows';
    const confirmed = keep(linked, await call(linked, 'POST', '/api/session/confirm', { password }));
    expect(await reads(confirmed)).toBe(403);
    expect(await reads(keep(confirmed, await prove(confirmed, codeAt(secret, clock))))).toBe(200);
  });

  test('is not asked again when the password is', async () => {
    const person = await house.nodes[0].newUser();
    const ada = browserAt(
      house.publicUrl,
      { kind: 'user', role: 'approver', ...person, id: person.id as UserId },
      person.cookie,
    );
    const { browser } = await enrolTotp(ada);
    const password = person.password;
    const confirmed = keep(browser, await call(browser, 'POST', '/api/session/confirm', { password }));
    expect(await reads(confirmed)).toBe(200);
  });

  test('confirms an enrolment only in the session where it began, and within ten minutes', async () => {
    const [ada, bob] = [await byPassword(), await byPassword()];
    const { secret, enrolment } = await json<BegunTotp>(call(ada, 'POST', '/api/account/totp/begin'));
    const send = (browser: Browser) =>
      problemOf(call(browser, 'POST', '/api/account/totp', { enrolment, code: codeAt(secret, clock) }));
    expect(await send(bob)).toBe('not-now');
    const wrong = { enrolment, code: codeAt(secret, clock + 100 * stepMs) };
    expect(await problemOf(call(ada, 'POST', '/api/account/totp', wrong))).toBe('INVALID_INPUT');
    pass(20);
    expect(await send(ada)).toBe('fresh-sign-in-needed');
  });
});

describe('recovery codes', () => {
  test('each works once, however many browsers race for it', async () => {
    const { browser, recoveryCodes } = await enrolTotp(await byPassword());
    const code = (recoveryCodes[2] ?? '').toLowerCase();
    const others = await Promise.all([0, 1, 2, 3].map(() => again(browser)));
    const answers = await Promise.all(others.map((other, at) => prove(other, code, at % 2 === 0 ? 0 : 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400]);
    expect(await json<OwnTotp>(call(browser, 'GET', '/api/account/totp'))).toMatchObject({
      totp: { recoveryCodes: 9 },
    });
    expect((await entries('user.confirmed', browser.user.id)).at(-1)).toMatchObject({ with: 'recovery-code' });
  });

  test('are renewed after a fresh proof; the earlier ones count no more, and the log says so', async () => {
    const { browser, recoveryCodes } = await enrolTotp(await byPassword());
    const answer = call(browser, 'POST', '/api/account/recovery-codes');
    const { recoveryCodes: renewed } = await json<RecoveryCodes>(answer);
    expect((await prove(await again(browser), recoveryCodes[0] ?? '')).status).toBe(400);
    expect((await prove(await again(browser), renewed[0] ?? '')).status).toBe(204);
    expect(await entries('user.recovery-codes-renewed', browser.user.id)).toHaveLength(1);
    pass(20);
    expect(await problemOf(call(browser, 'POST', '/api/account/recovery-codes'))).toBe('fresh-sign-in-needed');
  });
});

test('who removes their app is signed out where it counted, and adds another at the next sign-in', async () => {
  const { browser, secret } = await enrolTotp(await byPassword());
  pass();
  const pending = await again(browser);
  const other = keep(pending, await prove(pending, codeAt(secret, clock)));
  expect((await call(browser, 'DELETE', '/api/account/totp')).status).toBe(204);
  expect([await reads(browser), await reads(other)]).toEqual([200, 401]);
  expect(await entries('user.totp-removed', browser.user.id)).toHaveLength(1);
  expect((await who(await again(browser))).unfinished?.step).toBe('enrol-factor');
});

describe('two factors in one', () => {
  test('a passkey completes the sign-in', async () => {
    const ada = await byPassword();
    const { device, answer } = await house.enrol(ada);
    expect(answer.status).toBe(201);
    expect((await who(ada)).unfinished).toMatchObject({ step: 'prove-factor', hasPasskey: true });
    const { challenge } = await json<{ challenge: string }>(call(ada, 'POST', '/api/session/confirm/passkey/begin'));
    const proven = await call(ada, 'POST', '/api/session/confirm/passkey', device.sign(challenge), 1);
    expect([proven.status, await reads(keep(ada, proven))]).toEqual([204, 200]);
  });
});

/** Decision 0009: a credential counts for its issuer until the person has proven a factor of their own. */
describe('an administrator', () => {
  let admin: Browser;
  beforeAll(async () => {
    ({ browser: admin } = await enrolTotp(await byPassword('admin')));
  });
  const password = 'a password the administrator knows';

  /** Uses the link that the administrator had mailed, as the administrator who reads that mail could. */
  async function takeOver(user: Browser['user'], path: 'password-link' | 'factor-reset'): Promise<Browser> {
    expect((await call(admin, 'POST', `/api/users/${user.id}/${path}`)).status).toBe(202);
    const link = await mailedLink(house.nodes[0], user.id);
    expect(link.resetsFactors).toBe(path === 'factor-reset');
    const cookie = await enterBy(link, house.nodes[0]);
    const linked = browserAt(house.publicUrl, user, cookie);
    return keep(linked, await call(linked, 'POST', '/api/session/confirm', { password }));
  }

  test('who enrols a factor with a link of theirs still counts for themselves', async () => {
    const intruder = await takeOver((await byPassword()).user, 'password-link');
    const { browser, secret } = await enrolTotp(intruder);
    expect(await issuerOf(browser)).toBe(admin.user.id);
    expect(await entries('user.totp-added', intruder.user.id)).toMatchObject([{ countsFor: admin.user.id }]);
    pass();
    const later = await again(browser);
    expect(await issuerOf(keep(later, await prove(later, codeAt(secret, clock))))).toBe(admin.user.id);
  });

  test('gets past no factor that the person added before; the person who proves it counts for no one else', async () => {
    const { browser, secret } = await enrolTotp(await byPassword());
    const intruder = await takeOver(browser.user, 'password-link');
    expect((await who(intruder)).unfinished?.step).toBe('prove-factor');
    expect(await reads(intruder)).toBe(403);
    pass();
    const own = keep(intruder, await prove(intruder, codeAt(secret, clock)));
    expect([await reads(own), await issuerOf(own)]).toEqual([200, null]);
  });

  test('who resets factors removes them with the password, and what is enrolled then counts for them', async () => {
    const { browser, recoveryCodes } = await enrolTotp(await byPassword());
    const { device } = await house.enrol(browser);
    expect((await call(admin, 'POST', `/api/users/${browser.user.id}/factor-reset`)).status).toBe(202);
    expect((await who(await again(browser))).unfinished?.step).toBe('prove-factor'); // nothing is removed yet
    const intruder = await takeOver(browser.user, 'factor-reset');
    expect((await who(intruder)).unfinished?.step).toBe('enrol-factor');
    expect(await entries('user.link-made', browser.user.id)).toMatchObject([{ resetsFactors: true }, {}]);
    expect(await entries('user.totp-removed', browser.user.id)).toHaveLength(1);
    expect(await entries('user.passkey-removed', browser.user.id)).toMatchObject([{ credential: device.credentialId }]);
    const { browser: enrolled } = await enrolTotp(intruder);
    expect(await issuerOf(enrolled)).toBe(admin.user.id);
    expect((await prove(await again(enrolled), recoveryCodes[0] ?? '')).status).toBe(400);
  });

  test('has no part in a session that a password of the person’s own began, with whatever factor', async () => {
    const intruder = await takeOver((await byPassword()).user, 'password-link');
    const { device } = await house.enrol(intruder);
    const link = await makePasswordLink(house.nodes[0].engine, intruder.user.id);
    const linked = browserAt(house.publicUrl, intruder.user, await enterBy(link, house.nodes[0]));
    const own = keep(linked, await call(linked, 'POST', '/api/session/confirm', { password }));
    const prove = async (browser: Browser) => {
      const begun = call(browser, 'POST', '/api/session/confirm/passkey/begin');
      const { challenge } = await json<{ challenge: string }>(begun);
      return keep(browser, await call(browser, 'POST', '/api/session/confirm/passkey', device.sign(challenge), 1));
    };
    const proven = await prove(own);
    expect([await reads(proven), await issuerOf(proven)]).toEqual([200, null]);
    const again = await takeOver(intruder.user, 'password-link');
    expect(await issuerOf(await prove(again))).toBe(admin.user.id);
  });

  test('resets no factors of their own, and no one else resets any', async () => {
    const own = await json<{ status: number; code: string }>(
      call(admin, 'POST', `/api/users/${admin.user.id}/factor-reset`),
    );
    expect(own).toMatchObject({ status: 403, code: 'forbidden' });
    const { browser: ada } = await enrolTotp(await byPassword());
    const other = call(ada, 'POST', `/api/users/${admin.user.id}/factor-reset`);
    expect((await other).status).toBe(403);
  });

  test('the operator’s link resets factors as well, and what follows is the person’s own', async () => {
    const { browser } = await enrolTotp(await byPassword());
    const link = await makePasswordLink(house.nodes[0].engine, browser.user.id, { resetsFactors: true });
    const linked = browserAt(house.publicUrl, browser.user, await enterBy(link, house.nodes[0]));
    const fresh = keep(linked, await call(linked, 'POST', '/api/session/confirm', { password }));
    expect((await who(fresh)).unfinished?.step).toBe('enrol-factor');
    expect(await issuerOf((await enrolTotp(fresh)).browser)).toBeNull();
  });
});

test('the log describes what is stored, and names a row that is changed in the database', async () => {
  const { browser, secret } = await enrolTotp(await byPassword());
  const { engine } = house.nodes[0];
  expect(await verify(engine)).toMatchObject({ fault: null });
  await house.query(`UPDATE totp SET issued_by_id = 'usr_x' WHERE user_id = $1`, [browser.user.id]);
  pass();
  expect(await problemOf(prove(await again(browser), codeAt(secret, clock)))).toBe('unproven');
  expect((await verify(engine)).fault).toMatch(/^The row otp_.* differs from the log/);
  await house.query('UPDATE totp SET issued_by_id = NULL WHERE user_id = $1', [browser.user.id]);
});
