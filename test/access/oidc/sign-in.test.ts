import pg from 'pg';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { createIdentityProvider } from '#access/oidc/wiring';
import { browserAt, openBrowser } from '../../support/nodes/console.ts';
import { beginAt, comeBack, signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider, type HostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { json } from '../../support/json.ts';

let clock = Date.now();
const newPeople = { role: 'approver', domains: ['example.com'], claims: {}, verifiedBy: 'email_verified' } as const;

const acme = await startHostileProvider('acme', () => clock);
const other = await startHostileProvider('other', () => clock);
const signInProviders = [acme.settings({ newPeople }), other.settings({ newPeople })];
/** People who sign in at an identity provider, and everything that a provider or a stranger may send instead. */
const server = await startTestServer({ now: () => clock, signInProviders });
afterAll(async () => {
  await server.stop();
  await acme.close();
  await other.close();
});
beforeEach(() => {
  clock += 60_000;
});

let people = 0;
/** Claims about someone who has not been here. */
const someone = (): JWTPayload => {
  people += 1;
  return {
    sub: `sub-${people}`,
    email: `someone${people}@example.com`,
    email_verified: true,
    name: `Someone ${people}`,
  };
};
const refusal = (next: string): string | null => new URL(next, 'http://console').searchParams.get('refused');
const whoAmI = (cookie: string | undefined) =>
  json<{ user: { id: string; email: string; role: string } }>(
    fetch(`${server.url}/api/session`, { headers: { cookie: cookie ?? '' } }),
  );

describe('a sign-in', () => {
  test('sends the browser there with code, PKCE, state and nonce, and back to the page it came from', async () => {
    const { location, cookie } = await beginAt(server.url, 'acme', { returnTo: '/requests/one?view=all' });
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'assentry',
      redirect_uri: `${server.url}/api/sign-in/acme/callback`,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      max_age: '43200',
      acr_values: 'mfa',
    });
    const back = await signInBy(acme, server.url, someone(), { location, cookie });
    expect(back).toMatchObject({ status: 303, next: '/requests/one?view=all', cookie: expect.any(String) });
  });

  test('adds someone new with the role of the rule, and knows them again by issuer and subject', async () => {
    const claims = someone();
    const { user } = await whoAmI((await signInBy(acme, server.url, claims)).cookie);
    expect(user).toMatchObject({ email: claims['email'], role: 'approver' });
    const again = await whoAmI(
      (await signInBy(acme, server.url, { sub: claims.sub ?? '', email: 'new@example.com' })).cookie,
    );
    expect(again.user.id).toBe(user.id);
  });

  test.each([
    ['mfa', 'multi-factor'],
    ['pwd', 'single-factor'],
  ])('with acr %s proves as much as %s, as of the time the provider says', async (acr, assurance) => {
    const { cookie } = await signInBy(acme, server.url, {
      ...someone(),
      acr,
      auth_time: Math.floor(clock / 1000) - 30,
    });
    const { user } = await whoAmI(cookie);
    const row = await server.engine.users.byId(user.id as never);
    expect(row).not.toBeNull();
    const session = await server.engine.users.openSessions(user.id as never, { now: clock, idle: 60_000 });
    const stored = await server.engine.users.session(session[0]!.hash);
    const at = (Math.floor(clock / 1000) - 30) * 1000;
    expect(stored?.user.authentication).toEqual({
      method: 'oidc',
      begunAt: clock,
      assurance,
      acr,
      at,
      ...(assurance === 'multi-factor' && { multiFactor: { at } }),
      by: null,
      provider: acme.issuer,
    });
  });

  test.each([
    ['of one factor', 'pwd', false, 'enrol-factor'],
    ['of several', 'mfa', false, null],
    ['whatever its acr, at a provider that lets no one in with less,', 'pwd', true, null],
  ])('%s leaves a step where a second factor is required', async (_what, acr, always, step) => {
    const signInProviders = [acme.settings({ newPeople, multiFactor: { acr: ['mfa'], amr: [], always } })];
    const { databaseUrl } = server;
    const strict = await startTestServer({ databaseUrl, now: () => clock, signInProviders, secondFactor: 'required' });
    try {
      const { cookie = '' } = await signInBy(acme, strict.url, { ...someone(), acr });
      const read = (path: string) => fetch(`${strict.url}${path}`, { headers: { cookie } });
      const { unfinished } = await json<{ unfinished: { step: string } | null }>(read('/api/session'));
      expect([unfinished?.step ?? null, (await read('/api/elicitations')).status]).toEqual([step, step ? 403 : 200]);
      if (step === null) return;
      const begun = await beginAt(strict.url, 'acme', { cookie, way: '/confirm' });
      const proven = await signInBy(acme, strict.url, { sub: `sub-${people}`, acr: 'mfa' }, begun);
      const headers = { cookie: proven.cookie ?? '' };
      expect((await fetch(`${strict.url}/api/elicitations`, { headers })).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });

  test('works at another node, and after a restart of all', async () => {
    const signInProviders = [acme.settings({ newPeople })];
    const begun = await beginAt(server.url, 'acme');
    const second = await startTestServer({ databaseUrl: server.databaseUrl, now: () => clock, signInProviders });
    try {
      // Its address differs in this test, as the one of a proxy would not.
      acme.answerWith(
        await acme.sign(acme.claims({ ...someone(), nonce: begun.location.searchParams.get('nonce') ?? '' })),
      );
      const back = await comeBack(second.url, { key: 'acme', issuer: acme.issuer }, begun);
      expect(back).toMatchObject({ next: '/', cookie: expect.any(String) });
    } finally {
      await second.stop();
    }
  });

  test('goes on when the provider has changed its key', async () => {
    const claims = someone();
    await signInBy(acme, server.url, claims);
    await acme.rotateKey();
    expect(await signInBy(acme, server.url, claims)).toMatchObject({ next: '/', cookie: expect.any(String) });
  });
});

describe('an answer that does not hold signs no one in', () => {
  const minute = 60;
  const wrong: [string, (claims: JWTPayload, nonce: string) => JWTPayload][] = [
    ['of another issuer', (claims) => ({ ...claims, iss: other.issuer })],
    ['for another audience', (claims) => ({ ...claims, aud: 'someone-else' })],
    ['for several audiences without azp', (claims) => ({ ...claims, aud: ['assentry', 'someone-else'] })],
    ['for another authorized party', (claims) => ({ ...claims, azp: 'someone-else' })],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'A'.repeat(43) })],
    ['without a nonce', ({ nonce: _nonce, ...claims }) => claims],
    ['that has expired', (claims) => ({ ...claims, exp: Math.floor(clock / 1000) - minute })],
    ['from the future', (claims) => ({ ...claims, nbf: Math.floor(clock / 1000) + minute })],
    ...['sub', 'sid', 'acr'].map(
      (name) =>
        [
          `with a NUL in ${name}`,
          (claims: JWTPayload) => ({ ...claims, [name]: 'a\0b' }),
        ] satisfies (typeof wrong)[number],
    ),
    ['without a subject', ({ sub: _sub, ...claims }) => claims],
  ];
  test.each(wrong)('%s', async (_name, change) => {
    const begun = await beginAt(server.url, 'acme');
    const nonce = begun.location.searchParams.get('nonce') ?? '';
    acme.answerWith(await acme.sign(change(acme.claims({ ...someone(), nonce }), nonce)));
    const back = await comeBack(server.url, { key: 'acme', issuer: acme.issuer }, begun);
    expect([refusal(back.next), back.cookie]).toEqual(['provider-answer-invalid', undefined]);
  });

  test.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
    ['unsigned', (claims) => acme.unsigned(claims)],
    ['signed with the secret of the client', (claims) => acme.signBySecret(claims)],
    ['signed by another provider', (claims) => other.sign(claims)],
    ['signed by a key that no one has', (claims) => acme.sign(claims, { kid: 'unknown' })],
  ])('%s', async (_name, sign) => {
    const begun = await beginAt(server.url, 'acme');
    const nonce = begun.location.searchParams.get('nonce') ?? '';
    acme.answerWith(await sign(acme.claims({ ...someone(), nonce })));
    const back = await comeBack(server.url, { key: 'acme', issuer: acme.issuer }, begun);
    expect([refusal(back.next), back.cookie]).toEqual(['provider-answer-invalid', undefined]);
  });

  test.each([
    ['the issuer of another provider in the address', { iss: 'https://evil.example.com' }],
    ['no issuer in the address', { iss: null }],
  ])('with %s', async (_name, parts) => {
    const begun = await beginAt(server.url, 'acme');
    const nonce = begun.location.searchParams.get('nonce') ?? '';
    acme.answerWith(await acme.sign(acme.claims({ ...someone(), nonce })));
    const before = acme.calls.get('/token') ?? 0;
    const back = await comeBack(server.url, { key: 'acme', issuer: acme.issuer }, begun, parts);
    expect([refusal(back.next), acme.calls.get('/token') ?? 0]).toEqual(['provider-answer-invalid', before]);
  });

  test('if the provider refuses, which is said', async () => {
    const begun = await beginAt(server.url, 'acme');
    const back = await comeBack(server.url, { key: 'acme', issuer: acme.issuer }, begun, {
      code: null,
      error: 'access_denied',
    });
    expect([refusal(back.next), back.cookie]).toEqual(['provider-refused', undefined]);
  });
});

describe('a way back', () => {
  const outdated = ['sign-in-outdated', undefined];

  test('works once', async () => {
    const begun = await beginAt(server.url, 'acme');
    expect((await signInBy(acme, server.url, someone(), begun)).cookie).toBeDefined();
    const again = await signInBy(acme, server.url, someone(), begun);
    expect([refusal(again.next), again.cookie]).toEqual(outdated);
  });

  test('works once, of many who use it at once', async () => {
    const begun = await beginAt(server.url, 'acme');
    const all = await Promise.all(Array.from({ length: 5 }, () => signInBy(acme, server.url, someone(), begun)));
    expect(all.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
  });

  test('works for ten minutes', async () => {
    const begun = await beginAt(server.url, 'acme');
    clock += 600_000;
    const late = await signInBy(acme, server.url, someone(), begun);
    expect([refusal(late.next), late.cookie]).toEqual(outdated);
  });

  test('does not work in another browser, nor without its cookie, and is not used up by that', async () => {
    const [mine, theirs] = [await beginAt(server.url, 'acme'), await beginAt(server.url, 'acme')];
    for (const cookie of [theirs.cookie, '']) {
      const crossed = await signInBy(acme, server.url, someone(), { ...mine, cookie });
      expect([refusal(crossed.next), crossed.cookie]).toEqual(outdated);
    }
    expect((await signInBy(acme, server.url, someone(), mine)).cookie).toBeDefined();
  });

  test('that another page made up ends no sign-in of this browser', async () => {
    const begun = await beginAt(server.url, 'acme');
    const address = `${server.url}/api/sign-in/acme/callback?code=any&state=made-up`;
    const forged = await fetch(address, { redirect: 'manual', headers: { cookie: begun.cookie } });
    expect([forged.status, forged.headers.getSetCookie()]).toEqual([303, []]);
    expect((await signInBy(acme, server.url, someone(), begun)).cookie).toBeDefined();
  });

  test('of one provider does not work for another', async () => {
    const begun = await beginAt(server.url, 'acme');
    const nonce = begun.location.searchParams.get('nonce') ?? '';
    other.answerWith(await other.sign(other.claims({ ...someone(), nonce })));
    const mixed = await comeBack(server.url, { key: 'other', issuer: other.issuer }, begun);
    expect([refusal(mixed.next), mixed.cookie]).toEqual(outdated);
  });

  test.each(['https://evil.example.com/', '//evil.example.com', '/\\evil.example.com', 'javascript:alert(1)', ''])(
    'leads only to pages of the console, not to %j',
    async (returnTo) => {
      const headers = { 'content-type': 'application/json', origin: server.url };
      const body = JSON.stringify({ returnTo });
      const answer = await fetch(`${server.url}/api/sign-in/acme`, { method: 'POST', headers, body });
      expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: ['returnTo'] }] }]);
    },
  );

  test('begins from our own page only', async () => {
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example.com' };
    const answer = await fetch(`${server.url}/api/sign-in/acme`, { method: 'POST', headers, body: '{"returnTo":"/"}' });
    expect(answer.status).toBe(403);
  });
});

describe('an address takes no one over', () => {
  test('that someone has already', async () => {
    const { user } = await openBrowser(server);
    const back = await signInBy(acme, server.url, { ...someone(), email: user.email.toUpperCase() });
    expect([refusal(back.next), back.cookie]).toEqual(['address-taken', undefined]);
    expect(await server.engine.federation.identitiesOf(user.id)).toEqual([]);
  });

  test('with a tag behind a +, which is the same mailbox', async () => {
    const claims = someone();
    await signInBy(acme, server.url, claims);
    const email = String(claims['email']).replace('@', '+second@');
    const back = await signInBy(other, server.url, { ...someone(), email });
    expect([refusal(back.next), back.cookie]).toEqual(['address-taken', undefined]);
  });

  test.each<[string, JWTPayload]>([
    ['is not verified', { email_verified: false }],
    ['is not said to be verified', { email_verified: undefined }],
    ['is of another domain', { email: 'someone@example.org' }],
    ['only ends like a domain of the rule', { email: 'someone@not-example.com' }],
  ])('and adds no one if it %s', async (_name, parts) => {
    const back = await signInBy(acme, server.url, { ...someone(), ...parts });
    expect([refusal(back.next), back.cookie]).toEqual(['not-invited', undefined]);
  });
});

describe('what a person may often write themselves at the provider', () => {
  test.each([
    'two@evil.example@example.com',
    'one@evil.example,two@example.com',
    '"one@evil.example"@example.com',
    'one\r\nBcc: two@example.com',
    'Ada <ada@example.com',
    'a b@example.com',
    'ad\u0430@example.com',
    '@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('adds no one with an address that is read in two ways: %j', async (email) => {
    const back = await signInBy(acme, server.url, { ...someone(), email });
    expect([refusal(back.next), back.cookie]).toEqual(['not-invited', undefined]);
  });

  test.each(['Ada\u202Egnp', 'A\u200bda', 'Ada\u001b[31m', 'Ada\0', 'a'.repeat(201)])(
    'gives no one a name with hidden characters, nor one without an end: %j',
    async (name) => {
      const claims = someone();
      const { cookie } = await signInBy(acme, server.url, { ...claims, name });
      const { user } = await whoAmI(cookie);
      expect(user).toMatchObject({ email: claims['email'], name: claims['email'] });
    },
  );
});

describe('someone who is disabled', () => {
  test('is refused, and their sessions have ended', async () => {
    const claims = someone();
    const { cookie } = await signInBy(acme, server.url, claims);
    const { user } = await whoAmI(cookie);
    const admin = await openBrowser(server, 'admin');
    expect((await admin.call('PATCH', `/api/users/${user.id}`, { disabled: true })).status).toBeLessThan(300);
    expect((await browserAt(server.url, user as never, cookie ?? '').call('GET', '/api/session')).status).toBe(401);
    const back = await signInBy(acme, server.url, claims);
    expect([refusal(back.next), back.cookie]).toEqual(['access-ended', undefined]);
  });
});

describe('a provider that is down', () => {
  test('is said before anyone leaves, and passwords go on', async () => {
    clock += 600_000; // what it said of itself is read again
    acme.goDown(true);
    try {
      const headers = { 'content-type': 'application/json', origin: server.url };
      const answer = await fetch(`${server.url}/api/sign-in/acme`, {
        method: 'POST',
        headers,
        body: '{"returnTo":"/"}',
      });
      expect([answer.status, await answer.json()]).toMatchObject([
        503,
        { detail: 'Try again in a moment: ACME does not answer.' },
      ]);
    } finally {
      acme.goDown(false);
    }
  });

  test('while someone is on the way back is said as well', async () => {
    const begun = await beginAt(server.url, 'acme');
    acme.goDown(true);
    try {
      expect(refusal((await signInBy(acme, server.url, someone(), begun)).next)).toBe('provider-down');
    } finally {
      acme.goDown(false);
    }
  });
});

describe('settings that the provider does not agree with', () => {
  const begin = (parts: Parameters<HostileProvider['settings']>[0]) =>
    createIdentityProvider(acme.settings(parts), () => clock).authorizationUrl({
      redirectUri: `${server.url}/callback`,
      state: 'state',
      nonce: 'nonce',
      codeVerifier: 'verifier',
      maxAge: 0,
    });

  test.each([
    ['a slash at the end', (issuer: string) => `${issuer}/`],
    ['another name of the machine', (issuer: string) => issuer.replace('127.0.0.1', 'localhost')],
  ])('an issuer with %s sends no one there, and the operator reads what to write', async (_name, spell) => {
    await expect(begin({ issuer: spell(acme.issuer) })).rejects.toMatchObject({
      reason: 'provider-answer-invalid',
      code: 'config-invalid', // for the node's own log alone
      message: expect.stringMatching(`^Set "acme.issuer" in ASSENTRY_SIGN_IN_PROVIDERS to ${acme.issuer}, `),
    });
  });

  test.each([
    ['by a challenge', { 'www-authenticate': 'Basic realm="acme"' }],
    ['in its answer alone', {}],
  ])('a client secret that it refuses %s', async (_name, headers) => {
    const begun = await beginAt(server.url, 'acme');
    acme.refuseClient(true, headers);
    try {
      expect(refusal((await signInBy(acme, server.url, someone(), begun)).next)).toBe('provider-answer-invalid');
      const provider = createIdentityProvider(acme.settings(), () => clock);
      const callback = new URL(`${server.url}/callback?code=any&state=state&iss=${encodeURIComponent(acme.issuer)}`);
      await expect(
        provider.redeem(callback, { state: 'state', nonce: 'nonce', codeVerifier: 'verifier' }),
      ).rejects.toMatchObject({ message: expect.stringMatching(/^Check "clientId" and the client secret of "acme"/) });
    } finally {
      acme.refuseClient(false);
    }
  });
});

test('people who wait for a provider that hangs take no place of others', async () => {
  const slow = await startHostileProvider('slow', () => clock);
  const rates = { opened: 1e6, calls: 1e6, streams: 1e6, inProgress: 2, inProgressPerCaller: 2 };
  const second = await startTestServer({ now: () => clock, signInProviders: [slow.settings()], rates });
  try {
    const headers = { 'content-type': 'application/json', origin: second.url };
    const begun = await beginAt(second.url, 'slow');
    slow.hang();
    clock += 400_000; // what it said of itself is read again
    const begin = () => fetch(`${second.url}/api/sign-in/slow`, { method: 'POST', headers, body: '{"returnTo":"/"}' });
    const logout = () =>
      fetch(`${second.url}/api/sign-in/slow/back-channel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: 'token' }),
      });
    const waiting = Promise.allSettled([
      begin(),
      begin(),
      logout(),
      logout(),
      comeBack(second.url, { key: 'slow', issuer: slow.issuer }, begun),
    ]);
    await until(() => (slow.calls.get('/.well-known/openid-configuration') ?? 0) >= 6);
    expect((await fetch(`${second.url}/api/sign-in`)).status).toBe(200);
    await slow.close();
    await waiting;
  } finally {
    await slow.close();
    await second.stop();
  }
});

test('the log names the provider, and a keyed hash for who was refused', async () => {
  await signInBy(acme, server.url, someone());
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ entry: object }>(
    "SELECT convert_from(body, 'utf8')::jsonb AS entry FROM audit_entry",
  );
  await client.end();
  const entries = rows.map(({ entry }) => entry);
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'user.added', actor: { kind: 'provider', provider: acme.issuer } }),
      expect.objectContaining({ type: 'user.signed-in', with: 'oidc', provider: acme.issuer }),
      expect.objectContaining({ type: 'access.sign-in-failed', what: 'address-taken' }),
    ]),
  );
});
