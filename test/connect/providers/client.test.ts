import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createConnectClient } from '#connect/connections/wiring';
import { OAuth, type ConnectProvider, type Journey, type TokenSet } from '#connect/providers/provider';
import { startFakeProvider, type FakeProvider } from '../../support/connect/fake-provider.ts';
import { clientId, clientSecret, startHostileProvider } from '../../support/nodes/hostile-provider.ts';

const now = Date.parse('2026-11-30T12:00:00Z');
const fake = await startFakeProvider({ now: () => now });
const acme = await startHostileProvider('acme', () => now);
afterAll(() => Promise.all([fake.close(), acme.close()]));

const scopes = ['repo', 'read:user'];
let journeys = 0;
const journey = (): Journey => {
  const at = (journeys += 1);
  return {
    redirectUri: 'https://assentry.example.com/providers/fake/return',
    state: `state-${at}`,
    codeVerifier: `verifier-${at}-`.padEnd(43, 'v'),
    nonce: `nonce-${at}`,
  };
};

/** A client with a time limit that a test can wait for. */
const clientOf = (settings: ConnectProvider) => createConnectClient(settings, () => now, 1_000);

/** What the person's browser comes back with. */
async function comeBack(provider: FakeProvider, settings = provider.settings(), way = journey()) {
  const client = clientOf(settings);
  return { client, way, returned: await provider.visit(await client.authorizationUrl(way, scopes)) };
}

async function connect(provider: FakeProvider, settings = provider.settings()) {
  const { client, way, returned } = await comeBack(provider, settings);
  return { client, ...(await client.redeem(returned, way, scopes)) };
}

const problemOf = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => null,
    (error: unknown) => error,
  );

beforeEach(() => {
  fake.isDown(false);
  fake.declines(false);
  fake.saysIssuer(fake.url);
  fake.grants(null);
  fake.expiresIn(28_800);
  for (const path of ['/token', '/user', '/revoke', '/auth.revoke']) fake.answers(path, null);
});

describe('the way to the provider', () => {
  test('asks for the scopes in the way of the provider, with PKCE and state, and says no nonce to plain OAuth', async () => {
    const settings = fake.settings({}, { ownScopes: ['offline'], parameters: { prompt: 'consent' } });
    const { way } = await comeBack(fake, settings);
    const { code_challenge: challenge, ...rest } = Object.fromEntries(fake.asked());
    expect(challenge).toMatch(/^[\w-]{43}$/);
    expect(rest).toEqual({
      client_id: fake.clientId,
      redirect_uri: way.redirectUri,
      response_type: 'code',
      scope: 'offline,repo,read:user',
      state: way.state,
      code_challenge_method: 'S256',
      prompt: 'consent',
    });
  });

  test('holds neither the verifier nor the secret', async () => {
    const way = journey();
    const address = await clientOf(fake.settings()).authorizationUrl(way, scopes);
    expect(address).not.toContain(way.codeVerifier);
    expect(address).not.toContain(fake.clientSecret);
  });

  test('leads to a host of the description only', async () => {
    const settings = openIdSettings({}, { pageHosts: ['id.example.com'] });
    await expect(clientOf(settings).authorizationUrl(journey(), [])).rejects.toThrowProblem('token-invalid');
  });
});

describe('a code', () => {
  test('becomes tokens and the account', async () => {
    fake.consentsAs({ id: 42, login: 'ada' });
    const { tokens, account } = await connect(fake);
    expect(account).toEqual({ id: '42', label: 'ada' });
    expect(tokens).toEqual({
      accessToken: expect.stringMatching(/^access-/),
      refreshToken: expect.stringMatching(/^refresh-/),
      expiresAt: now + 28_800_000,
      scopes,
    });
    expect(fake.isLive(tokens.accessToken)).toBe(true);
  });

  test('grants what the provider says, which may be less', async () => {
    fake.grants(['read:user']);
    expect((await connect(fake)).tokens.scopes).toEqual(['read:user']);
  });

  test('may give a token without an end', async () => {
    fake.expiresIn(null);
    expect((await connect(fake)).tokens.expiresAt).toBeNull();
  });

  test('is redeemed once', async () => {
    const { client, way, returned } = await comeBack(fake);
    await client.redeem(returned, way, scopes);
    await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('token-invalid');
  });

  test('is redeemed for the address that was sent, whatever a proxy made of it', async () => {
    const { client, way, returned } = await comeBack(fake);
    const inside = new URL(`http://10.0.0.7:4700/other${returned.search}`);
    await expect(client.redeem(inside, way, scopes)).resolves.toMatchObject({ account: { label: 'ada' } });
  });

  test.each<[string, (way: Journey) => Partial<Journey>]>([
    ['state', () => ({ state: 'another' })],
    ['verifier', () => ({ codeVerifier: 'w'.repeat(43) })],
    ['address', () => ({ redirectUri: 'https://assentry.example.com/providers/other/return' })],
  ])('is refused with another %s', async (_what, change) => {
    const { client, way, returned } = await comeBack(fake);
    await expect(client.redeem(returned, { ...way, ...change(way) }, scopes)).rejects.toThrowProblem('token-invalid');
  });

  test.each<[string, (returned: URL) => void]>([
    ['without its state', ({ searchParams }) => searchParams.delete('state')],
    ['with two states', ({ searchParams }) => searchParams.append('state', 'another')],
    ['without an issuer', ({ searchParams }) => searchParams.delete('iss')],
    ['of another issuer', ({ searchParams }) => searchParams.set('iss', 'https://evil.example.com')],
    ['with two issuers', ({ searchParams }) => searchParams.append('iss', 'https://evil.example.com')],
    ['that is absent', ({ searchParams }) => searchParams.delete('code')],
  ])('%s is shown to no token endpoint', async (_what, change) => {
    const { client, way, returned } = await comeBack(fake);
    const before = fake.calls.get('/token');
    change(returned);
    await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('token-invalid');
    expect(fake.calls.get('/token')).toBe(before);
  });
});

describe('an attacker who is a provider as well', () => {
  test.each([
    ['that names its issuer', (url: string) => url],
    ['that names none', () => null],
  ])('gets no code of a provider from a person who was led on, as a provider %s', async (_what, issuerOf) => {
    const evil = await startFakeProvider({ key: 'evil', now: () => now });
    try {
      const client = clientOf(evil.settings({}, { iss: issuerOf(evil.url) }));
      const way = journey();
      const sent = new URL(await client.authorizationUrl(way, scopes));
      // The attacker sends the person on to the honest provider, with its client, and the state of this journey.
      const led = new URL(`${fake.url}/authorize`);
      led.search = sent.search;
      led.searchParams.set('client_id', fake.clientId);
      const returned = await fake.visit(led.href);
      expect(returned.searchParams.has('code')).toBe(true);
      await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('token-invalid');
      expect(evil.calls.get('/token')).toBeUndefined();
    } finally {
      await evil.close();
    }
  });

  test('does not stop a provider that begins to send its own issuer without notice', async () => {
    fake.saysIssuer(`${fake.url}/login/oauth`);
    const { account } = await connect(fake, fake.settings({}, { iss: null }));
    expect(account?.label).toBe('ada');
    fake.saysIssuer(null);
    await expect(connect(fake, fake.settings({}, { iss: null }))).resolves.toBeDefined();
  });
});

describe('a refusal', () => {
  test('of the person is connection-declined', async () => {
    fake.declines();
    const { client, way, returned } = await comeBack(fake);
    await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('connection-declined');
  });

  test('is believed only with the state of the journey', async () => {
    fake.declines();
    const { client, way, returned } = await comeBack(fake);
    const other = { ...way, state: 'another' };
    await expect(client.redeem(returned, other, scopes)).rejects.toThrowProblem('token-invalid');
  });

  test('by a provider that cannot now is provider-unavailable', async () => {
    fake.declines();
    const { client, way, returned } = await comeBack(fake);
    returned.searchParams.set('error', 'temporarily_unavailable');
    await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('provider-unavailable');
  });

  test('of the client tells the operator what to check', async () => {
    fake.answers('/token', reply(401, { error: 'invalid_client' }));
    const { client, way, returned } = await comeBack(fake);
    await expect(client.redeem(returned, way, scopes)).rejects.toMatchObject({
      code: 'token-invalid',
      message: 'Check "clientId" and the client secret of "fake" in ASSENTRY_PROVIDERS: Fake does not accept them.',
    });
  });
});

const reply =
  (status: number, content: unknown, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof content === 'string' ? content : JSON.stringify(content));

const hang = (): void => {};
const big = JSON.stringify({ access_token: 'a', token_type: 'bearer', more: 'x'.repeat(2 * 1024 * 1024) });
const elsewhere = () => ({ location: `${fake.url}/elsewhere` });

describe.each(['/token', '/user'])('an answer of %s', (path) => {
  test.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['that never comes', hang],
    ['of 2 MB', reply(200, big)],
    ['that leads elsewhere', (request, response) => reply(307, {}, elsewhere())(request, response)],
    ['that says too many requests', reply(429, { error: 'slow_down' })],
    ['that is an error of the provider', reply(502, '<html>')],
    ['that breaks off', (_request, response) => void response.writeHead(200).write('{', () => response.destroy())],
  ])('%s is provider-unavailable', async (_what, answer) => {
    fake.answers(path, answer);
    const { client, way, returned } = await comeBack(fake);
    await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('provider-unavailable');
    expect(fake.calls.get('/elsewhere')).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['no JSON', '<html>'],
    ['no object', []],
    ['nothing that was asked for', {}],
    ['an error, with status 200', { error: 'bad_verification_code' }],
  ])('that is %s is token-invalid', async (_what, content) => {
    fake.answers(path, reply(200, content));
    const { client, way, returned } = await comeBack(fake);
    await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('token-invalid');
  });
});

test('a provider that is down is provider-unavailable', async () => {
  const { client, way, returned } = await comeBack(fake);
  fake.isDown();
  await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('provider-unavailable');
});

test('no problem holds a code, a token, a verifier or the secret, not even for the log', async () => {
  const answers = [
    async (request: IncomingMessage, response: ServerResponse) => {
      const form = new URLSearchParams(await text(request));
      reply(200, { error: form.get('code'), error_description: form.get('client_secret') })(request, response);
    },
    (request: IncomingMessage, response: ServerResponse) => void request.pipe(response.writeHead(200)),
    (request: IncomingMessage, response: ServerResponse) =>
      void request.pipe(response.writeHead(200, { 'content-type': 'application/json' })),
    reply(200, { access_token: 'canary-token', token_type: 'mac' }),
    reply(200, { access_token: 'canary-token', token_type: 'bearer', expires_in: 'soon' }),
  ];
  for (const answer of answers) {
    fake.answers('/token', answer);
    const { client, way, returned } = await comeBack(fake);
    const shown = inspect(await problemOf(client.redeem(returned, way, scopes)), { depth: 20, showHidden: true });
    expect(shown).toContain('token-invalid');
    const secrets = [returned.searchParams.get('code') ?? '', way.codeVerifier, fake.clientSecret, 'canary-token'];
    for (const secret of secrets) expect(shown).not.toContain(secret);
  }
});

describe('an account', () => {
  test.each<[string, object, object]>([
    ['an id that is a number', { id: 7, login: 'ada' }, { id: '7', label: 'ada' }],
    ['no label', { id: 'u-7', login: null }, { id: 'u-7', label: 'u-7' }],
    ['a label with characters that no one sees', { id: 'u-7', login: 'ada\u202Exe' }, { id: 'u-7', label: 'u-7' }],
  ])('with %s has both as text', async (_what, content, account) => {
    fake.answers('/user', reply(200, content));
    expect((await connect(fake)).account).toEqual(account);
  });

  test.each([
    ['without an id', { login: 'ada' }],
    ['with an empty id', { id: '' }],
    ['with an id that is too large to be exact', { id: 2 ** 53 }],
    ['with an id that is no text', { id: { toString: 'x' } }],
    ['with an id that has a line end', { id: 'a\nb' }],
  ])('%s is token-invalid', async (_what, content) => {
    fake.answers('/user', reply(200, content));
    await expect(connect(fake)).rejects.toThrowProblem('token-invalid');
  });

  test('is found by its place in the answer', async () => {
    fake.answers('/user', reply(200, { 'a/b': [{ 'c~d': 'u-7' }], who: { name: 'Ada' } }));
    const account = { url: `${fake.url}/user`, id: '/a~1b/0/c~0d', label: '/who/name' };
    expect((await connect(fake, fake.settings({}, { account }))).account).toEqual({ id: 'u-7', label: 'Ada' });
  });
});

describe('a refresh', () => {
  test('gives other tokens, and another refresh token where it rotates', async () => {
    const { client, tokens } = await connect(fake);
    const next = await client.refresh(tokens);
    expect(next).toMatchObject({ expiresAt: now + 28_800_000, scopes });
    expect(next.accessToken).not.toBe(tokens.accessToken);
    expect(next.refreshToken).not.toBe(tokens.refreshToken);
    expect(fake.isLive(next.accessToken)).toBe(true);
  });

  test('with a refresh token that was used is connection-declined, and the provider ends all of its family', async () => {
    const { client, tokens } = await connect(fake);
    const next = await client.refresh(tokens);
    await expect(client.refresh(tokens)).rejects.toThrowProblem('connection-declined');
    expect(fake.reuses()).toBe(1);
    expect(fake.isLive(next.accessToken)).toBe(false);
  });

  test('keeps the refresh token where the provider does', async () => {
    const keeping = await startFakeProvider({ refresh: 'keeps', now: () => now });
    try {
      const { client, tokens } = await connect(keeping);
      const next = await client.refresh(tokens);
      expect(next.refreshToken).toBe(tokens.refreshToken);
      await expect(client.refresh(next)).resolves.toMatchObject({ refreshToken: tokens.refreshToken });
    } finally {
      await keeping.close();
    }
  });

  test('is connection-declined without a call where there is no refresh token', async () => {
    const plain = await startFakeProvider({ refresh: 'none', now: () => now });
    try {
      const { client, tokens } = await connect(plain);
      expect(tokens.refreshToken).toBeNull();
      await expect(client.refresh(tokens)).rejects.toThrowProblem('connection-declined');
      expect(plain.refreshes()).toBe(0);
    } finally {
      await plain.close();
    }
  });

  test('is connection-declined once the person has withdrawn it at the provider', async () => {
    const { client, tokens } = await connect(fake);
    fake.withdraw();
    await expect(client.refresh(tokens)).rejects.toThrowProblem('connection-declined');
  });

  test.each([
    [400, { error: 'invalid_grant' }, 'connection-declined'],
    [403, { error: 'invalid_grant' }, 'connection-declined'],
    [400, { error: 'invalid_request' }, 'token-invalid'],
    [401, { error: 'invalid_client' }, 'token-invalid'],
    [400, { error: 'temporarily_unavailable' }, 'provider-unavailable'],
    [503, { error: 'invalid_grant' }, 'provider-unavailable'],
  ] as const)('that is answered by %i %j is %s', async (status, content, code) => {
    const { client, tokens } = await connect(fake);
    fake.answers('/token', reply(status, content));
    await expect(client.refresh(tokens)).rejects.toThrowProblem(code);
  });

  test('keeps what the provider leaves out', async () => {
    const { client, tokens } = await connect(fake);
    fake.answers('/token', reply(200, { access_token: 'next' }));
    await expect(client.refresh(tokens)).resolves.toEqual({ ...tokens, accessToken: 'next', expiresAt: null });
  });
});

describe('tokens that the provider nests', () => {
  const nested = {
    access_token: 'xoxp-1',
    refresh_token: 'xoxe-1',
    scope: 'chat:write,files:read',
    token_type: 'user',
  };

  test('are read there, or at the top where they are not nested', async () => {
    const settings = fake.settings({}, { tokens: '/authed_user' });
    const { client, way, returned } = await comeBack(fake, settings);
    fake.answers('/token', reply(200, { ok: true, authed_user: { id: 'U1', ...nested } }));
    fake.answers('/user', reply(200, { id: 'U1', login: 'ada' }));
    const { tokens } = await client.redeem(returned, way, scopes);
    expect(tokens).toEqual({
      accessToken: 'xoxp-1',
      refreshToken: 'xoxe-1',
      expiresAt: null,
      scopes: ['chat:write', 'files:read'],
    });
    fake.answers('/token', reply(200, { ok: true, ...nested, access_token: 'xoxp-2', expires_in: 43_200 }));
    await expect(client.refresh(tokens)).resolves.toMatchObject({ accessToken: 'xoxp-2', expiresAt: now + 43_200_000 });
    fake.answers('/token', reply(200, { ok: false, error: 'bad_refresh_token' }));
    await expect(client.refresh(tokens)).rejects.toThrowProblem('connection-declined');
  });
});

describe('a revocation', () => {
  const isLive = ({ accessToken, refreshToken }: TokenSet): boolean[] =>
    [accessToken, refreshToken ?? ''].map((token) => fake.isLive(token));

  test('ends both tokens at the provider, and may be repeated', async () => {
    const { client, tokens } = await connect(fake);
    await expect(client.revoke(tokens)).resolves.toBe(true);
    expect(isLive(tokens)).toEqual([false, false]);
    await expect(client.revoke(tokens)).resolves.toBe(true);
  });

  test('in the way of GitHub ends this token, and may be repeated', async () => {
    const revoke = {
      url: `${fake.url}/applications/{clientId}/token`,
      method: 'DELETE',
      authentication: 'basic',
      member: 'access_token',
    };
    const { client, tokens } = await connect(fake, fake.settings({}, { revoke }));
    await expect(client.revoke(tokens)).resolves.toBe(true);
    expect(isLive(tokens)[0]).toBe(false);
    await expect(client.revoke(tokens)).resolves.toBe(true);
  });

  test('in the way of Slack is sent with the token itself, and errors have the status 200', async () => {
    const revoke = { url: `${fake.url}/auth.revoke`, method: 'POST', authentication: 'bearer' };
    const settings = fake.settings({}, { revoke, withdrawn: ['token_revoked'] });
    const { client, tokens } = await connect(fake, settings);
    const shown: unknown[] = [];
    fake.answers('/auth.revoke', (request, response) => {
      shown.push(request.headers.authorization);
      reply(200, { ok: true, revoked: true })(request, response);
    });
    await expect(client.revoke(tokens)).resolves.toBe(true);
    expect(shown).toEqual([`Bearer ${tokens.accessToken}`]);
    fake.answers('/auth.revoke', reply(200, { ok: false, error: 'token_revoked' }));
    await expect(client.revoke(tokens)).resolves.toBe(true);
    fake.answers('/auth.revoke', reply(200, { ok: false, error: 'not_allowed' }));
    await expect(client.revoke(tokens)).rejects.toThrowProblem('token-invalid');
  });

  test('is false where the provider knows no way', async () => {
    const { client, tokens } = await connect(fake, fake.settings({}, { revoke: undefined }));
    await expect(client.revoke(tokens)).resolves.toBe(false);
    expect(isLive(tokens)).toEqual([true, true]);
  });

  test('that is not answered is provider-unavailable', async () => {
    const { client, tokens } = await connect(fake);
    fake.isDown();
    await expect(client.revoke(tokens)).rejects.toThrowProblem('provider-unavailable');
  });
});

describe('a private address', () => {
  test.each(['10.1.2.3', '169.254.169.254', '192.168.0.1', '[fd00::1]'])(
    'is not reached, though it stands in the description: %s',
    async (host) => {
      const { client, way, returned } = await comeBack(fake, fake.settings({}, { token: `https://${host}/token` }));
      await expect(client.redeem(returned, way, scopes)).rejects.toThrowProblem('provider-unavailable');
      const account = { url: `https://${host}/user`, id: '/id', label: '/login' };
      await expect(connect(fake, fake.settings({}, { account }))).rejects.toThrowProblem('provider-unavailable');
    },
  );
});

/** A provider by OpenID Connect, or by RFC 8414. */
function openIdSettings(oauth: Record<string, unknown> = {}, parts: Partial<ConnectProvider> = {}): ConnectProvider {
  const { host } = new URL(acme.issuer);
  return {
    ...fake.settings(),
    label: 'Acme',
    key: 'acme',
    clientId,
    clientSecret,
    pageHosts: [host],
    oauth: OAuth.parse({ issuer: acme.issuer, refresh: 'keeps', ...oauth }),
    ...parts,
  };
}

describe('an issuer that describes itself', () => {
  const back = ({ redirectUri, state }: Journey, parts: Record<string, string> = {}): URL =>
    new URL(`${redirectUri}?${new URLSearchParams({ code: 'c', state, iss: acme.issuer, ...parts })}`);

  test('is asked for its ID token with a nonce, which names the account', async () => {
    const client = clientOf(openIdSettings({ ownScopes: ['email'] }));
    const way = journey();
    const { searchParams } = new URL(await client.authorizationUrl(way, ['calendar']));
    expect(searchParams.get('scope')).toBe('openid email calendar');
    expect(searchParams.get('nonce')).toBe(way.nonce);
    acme.answerWith(await acme.sign(acme.claims({ nonce: way.nonce, email: 'ada@example.com' })));
    await expect(client.redeem(back(way), way, ['calendar'])).resolves.toEqual({
      tokens: { accessToken: 'opaque', refreshToken: null, expiresAt: null, scopes: ['calendar'] },
      account: { id: 'ada-7', label: 'ada@example.com' },
    });
  });

  test.each<[string, (nonce: string) => Promise<string> | string]>([
    ['another nonce', () => acme.sign(acme.claims({ nonce: 'another' }))],
    ['no nonce', () => acme.sign(acme.claims())],
    ['another audience', (nonce) => acme.sign(acme.claims({ nonce, aud: 'other' }))],
    ['another authorized party', (nonce) => acme.sign(acme.claims({ nonce, aud: [clientId, 'x'], azp: 'x' }))],
    ['another issuer', (nonce) => acme.sign(acme.claims({ nonce, iss: 'https://evil.example.com' }))],
    ['a time that is over', (nonce) => acme.sign(acme.claims({ nonce, exp: now / 1000 - 60 }))],
    ['a time to come', (nonce) => acme.sign(acme.claims({ nonce, iat: now / 1000 + 60, exp: now / 1000 + 90 }))],
    ['no signature', (nonce) => acme.unsigned(acme.claims({ nonce }))],
    ['a signature by the secret of the client', (nonce) => acme.signBySecret(acme.claims({ nonce }))],
  ])('is refused with an ID token of %s', async (_what, tokenOf) => {
    const way = journey();
    acme.answerWith(await tokenOf(way.nonce));
    await expect(clientOf(openIdSettings()).redeem(back(way), way, [])).rejects.toThrowProblem('token-invalid');
  });

  test('is refused without the issuer that it announces, and with another one', async () => {
    const way = journey();
    const client = clientOf(openIdSettings());
    acme.answerWith(await acme.sign(acme.claims({ nonce: way.nonce })));
    const bare = back(way);
    bare.searchParams.delete('iss');
    await expect(client.redeem(bare, way, [])).rejects.toThrowProblem('token-invalid');
    const other = back(way, { iss: 'https://evil.example.com' });
    await expect(client.redeem(other, way, [])).rejects.toThrowProblem('token-invalid');
    await expect(client.redeem(back(way), way, [])).resolves.toBeDefined();
  });

  test('is provider-unavailable while it does not answer, already on the way there', async () => {
    acme.goDown(true);
    await expect(clientOf(openIdSettings()).authorizationUrl(journey(), [])).rejects.toThrowProblem(
      'provider-unavailable',
    );
    acme.goDown(false);
  });

  test('is found by RFC 8414 as well', async () => {
    const metadata = {
      issuer: fake.url,
      authorization_endpoint: `${fake.url}/authorize`,
      token_endpoint: `${fake.url}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      revocation_endpoint: `${fake.url}/revoke`,
      authorization_response_iss_parameter_supported: true,
    };
    fake.answers('/.well-known/oauth-authorization-server', reply(200, metadata));
    const account = { url: `${fake.url}/user`, id: '/id', label: '/login' };
    const settings = fake.settings({ oauth: OAuth.parse({ issuer: fake.url, account, separator: ',' }) });
    fake.consentsAs({ id: 42, login: 'ada' });
    const { client, tokens, ...connected } = await connect(fake, settings);
    expect(connected.account).toEqual({ id: '42', label: 'ada' });
    await expect(client.revoke(tokens)).resolves.toBe(true);
    fake.answers('/.well-known/oauth-authorization-server', reply(200, { ...metadata, issuer: `${fake.url}/` }));
    await expect(clientOf(settings).authorizationUrl(journey(), [])).rejects.toThrowProblem('token-invalid');
  });
});
