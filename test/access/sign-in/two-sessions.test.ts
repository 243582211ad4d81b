import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { BegunTotp } from '#access/factors/contract/second-factor';
import type { SignedInUser } from '#people/directory/contract/user';
import { hashPassword } from '#access/passwords/rules/passwords';
import { delegate } from '#people/delegations/verbs';
import { removeProvider } from '#access/oidc/verbs/identities';
import { changePassword, byPassword } from '#access/passwords/verbs';
import { listPasskeys, removePasskey } from '#access/passkeys/verbs';
import { removeTotp, renewRecoveryCodes } from '#access/factors/verbs';
import { signedInUser, startSession } from '#access/sign-in/verbs/sessions';
import { newAuthenticator } from '../../support/nodes/authenticator.ts';
import { codeAt, stepMs } from '../../support/nodes/authenticator-app.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { beginAt, signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startNamedHouse } from '../../support/nodes/named-house.ts';
import { addTotpRow } from '../../support/nodes/totp-row.ts';
import { json } from '../../support/json.ts';
import { until } from '../../support/poll.ts';

let clock = Math.floor(Date.now() / stepMs) * stepMs;
const acme = await startHostileProvider('acme', () => clock);
const signInProviders = [acme.settings()];
/** One person signed in twice, such as they themselves and someone who has their password. */
const house = await startNamedHouse({ environment: 'production', now: () => clock, signInProviders });
afterAll(async () => {
  await house.stop();
  await acme.close();
});

let own: Browser;
let other: Browser;
beforeEach(async () => {
  own = await openBrowser(house.nodes[0], 'approver', 'password');
  const session = await startSession(house.nodes[0].engine, own.user, byPassword);
  other = browserAt(house.publicUrl, own.user, `assentry=${session?.secret}`);
});

const secretOf = ({ cookie }: Browser): string => cookie.split('=')[1] ?? '';
const problemOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

/** Sends what adds a passkey, or an app, once it was begun. */
async function begunPasskey(browser: Browser) {
  const begun = house.call(browser, 'POST', '/api/account/passkeys/begin');
  const registration = newAuthenticator(house.publicUrl).create((await json<{ challenge: string }>(begun)).challenge);
  return () => house.call(browser, 'POST', '/api/account/passkeys', registration);
}

async function begunApp(browser: Browser) {
  const { secret, enrolment } = await json<BegunTotp>(house.call(browser, 'POST', '/api/account/totp/begin'));
  return () => house.call(browser, 'POST', '/api/account/totp', { enrolment, code: codeAt(secret, clock) }, 1);
}

type Request = () => Promise<Response>;

/** What is answered if all of these are judged before the first of them commits, and this is done then. */
async function atOnce(requests: Request[], meanwhile: () => Promise<unknown> = async () => {}): Promise<Response[]> {
  const holder = new pg.Client({ connectionString: house.nodes[0].databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM app_user WHERE id = $1 FOR UPDATE', [own.user.id]);
  const waiting = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const running: Promise<Response>[] = [];
  for (const request of requests) {
    running.push(request());
    await until(async () => (await house.query(waiting))[0] === running.length);
  }
  await meanwhile();
  await holder.end();
  return Promise.all(running);
}

type Begin = (browser: Browser) => Promise<Request>;
const pairs: Record<string, [Begin, Begin]> = {
  'a passkey and an app': [begunPasskey, begunApp],
  'an app and a passkey': [begunApp, begunPasskey],
  'two passkeys': [begunPasskey, begunPasskey],
};
test.each(Object.entries(pairs))(
  'of %s that are added in two sessions at once, the second waits for a proof of the first',
  async (_name, [begin, beginOther]) => {
    const [first, second] = await atOnce([await begin(own), await beginOther(other)]);
    expect([first!.ok, second!.status, await problemOf(second!)]).toEqual([true, 403, 'second-factor-needed']);
    const added = `SELECT count(*)::int FROM audit_log WHERE entry->>'user' = $1 AND type IN ('user.passkey-added', 'user.totp-added')`;
    expect(await house.query(added, [own.user.id])).toEqual([1]);
  },
);

describe('in a session that was read before a factor was added in another one', () => {
  const engine = () => house.nodes[1].engine;
  const attempts: Record<string, (user: SignedInUser) => Promise<unknown>> = {
    'no app is removed': (user) => removeTotp(engine(), user, secretOf(other)),
    'no recovery codes are made': (user) => renewRecoveryCodes(engine(), user),
    'no passkey is removed': async (user) => {
      const { passkeys } = await listPasskeys(engine(), user);
      return removePasskey(engine(), user, secretOf(other), passkeys[0]!.id);
    },
    'no password is changed': async (user) => {
      const passwordHash = await hashPassword(password);
      await house.query('UPDATE app_user SET password_hash = $1 WHERE id = $2', [passwordHash, user.id]);
      return changePassword(engine(), user, { secret: secretOf(other), current: password, passwordHash });
    },
    'no one may vote for them': async (user) => {
      const ally = await openBrowser(house.nodes[0], 'approver');
      return delegate(engine(), user, { toId: ally.user.id, endsAt: clock + 60_000 });
    },
    'no provider is disconnected': async (user) => {
      await house.nodes[0].connectUser(user.email, { issuer: acme.issuer, subject: user.id });
      return removeProvider(engine(), 'acme', user);
    },
  };
  const password = 'seven quiet otters paint';

  test.each(Object.entries(attempts))('%s', async (_name, attempt) => {
    const before = (await signedInUser(engine(), secretOf(other)))!;
    expect((await (await begunPasskey(own))()).ok).toBe(true);
    await addTotpRow(house.nodes[0].engine, own.user.id);
    await expect(attempt(before)).rejects.toMatchObject({ code: 'second-factor-needed' });
  });
});

test('no provider is connected by an attempt that began before a factor was added in another session', async () => {
  const begun = await beginAt(house.publicUrl, 'acme', { cookie: other.cookie, way: '/connect' });
  expect((await (await begunPasskey(own))()).ok).toBe(true);
  const back = await signInBy(acme, house.publicUrl, { sub: 'ally' }, begun);
  expect(back.next).toContain('refused=sign-in-outdated');
  expect(await house.query('SELECT subject FROM federated_identity WHERE user_id = $1', [own.user.id])).toEqual([]);
});

test('a passkey is not added by a session that ends while it is stored', async () => {
  const add = await begunPasskey(other);
  const end = () => house.call(own, 'DELETE', '/api/account/sessions');
  const [added] = await atOnce([add], end);
  expect(added!.status).toBe(401);
});
