import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { autoKeyOf, autoProviders, faultOfMetadata, readChallenge, resourceOf } from '#connect/auto/rules';
import { openResources } from '#connect/auto/wiring';
import type { ConnectionToken, FoundConnection } from '#connect/connections/contract';
import { withIssuer } from '#connect/auto/verbs/issuer';
import { withdrawConnections } from '#connect/connections/verbs/tokens';
import { listAllCredentials, removeCredential } from '#connect/credentials/verbs';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { json } from '../../support/json.ts';
import { startIssuerOfServers } from '../../support/connect/issuer-of-servers.ts';
import { startProtectedServer, type ProtectedServer } from '../../support/connect/protected-server.ts';
import { freshDatabase } from '../../support/databases/database.ts';
import { dumpDatabase } from '../../support/databases/database-dump.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { spawnNode } from '../../support/nodes/node-process.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { leaveBy, newVisitor, type Visitor } from '../../support/nodes/visitor.ts';

let ahead = 0;
const now = () => Date.now() + ahead;
const issuer = await startIssuerOfServers();
const other = await startIssuerOfServers();
const withoutSecrets = await startIssuerOfServers({ clientAuthMethods: ['none'] });
const closed = await startIssuerOfServers({
  features: { registration: { enabled: false }, registrationManagement: { enabled: false } },
});
/** Issuers whose metadata does not hold. */
const evil = await startProtectedServer([]);
const { origin: evilIssuer } = new URL(evil.url);
const [notes, tasks] = [await startProtectedServer([issuer.issuer]), await startProtectedServer([issuer.issuer])];
const issuers = [issuer, other, withoutSecrets, closed].map(({ issuer: name }) => name);
const connectProviders = autoProviders({ servers: ['payments'], issuers: [...issuers, evilIssuer], scopes: ['write'] });
const house = await startTestServer({ connectProviders, now });
const asking = askingAt(house.url, await house.newServerKey());
const open: ProtectedServer[] = [evil, notes, tasks];
afterAll(async () => {
  await house.stop();
  for (const { close } of [...open, issuer, other, withoutSecrets, closed]) await close();
});
let round = 0;
let requester = { subject: '' };
beforeEach(() => {
  requester = { subject: `client:test-${(round += 1)}` };
  ahead = 0;
});

/** A server behind these issuers, of this test alone: what it says of itself is kept for a while. */
async function newServer(names: string[] = [issuer.issuer], path?: string): Promise<ProtectedServer> {
  const server = await startProtectedServer(names, path);
  open.push(server);
  return server;
}

const question = (resource: string, expects: object = {}) => ({
  tool: { name: 'refund' },
  arguments: {},
  message: 'Connect.',
  mode: 'url',
  requester,
  expects: { kind: 'connection', provider: 'auto', resource, ...expects },
});

async function ask(resource: string, expects: object = {}, at = asking): Promise<OpenedElicitation> {
  const response = await at.call('POST', '/v1/elicitations', question(resource, expects));
  return json<OpenedElicitation>(response);
}

/** Code and sentence of the refusal. */
async function refusalOf(resource: string, expects: object = {}): Promise<[string, string]> {
  const answer = await asking.call('POST', '/v1/elicitations', question(resource, expects));
  const {
    code,
    detail,
    errors = [],
  } = await json<{ code: string; detail: string; errors?: { path: string[] }[] }>(answer);
  return [code, errors.length > 0 ? JSON.stringify(errors) : detail];
}

const find = (resource: string, at = asking): Promise<FoundConnection> =>
  json(at.call('POST', '/v1/connections', { provider: 'auto', resource, requester }));
const use = (id: string, at = asking): Promise<Response> =>
  at.call('POST', `/v1/connections/${id}/token`, { requester });
const tokenOf = async (id: string, at = asking): Promise<string> => (await json<ConnectionToken>(use(id, at))).token;

interface Way {
  visitor: Visitor;
  question: OpenedElicitation;
  address: string;
}

async function leave(resource: string, expects: object = {}, at = asking): Promise<Way> {
  const [visitor, opened] = [newVisitor(), await ask(resource, expects, at)];
  return { visitor, question: opened, address: await leaveBy(visitor, opened.url ?? '', opened.code ?? '') };
}

/** The id of the connection that the person makes. */
async function connect(resource: string, at = asking, { visit } = issuer): Promise<string> {
  const { visitor, address } = await leave(resource, {}, at);
  expect((await visitor.get((await visit(address)).href)).status).toBe(303);
  return idOf(await find(resource, at));
}

function idOf(answer: FoundConnection): string {
  if (answer.state !== 'stored') throw new TypeError(`not connected: ${answer.state}`);
  return answer.connection.id;
}

const parametersOf = (address: string): Record<string, string> => Object.fromEntries(new URL(address).searchParams);
const registrations = ({ posted } = issuer): number => posted.get('/reg')?.length ?? 0;

test('the issuer that a server names is found, and a token for that server is what its person connects', async () => {
  const { visitor, question: opened, address } = await leave(notes.url);
  const page = await visitor.get(opened.url ?? '');
  const { host } = new URL(issuer.issuer);
  expect(page.html).toContain(`payments wants to use your ${host} account`);
  expect(page.html).toContain('<code>read</code>');
  expect(page.html).toContain(`It gives access to ${new URL(notes.url).host} alone.`);
  const key = autoKeyOf(issuer.issuer);
  expect(parametersOf(address)).toMatchObject({
    redirect_uri: `${house.url}/providers/${key}/return`,
    resource: notes.url,
    scope: 'offline_access read',
    code_challenge_method: 'S256',
  });
  const back = await visitor.get((await issuer.visit(address)).href);
  const end = await visitor.get(new URL(back.headers.get('location') ?? '', house.url).href);
  expect(end.html).toContain(`${host} is connected as payments for payments`);
  const answer = await find(notes.url);
  expect(answer).toMatchObject({
    connection: { provider: key, account: { label: 'payments' }, scopes: ['read'], hosts: [new URL(notes.url).host] },
  });
  const token = await tokenOf(idOf(answer));
  expect([await issuer.isLive(token, notes.url), await issuer.isLive(token, tasks.url)]).toEqual([true, false]);
  expect(issuer.posted.get('/token')?.at(-1)?.get('resource')).toBe(notes.url);
  const { status } = await json<OpenedElicitation>(asking.call('GET', `/v1/elicitations/${opened.id}`));
  expect(status).toBe('accepted');
  const listed = await listAllCredentials(house.engine);
  expect(listed.map(({ connection }) => connection?.provider)).toContain(host);
});

test('a token is renewed for the same server', async () => {
  const id = await connect(notes.url);
  const first = await tokenOf(id);
  ahead = 570_000;
  const next = await tokenOf(id);
  expect(next).not.toBe(first);
  expect(await issuer.isLive(next, notes.url)).toBe(true);
  const form = issuer.posted.get('/token')?.at(-1);
  expect([form?.get('grant_type'), form?.get('resource')]).toEqual(['refresh_token', notes.url]);
});

describe('two servers at one issuer', () => {
  test('share no token, and the connection of one answers no question about the other', async () => {
    const waiting = await ask(tasks.url);
    const id = await connect(notes.url);
    expect(await find(tasks.url)).toEqual({ state: 'missing' });
    const visitor = newVisitor();
    expect(await leaveBy(visitor, waiting.url ?? '', waiting.code ?? '')).toContain(`${issuer.issuer}/auth`);
    const second = await connect(tasks.url);
    const [first, next] = [await tokenOf(id), await tokenOf(second)];
    expect(first).not.toBe(next);
    expect([await issuer.isLive(next, tasks.url), await issuer.isLive(next, notes.url)]).toEqual([true, false]);
    expect(idOf(await find(notes.url))).toBe(id);
  });

  test('open no row of each other', async () => {
    const id = await connect(notes.url);
    const key = (resource: string) => `${autoKeyOf(issuer.issuer)} ${resource}`;
    const moved = await startTwoNodes({ connectProviders, now });
    try {
      const at = moved.asking;
      const own = await connect(notes.url, at);
      await moved.query('UPDATE upstream_credential SET provider = $1', [key(tasks.url)]);
      expect(await find(tasks.url, at)).toEqual({ state: 'missing' });
      expect((await use(own, at)).status).not.toBe(200);
    } finally {
      await moved.stop();
    }
    expect((await use(id)).status).toBe(200);
  });
});

describe('no one is sent anywhere, and the server reads what to do', () => {
  test('if the issuer is not allowed', async () => {
    const server = await newServer(['https://login.example.net', 'not an issuer']);
    expect(await refusalOf(server.url)).toEqual([
      'provider-not-configured',
      `Ask an operator to add "https://login.example.net" to the "issuers" of "auto" in ASSENTRY_PROVIDERS: ${new URL(server.url).host} sends people there.`,
    ]);
  });

  test('if the server that asks is not allowed: then no one is asked either', async () => {
    const server = await newServer();
    const strange = askingAt(house.url, await house.newServerKey('strange'));
    for (const [path, body] of [
      ['/v1/elicitations', question(server.url)],
      ['/v1/connections', { provider: 'auto', resource: server.url, requester }],
    ] as const)
      expect(await json(strange.call('POST', path, body))).toMatchObject({
        code: 'provider-not-configured',
        detail: 'Ask an operator to add "strange" to the "servers" of "auto" in ASSENTRY_PROVIDERS.',
      });
    expect(server.calls).toEqual([]);
  });

  test('if it asks for more than the operator allows', async () => {
    const [code, detail] = await refusalOf(notes.url, { scopes: ['admin'] });
    expect([code, detail]).toEqual([
      'provider-not-configured',
      'Ask an operator to add admin to the "scopes" of "auto" in ASSENTRY_PROVIDERS.',
    ]);
  });

  const at = '/.well-known/oauth-protected-resource/mcp';
  const root = '/.well-known/oauth-protected-resource';
  test.each<[string, string, (server: ProtectedServer) => void]>([
    [
      'is that of another server',
      'its metadata is that of another server',
      ({ metadata }) => metadata.set(at, { resource: notes.url, authorization_servers: [issuer.issuer] }),
    ],
    [
      'is that of the whole origin',
      'its metadata is that of another server',
      ({ metadata, url }) => {
        metadata.delete(at);
        metadata.set(root, { resource: new URL(url).origin, authorization_servers: [issuer.issuer] });
      },
    ],
    [
      'is said to be at another origin',
      'its metadata is said to be elsewhere',
      (server) => void (server.challenge = `resource_metadata="${new URL(notes.url).origin}${at}"`),
    ],
    ['is missing', 'it publishes no metadata by RFC 9728', ({ metadata }) => metadata.delete(at)],
    ['names no server', 'its metadata is not that of a server', ({ metadata }) => metadata.set(at, {})],
    [
      'names no issuer',
      'its metadata names no issuer',
      ({ metadata, url }) => metadata.set(at, { resource: url, authorization_servers: ['http://issuer.example.com'] }),
    ],
  ])('if the metadata of the server %s', async (_name, finding, change) => {
    const server = await newServer();
    change(server);
    const before = notes.calls.length;
    const [code, detail] = await refusalOf(server.url);
    expect([code, detail]).toEqual([
      'provider-not-configured',
      `Ask an operator to give ${new URL(server.url).host} its credentials in another way: ${finding}.`,
    ]);
    expect(notes.calls).toHaveLength(before);
  });

  const good = {
    issuer: evilIssuer,
    authorization_endpoint: `${evilIssuer}/authorize`,
    token_endpoint: `${evilIssuer}/token`,
    code_challenge_methods_supported: ['S256'],
  };

  test('if the metadata of the issuer is that of another one', async () => {
    evil.metadata.set('/.well-known/openid-configuration', { ...good, issuer: issuer.issuer });
    const server = await newServer([evilIssuer]);
    expect(await refusalOf(server.url)).toEqual([
      'provider-not-configured',
      `Ask an operator to look at "${evilIssuer}" among the "issuers" of "auto" in ASSENTRY_PROVIDERS: its metadata is missing, or that of another issuer.`,
    ]);
    evil.metadata.clear();
  });

  test('if the issuer knows no PKCE with S256', async () => {
    evil.metadata.set('/.well-known/oauth-authorization-server', {
      ...good,
      code_challenge_methods_supported: ['plain'],
    });
    const server = await newServer([evilIssuer]);
    expect(await refusalOf(server.url)).toEqual([
      'provider-not-configured',
      `Ask an operator to look at "${evilIssuer}" among the "issuers" of "auto" in ASSENTRY_PROVIDERS: remove it, for it does not know PKCE with S256.`,
    ]);
  });

  test.each<[string, object, string]>([
    ['another issuer', { issuer: 'https://evil.example.com' }, 'write it as it calls itself, https://evil.example.com'],
    ['no PKCE', { code_challenge_methods_supported: undefined }, 'remove it, for it does not know PKCE with S256'],
    ['pages on this machine', { authorization_endpoint: 'http://127.0.0.1/a' }, notPublic()],
    ['pages over http', { authorization_endpoint: 'http://id.example.com/a' }, notPublic()],
    ['pages of no scheme for people', { authorization_endpoint: 'javascript:alert(1)' }, notPublic()],
    ['a token endpoint on this machine', { token_endpoint: 'https://localhost/t' }, notPublic()],
    ['no token endpoint', { token_endpoint: undefined }, notPublic()],
  ])('if an issuer describes %s', (_name, parts, fault) => {
    const metadata = {
      issuer: 'https://id.example.com',
      authorization_endpoint: 'https://pages.example.com/a',
      token_endpoint: 'https://id.example.com/t',
      code_challenge_methods_supported: ['plain', 'S256'],
    };
    expect(faultOfMetadata(metadata, 'https://id.example.com')).toBeNull();
    expect(faultOfMetadata({ ...metadata, ...parts }, 'https://id.example.com')).toBe(fault);
  });

  test('if it is at a private address: on this machine only beside an issuer for a trial', async () => {
    const server = await newServer();
    const trial = openResources(connectProviders, now);
    const serious = openResources(autoProviders({ servers: ['payments'], issuers: ['https://id.example.com'] }), now);
    await expect(serious(server.url)).rejects.toMatchObject({ code: 'provider-unavailable' });
    expect(server.calls).toEqual([]);
    for (const address of ['https://10.0.0.1/mcp', 'https://169.254.169.254/mcp', 'https://[fd00::1]/mcp'])
      await expect(trial(address)).rejects.toMatchObject({ code: 'provider-unavailable' });
    await expect(trial(server.url)).resolves.toEqual({ issuers: [issuer.issuer], scopes: ['read'] });
  });

  test.each<[string, object]>([
    ['the issuer by its own key', { provider: autoKeyOf(issuer.issuer), resource: undefined }],
    ['a resource of another provider', { provider: 'github' }],
    ['no resource', { resource: undefined }],
    ['an address over http', { resource: 'http://mcp.example.com/' }],
    ['an address with a fragment', { resource: 'https://mcp.example.com/#a' }],
    ['an address with credentials', { resource: 'https://ada:secret@mcp.example.com/' }],
  ])('if it names %s', async (_name, expects) => {
    expect((await refusalOf(notes.url, expects))[0]).toBe('INVALID_INPUT');
    const body = { provider: 'auto', resource: notes.url, requester, ...expects };
    expect(await json(asking.call('POST', '/v1/connections', body))).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('without an operator who allows it', async () => {
    const bare = await startTestServer({ now });
    try {
      for (const name of ['ada', 'ben'])
        await bare.addUser({
          email: `${name}@example.com`,
          name,
          role: 'reviewer',
          password: 'seven quiet otters paint',
        });
      const at = askingAt(bare.url, await bare.newServerKey());
      expect(await json(at.call('POST', '/v1/elicitations', question(notes.url)))).toMatchObject({
        code: 'provider-not-configured',
        detail: 'Ask an operator to set up "auto" in ASSENTRY_PROVIDERS.',
      });
    } finally {
      await bare.stop();
    }
  });
});

function notPublic(): string {
  return 'remove it, for its addresses are not those of a public issuer';
}

describe('scopes', () => {
  test.each([
    ['the refusal names', 'scope="write read"', {}, 'write read'],
    ['the metadata offers, if the refusal names none', '', {}, 'read'],
    ['the server asks for, before both', 'scope="read"', { scopes: ['write'] }, 'write'],
  ])('are those that %s', async (_name, challenge, expects, scope) => {
    const server = await newServer();
    server.challenge = challenge;
    const { address } = await leave(server.url, expects);
    expect(parametersOf(address)['scope']).toBe(`offline_access ${scope}`);
  });

  test('that are merely offered need not be granted', async () => {
    const server = await newServer();
    server.metadata.set('/.well-known/oauth-protected-resource/mcp', {
      resource: server.url,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['read', 'rare'],
    });
    await connect(server.url);
    expect(await find(server.url)).toMatchObject({ connection: { scopes: ['read'] } });
  });
});

describe('what comes back', () => {
  const tokens = () => issuer.posted.get('/token')?.length ?? 0;

  test.each<[string, (back: URL) => void]>([
    ['without the issuer’s name', ({ searchParams }) => searchParams.delete('iss')],
    ['with the name of another issuer', ({ searchParams }) => searchParams.set('iss', other.issuer)],
  ])('%s is not redeemed', async (_name, change) => {
    const { visitor, address } = await leave(notes.url);
    const [back, before] = [await issuer.visit(address), tokens()];
    change(back);
    expect((await visitor.get(back.href)).status).toBe(502);
    expect([tokens(), await find(notes.url)]).toEqual([before, { state: 'missing' }]);
  });

  test('at the address of another issuer is not redeemed', async () => {
    const { visitor, address } = await leave(notes.url);
    const [back, before] = [await issuer.visit(address), tokens()];
    const elsewhere = back.href.replace(autoKeyOf(issuer.issuer), autoKeyOf(other.issuer));
    expect((await visitor.get(elsewhere)).status).toBe(400);
    expect([tokens(), other.posted.get('/token')]).toEqual([before, undefined]);
    expect((await newVisitor().get(back.href)).status).toBe(403); // another browser
    expect((await visitor.get(back.href)).status).toBe(303);
    expect((await visitor.get(back.href)).status).toBe(400); // a second time
  });
});

describe('this installation, at an issuer', () => {
  test('is registered once, however many ask at two nodes, and no more after a restart', async () => {
    const fresh = await startIssuerOfServers();
    const server = await newServer([fresh.issuer]);
    const own = autoProviders({ servers: ['payments'], issuers: [fresh.issuer] });
    const settings = { connectProviders: own, now, publicUrl: 'http://127.0.0.1:4700' };
    const { nodes, stop } = await startTwoNodes(settings);
    const expects = { kind: 'connection' as const, provider: 'auto', scopes: [], resource: server.url };
    try {
      const engines = Array.from({ length: 12 }, (_, n) => nodes[n % 2 === 0 ? 0 : 1].engine);
      const all = await Promise.all(engines.map((engine) => withIssuer(engine, 'payments', expects)));
      expect(new Set(all.map((each) => 'provider' in each && each.provider))).toEqual(
        new Set([autoKeyOf(fresh.issuer)]),
      );
      expect(registrations(fresh)).toBe(1);
      const restarted = await startTestServer({ ...settings, databaseUrl: nodes[0].databaseUrl });
      await withIssuer(restarted.engine, 'payments', expects);
      await restarted.stop();
      expect(registrations(fresh)).toBe(1);
    } finally {
      await stop();
      await fresh.close();
    }
  });

  test('is registered again when the issuer no longer knows it, and its person connects once more', async () => {
    const id = await connect(notes.url);
    const before = registrations();
    await issuer.forgetsClients();
    ahead = 570_000;
    expect(await json(use(id))).toMatchObject({ code: 'connection-declined' });
    expect(await find(notes.url)).toEqual({ state: 'refused' });
    expect(await connect(notes.url)).not.toBe(id);
    expect(registrations()).toBe(before + 1);
  });

  test('is registered again on the way back, and the page offers to go once more', async () => {
    const { visitor, address } = await leave(notes.url);
    const [back, before] = [await issuer.visit(address), registrations()];
    await issuer.forgetsClients();
    const failed = await visitor.get(back.href);
    expect([failed.status, failed.html]).toEqual([502, expect.stringContaining('Connect again')]);
    await connect(notes.url);
    expect(registrations()).toBe(before + 1);
  });

  test('needs no secret, where the issuer takes none', async () => {
    const server = await newServer([withoutSecrets.issuer]);
    const id = await connect(server.url, asking, withoutSecrets);
    const form = withoutSecrets.posted.get('/token')?.at(-1);
    expect([form?.has('client_secret'), form?.has('client_id'), form?.has('code_verifier')]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await withoutSecrets.isLive(await tokenOf(id), server.url)).toBe(true);
  });

  test('is the client of the operator, where issuers register none; without one, that is what to add', async () => {
    const server = await newServer([closed.issuer]);
    expect(await refusalOf(server.url)).toEqual([
      'provider-not-configured',
      `Ask an operator to register a client at ${closed.issuer}, and to add it to the "clients" of "auto" in ASSENTRY_PROVIDERS.`,
    ]);
    const clients = { [closed.issuer]: { clientId: 'of-the-operator', clientSecret: 'a-secret' } };
    const own = autoProviders({ servers: ['payments'], issuers: [closed.issuer], clients });
    const node = await startTestServer({ connectProviders: own, now });
    try {
      const { visitor, address } = await leave(server.url, {}, askingAt(node.url, await node.newServerKey()));
      const { client_id: id, state = '' } = parametersOf(address);
      expect(id).toBe('of-the-operator');
      const back = `${node.url}/providers/${autoKeyOf(closed.issuer)}/return`;
      const failed = await visitor.get(`${back}?${new URLSearchParams({ state, iss: closed.issuer, code: 'a-code' })}`);
      expect(failed.status).toBe(502);
      const [client] = node.engine.connect;
      const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: null, scopes: [] };
      // A client that the operator must correct takes nothing from people.
      await expect(client?.refresh(tokens)).rejects.toMatchObject({
        code: 'token-invalid',
        message: expect.stringMatching(/^Check "clientId" and the client secret of "auto" in ASSENTRY_PROVIDERS/),
      });
    } finally {
      await node.stop();
    }
  });

  test('is not sent on, where the issuer refuses to register it; another node may try at once', async () => {
    const strict = await startIssuerOfServers();
    strict.answers('/reg', (_request, response) => {
      const body = JSON.stringify({ error: 'invalid_redirect_uri' });
      response.writeHead(400, { 'content-type': 'application/json' }).end(body);
    });
    const own = autoProviders({ servers: ['payments'], issuers: [strict.issuer] });
    const node = await startTestServer({ connectProviders: own, now });
    try {
      const [client] = node.engine.connect;
      await expect(client?.ready()).rejects.toMatchObject({
        code: 'provider-not-configured',
        message: expect.stringContaining(`register a client at ${strict.issuer}`),
      });
      strict.answers('/reg', null);
      await expect(client?.ready()).resolves.toBeUndefined();
    } finally {
      await node.stop();
      await strict.close();
    }
  });

  test('is an address, where issuers read one: what they read there is public, and holds no secret', async () => {
    const [publicUrl, port] = ['https://approvals.example.com', await freePort()];
    const base = `http://127.0.0.1:${port}`;
    let read = 0;
    const reading = await startIssuerOfServers({
      fetch: async (url) => {
        read += 1;
        return fetch(`${base}${new URL(url instanceof Request ? url.url : url).pathname}`);
      },
      features: { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } },
    });
    const server = await newServer([reading.issuer]);
    const own = autoProviders({ servers: ['payments'], issuers: [reading.issuer] });
    const node = await startTestServer({ connectProviders: own, now, publicUrl, port });
    try {
      const [client] = node.engine.connect;
      await client?.ready();
      const key = autoKeyOf(reading.issuer);
      const redirectUri = `${publicUrl}/providers/${key}/return`;
      const journey = { redirectUri, state: 's', codeVerifier: 'v'.repeat(43), nonce: 'n', resource: server.url };
      const address = (await client?.authorizationUrl(journey, ['read'])) ?? '';
      expect(parametersOf(address)['client_id']).toBe(`${publicUrl}/providers/${key}/client`);
      const back = await reading.visit(address);
      const redeemed = await client?.redeem(back, journey, ['read']);
      expect(await reading.isLive(redeemed?.tokens.accessToken ?? '', server.url)).toBe(true);
      expect([read > 0, registrations(reading)]).toEqual([true, 0]);
      expect((await fetch(`${base}/providers/auto-nothing/client`)).status).toBe(404);
    } finally {
      await node.stop();
      await reading.close();
    }
  });
});

test('rotating secrets seals the registered client again', async () => {
  const secretOf = (kid: string) => ({ kid, secret: `the-${kid}-secret-of-this-installation` });
  const [k1, k2] = [secretOf('first'), secretOf('second')];
  const fresh = await startIssuerOfServers();
  const own = await freshDatabase();
  const settings = {
    connectProviders: autoProviders({ servers: ['payments'], issuers: [fresh.issuer] }),
    databaseUrl: own.url,
    publicUrl: 'http://127.0.0.1:4700',
  };
  const ready = async (node: TestServer) => node.engine.connect[0]?.ready();
  let node = await startTestServer({ ...settings, secrets: [k1] });
  await ready(node);
  await node.stop();
  node = await startTestServer({ ...settings, secrets: [k1, k2] });
  await node.secrets.rotate();
  await expect(node.secrets.retire('first', { endLinks: true })).rejects.toMatchObject({ code: 'not-now' });
  await node.secrets.rewrap();
  await node.secrets.retire('first', { endLinks: true });
  await node.stop();
  node = await startTestServer({ ...settings, secrets: [k2] });
  await ready(node);
  await node.stop();
  expect(registrations(fresh)).toBe(1);
  await fresh.close();
  await own.drop();
});

test('disconnecting withdraws the token at the issuer', async () => {
  const id = await connect(notes.url);
  const token = await tokenOf(id);
  await removeCredential(house.engine, 'operator', id as never);
  await withdrawConnections(house.engine);
  expect(await issuer.isLive(token, notes.url)).toBe(false);
  expect(await find(notes.url)).toEqual({ state: 'missing' });
});

test('after a restart what was connected is there, until the operator allows its issuer no longer', async () => {
  const id = await connect(notes.url);
  const { databaseUrl } = house;
  const restarted = await startTestServer({ connectProviders, now, databaseUrl });
  const narrower = autoProviders({ servers: ['payments'], issuers: [other.issuer] });
  const changed = await startTestServer({ connectProviders: narrower, now, databaseUrl });
  try {
    expect(await tokenOf(id, asking.at(restarted.url))).toBe(await tokenOf(id));
    expect(await find(notes.url, asking.at(changed.url))).toEqual({ state: 'missing' });
    ahead = 570_000;
    expect(await json(use(id, asking.at(changed.url)))).toMatchObject({ code: 'provider-not-configured' });
  } finally {
    await changed.stop();
    await restarted.stop();
  }
});

test('no page, line of the log or table holds a secret of a client or a token', async () => {
  const node = await spawnNode(house.databaseUrl, { connectProviders, logLevel: 'debug' });
  const at = asking.at(node.url);
  const pages: string[] = [];
  try {
    const server = await newServer();
    const { visitor, address } = await leave(server.url, {}, at);
    const back = (await issuer.visit(address)).href;
    for (const response of [await visitor.get(back), await visitor.get(back)]) pages.push(response.html);
    const answer = await find(server.url, at);
    const token = await tokenOf(idOf(answer), at);
    pages.push(JSON.stringify(answer), JSON.stringify(await listAllCredentials(house.engine)));
    const log = node.log();
    expect(log).toContain('/providers/');
    expect(issuer.issued).toContain(token);
    const places = { pages: pages.join(), log, dump: await dumpDatabase(house.databaseUrl) };
    const leaks = Object.entries(places).map(([name, text]) => [name, issuer.issued.filter((it) => text.includes(it))]);
    expect(leaks).toEqual(Object.keys(places).map((name) => [name, []]));
  } finally {
    await node.stop();
  }
});

test.each([
  ['HTTPS://MCP.example.com:443/', 'https://mcp.example.com'],
  ['https://mcp.example.com', 'https://mcp.example.com'],
  ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp/'],
  ['https://mcp.example.com/?team=a', 'https://mcp.example.com/?team=a'],
])('%s is the server %s', (address, resource) => expect(resourceOf(address)).toBe(resource));

test.each([
  [null, null, null],
  ['Bearer', null, null],
  ['Bearer error="invalid_token", scope="a b", resource_metadata="https://x/y"', 'https://x/y', ['a', 'b']],
  ['Bearer resource_metadata=https://x/y, scope=a', 'https://x/y', ['a']],
  ['Bearer xscope="b", scope="a \\"c"', null, ['a']],
])('the refusal %s is read', (header, metadata, scopes) => expect(readChallenge(header)).toEqual({ metadata, scopes }));
