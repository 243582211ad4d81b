import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { Client as V2Client, StreamableHTTPClientTransport as V2Transport } from '@modelcontextprotocol/client';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { signInWithPassword } from '#access/passwords/verbs';
import { listCredentials, removeCredential } from '#connect/credentials/verbs';
import type { User } from '#people/directory/contract/user';
import { changeUser } from '#people/users/verbs';
import { callTool, findRequest, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { startIssuer } from '../../support/nodes/issuer.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { startGates } from '../http/peers.ts';
import { startPersonalNotes } from './personal-notes.ts';

/** People who sign in at Assentry, a provider, and a server behind the gateway that wants a token of the provider. */
const origin = 'https://gate.example.com';
const audience = [`${origin}/u/notes/mcp`, `${origin}/mcp`];
const publicUrl = 'https://approvals.example.com';
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const password = 'seven quiet otters paint';
/** A token, as the provider writes it. */
const tokenPattern = /(?:access|refresh)-[0-9a-f]{8}-[0-9a-f-]{27}/;

const provider = await startFakeProvider();
const issuer = await startIssuer();
const [notes, other] = [await startPersonalNotes(), await startPersonalNotes()];
notes.taken = { has: (header: string) => provider.isLive(header.replace(/^Bearer /, '')) } as Set<string>;
other.taken.add('undefined'); // no credentials

const settings = provider.settings({ servers: ['notes', 'gated'], apiHosts: [new URL(notes.url).host] });
const checked = { issuer: issuer.issuer, audience, jwks: `${issuer.url}/jwks` };
const options = { connectProviders: [settings], tokenSources: { notes: checked, gated: checked, strange: checked } };
const server = await startTestServer({ ...options, publicUrl, port });
afterAll(async () => {
  await server.stop();
  for (const { close } of [notes, other, issuer, provider]) await close();
});
const { engine } = server;
await server.applyPolicies([
  'policy: free\nmatch: { server: [notes, other], tool: [read_note, write_note] }\nallow: { ceiling: medium }\n',
]);
const keyed = async (name: string): Promise<AssentryClient> =>
  createClient({ url: base, apiKey: await server.newServerKey(name) });
const [assentry, others] = [await keyed('notes'), await keyed('other')];

type Name = 'ada' | 'bob';
let people: Record<Name, User>;
let round = '';
const open = closedAfterEach();
beforeEach(async () => {
  round = randomUUID().slice(0, 8);
  people = { ada: await newPerson('ada'), bob: await newPerson('bob') };
  provider.declines(false);
  notes.called.length = 0;
  notes.heard.length = 0;
  other.heard.length = 0;
});

async function newPerson(name: Name): Promise<User> {
  const email = `${name}-${round}@example.com`;
  const user = await server.addUser({ email, name, role: 'reviewer', password });
  await changeUser(engine, 'operator', user.id, { subjects: [`${issuer.issuer}#${name}-${round}`] });
  return user;
}

const accessToken = (name: Name, claims: object = {}) =>
  issuer.sign({ sub: `${name}-${round}`, aud: audience, ...claims });
const requesterOf = (name: Name) => ({ subject: `${name}-${round}`, issuer: issuer.issuer, verified: true });

interface Started {
  client?: AssentryClient;
  credentials?: object;
  holdTimeoutMs?: number;
}

async function start({ client = assentry, credentials = {}, holdTimeoutMs }: Started = {}) {
  const connect = { connect: 'fake', scopes: ['repo'], ...credentials };
  const gateway = await startGates({
    upstreams: { notes: { url: notes.url, credentials: connect }, other: { url: other.url } },
    clientFor: (name) => (name === 'notes' ? client : others),
    ...(holdTimeoutMs !== undefined && { holdTimeoutMs }),
    more: { url: origin, authorization: { issuer: issuer.issuer, jwks: checked.jwks, sendAccessToken: true } },
  });
  open.push(() => gateway.close());
  return gateway;
}

const places = ['/u/notes/mcp', '/mcp'] as const;
type Place = (typeof places)[number];

interface Agent {
  call(text: string): Promise<string>;
  /** The address to which a call sends its person. */
  link(): Promise<{ url: string; message: string }>;
  client: Client;
  /** All that it was sent. */
  messages: object[];
}

async function connect(
  gateway: { url: string },
  name: Name,
  { opensUrls = true, path = places[0] }: { opensUrls?: boolean; path?: Place } = {},
): Promise<Agent> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: opensUrls ? { elicitation: { url: {} } } : {} },
  );
  const requestInit = { headers: { authorization: `Bearer ${await accessToken(name)}` } };
  const transport = new StreamableHTTPClientTransport(new URL(gateway.url + path), { requestInit });
  await client.connect(transport as Transport);
  open.push(() => client.close());
  const messages = watch(transport as Transport);
  const tool = path === '/mcp' ? 'notes__write_note' : 'write_note';
  return {
    client,
    messages,
    call: async (text) => textOf(await callTool(client, tool, { text })),
    async link() {
      const error = await callTool(client, tool, { text: 'x' }).catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(UrlElicitationRequiredError);
      const [elicitation] = (error as UrlElicitationRequiredError).elicitations;
      const { url, message } = elicitation as { url: string; message: string };
      return { url, message };
    },
  };
}

/** Keeps all that the client is sent. */
function watch(transport: Transport): object[] {
  const messages: object[] = [];
  const { onmessage: take } = transport;
  transport.onmessage = (message, extra) => {
    messages.push(message);
    take?.(message, extra);
  };
  return messages;
}

async function signIn({ email }: User): Promise<Visitor> {
  const visitor = newVisitor();
  visitor.cookies.set('__Host-assentry', (await signInWithPassword(engine, email, password)).secret);
  return visitor;
}

/** The page, at this node. */
const here = (url: string): string => url.replace(publicUrl, base);

/** The person goes to the provider by the page, consents as this account, and comes back. */
async function goThere(url: string, name: Name, login: string = name): Promise<number> {
  const visitor = await signIn(people[name]);
  await visitor.get(here(url));
  expect((await visitor.send(here(url), { action: 'prove' })).status).toBe(303);
  await visitor.get(here(url));
  const left = await visitor.send(here(url), { action: 'accept' });
  provider.consentsAs({ id: login, login });
  const back = await provider.visit(left.headers.get('location') ?? '');
  return (await visitor.get(here(back.href))).status;
}

/** The accounts whose tokens the server was sent with calls. */
const accountsSent = () =>
  Promise.all(
    notes.called.map(async ({ authorization = '' }) => {
      const answer = await fetch(`${provider.url}/user`, { headers: { authorization } });
      return ((await answer.json()) as { login?: string }).login ?? answer.status;
    }),
  );

describe.each(places)('at %s', (path) => {
  test('each person is sent to the provider once, and the server gets the token of their own account', async () => {
    const gateway = await start();
    const [ada, bob] = [await connect(gateway, 'ada', { path }), await connect(gateway, 'bob', { path })];
    const [forAda, forBob] = [await ada.link(), await bob.link()];
    expect(forAda.message).toBe('Connect your fake account, and call again: notes needs it. Nothing was run.');
    expect(forAda.url).toMatch(/^https:\/\/approvals\.example\.com\/go\/v1\./);
    expect(notes.called).toEqual([]);
    expect([await goThere(forAda.url, 'ada', 'octo-ada'), await goThere(forBob.url, 'bob', 'octo-bob')]).toEqual([
      303, 303,
    ]);
    expect(await ada.call('of ada')).toBe('wrote of ada');
    expect(await bob.call('of bob')).toBe('wrote of bob');
    expect(await accountsSent()).toEqual(['octo-ada', 'octo-bob']);
    expect(await listCredentials(engine, people.ada.id)).toMatchObject([
      { server: 'notes', usedAt: expect.any(Number), connection: { account: 'octo-ada', scopes: ['repo'] } },
    ]);
  });

  test('a client of 2026-07-28 opens the address for its person, and the call goes on', async () => {
    const gateway = await start();
    const requestInit = { headers: { authorization: `Bearer ${await accessToken('ada')}` } };
    const versionNegotiation = { mode: 'auto' } as const;
    const capabilities = { elicitation: { url: {} } };
    const client = new V2Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation });
    const sent: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { message, url } = params as { message: string; url: string };
      sent.push(message);
      await goThere(url, 'ada');
      return { action: 'accept' };
    });
    await client.connect(new V2Transport(new URL(gateway.url + path), { requestInit }));
    open.push(() => client.close());
    const name = path === '/mcp' ? 'notes__write_note' : 'write_note';
    const result = await client.callTool({ name, arguments: { text: path } });
    expect(result.content).toEqual([{ type: 'text', text: `wrote ${path}` }]);
    expect(sent).toEqual(['Connect your fake account, and call again: notes needs it. Nothing was run.']);
    expect(await accountsSent()).toEqual(['ada']);
  });
});

test('the token goes to no other server, and appears in no message to a client', async () => {
  const gateway = await start();
  const [ada, both] = [await connect(gateway, 'ada'), await connect(gateway, 'ada', { path: '/mcp' })];
  await goThere((await ada.link()).url, 'ada');
  await ada.call('mine');
  await both.client.listTools();
  expect(textOf(await callTool(both.client, 'other__write_note', { text: 'elsewhere' }))).toBe('wrote elsewhere');
  expect(notes.heard.join()).toMatch(tokenPattern);
  expect(other.heard.length).toBeGreaterThan(0);
  expect(JSON.stringify([other.heard, ada.messages, both.messages, gateway.warnings])).not.toMatch(tokenPattern);
});

test('a client that opens no addresses gets a sentence with the address', async () => {
  const client = await connect(await start(), 'ada', { opensUrls: false });
  expect(await client.call('x')).toMatch(
    /^Connect your fake account, .* Nothing was run\. Open this address yourself: https:\S+\/go\/v1\.\S+$/,
  );
});

test('a repeated call leads to the same page', async () => {
  const client = await connect(await start(), 'ada');
  const pageOf = async () => {
    const visitor = await signIn(people.ada);
    const { url } = await client.link();
    await visitor.get(here(url));
    await visitor.send(here(url), { action: 'prove' });
    return (await visitor.get(here(url))).hidden('digest');
  };
  expect(await pageOf()).toBe(await pageOf());
});

test('a link connects nothing for anyone but its person', async () => {
  const { url } = await (await connect(await start(), 'ada')).link();
  const before = provider.calls.get('/authorize') ?? 0;
  for (const visitor of [newVisitor(), await signIn(people.bob)]) {
    await visitor.get(here(url));
    for (const action of ['prove', 'accept'])
      expect((await visitor.send(here(url), { action })).headers.get('location') ?? '').not.toContain(provider.url);
  }
  expect(provider.calls.get('/authorize') ?? 0).toBe(before);
  expect([await listCredentials(engine, people.ada.id), await listCredentials(engine, people.bob.id)]).toEqual([
    [],
    [],
  ]);
});

describe('a token that the server refuses', () => {
  test('is not sent again, and its person is asked once more', async () => {
    const client = await connect(await start(), 'ada');
    await goThere((await client.link()).url, 'ada');
    expect(await client.call('first')).toBe('wrote first');
    provider.withdraw();
    const again = await client.link();
    expect(again.message).toBe(
      'Connect your fake account once more, and call again: notes did not take it. Nothing was run.',
    );
    await client.link();
    expect(notes.called).toHaveLength(2); // the refused call was one of them
    await goThere(again.url, 'ada', 'octo-ada');
    expect(await client.call('second')).toBe('wrote second');
    expect((await accountsSent()).at(-1)).toBe('octo-ada');
  });

  test('is still good if it was only renewed meanwhile', async () => {
    let old: string[] = [];
    const useConnection: AssentryClient['useConnection'] = async (...request) => {
      const answer = await assentry.useConnection(...request);
      return { ...answer, token: old.shift() ?? answer.token };
    };
    const client = await connect(await start({ client: { ...assentry, useConnection } }), 'ada');
    await goThere((await client.link()).url, 'ada');
    old = ['access-before'];
    await expect(client.call('x')).rejects.toThrow('Try again later');
    expect(await client.call('again')).toBe('wrote again');
  });
});

test('after a removal no node of the gateway sends it', async () => {
  const clients = [await connect(await start(), 'ada'), await connect(await start(), 'ada')];
  await goThere((await (clients[0] as Agent).link()).url, 'ada');
  for (const client of clients) await client.call(randomUUID());
  const [{ id } = { id: '' }] = await listCredentials(engine, people.ada.id);
  await removeCredential(engine, people.ada.id, id as never);
  for (const client of clients) expect((await client.link()).message).toMatch(/^Connect your fake account,/);
  expect(notes.called).toHaveLength(2);
});

test('a person who declines is asked only by a later call', async () => {
  const client = await connect(await start(), 'ada');
  provider.declines();
  expect(await goThere((await client.link()).url, 'ada')).toBe(303);
  await expect(client.call('x')).rejects.toThrow('you declined it, or granted too little. Nothing was run.');
  provider.declines(false);
  await goThere((await client.link()).url, 'ada');
  expect(await client.call('later')).toBe('wrote later');
});

describe('a stolen key of the gateway', () => {
  const fake = { provider: 'fake', scopes: ['repo'] };
  const stateFor = async (name: Name, token?: string) =>
    assentry
      .findConnection({ ...fake, requester: requesterOf(name), ...(token !== undefined && { accessToken: token }) })
      .then(
        ({ state }) => state,
        ({ code }: { code: string }) => code,
      );

  test('opens no account without an access token of its person', async () => {
    await goThere((await (await connect(await start(), 'ada')).link()).url, 'ada');
    expect(await stateFor('ada', await accessToken('ada'))).toBe('stored');
    expect(await stateFor('ada')).toBe('forbidden');
    expect(await stateFor('ada', await accessToken('ada', { exp: 1 }))).toBe('forbidden');
    expect(await stateFor('ada', await accessToken('bob'))).toBe('INVALID_INPUT');
    expect(await stateFor('bob', await accessToken('bob'))).toBe('missing');
    const stored = await assentry.findConnection({
      ...fake,
      requester: requesterOf('ada'),
      accessToken: await accessToken('ada'),
    });
    const id = stored.state === 'stored' ? stored.connection.id : '';
    const bare = { requester: requesterOf('ada') };
    await expect(assentry.useConnection(id, bare)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(assentry.refuseConnection(id, bare)).rejects.toMatchObject({ code: 'forbidden' });
    const bobs = { requester: requesterOf('bob'), accessToken: await accessToken('bob') };
    await expect(assentry.useConnection(id, bobs)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('asks no one by a name alone', async () => {
    const expects = { kind: 'connection' as const, ...fake, byAccessToken: true as const };
    const question = { tool: { name: 'assentry.connect' }, arguments: {}, message: 'Connect.', mode: 'url' as const };
    const opening = assentry.open({ ...question, expects, requester: requesterOf('ada') });
    await expect(opening).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('nothing runs, and the client reads what to do', () => {
  /** What the client reads when it connects. */
  const faultOf = async (started: Started): Promise<string> => {
    const gateway = await start(started);
    return connect(gateway, 'ada').then(
      () => '',
      ({ message }: Error) => message.replaceAll('\\', ''),
    );
  };

  test('if the provider is not set up for the server', async () => {
    const fault = await faultOf({ client: await keyed('strange') });
    expect(fault).toContain('Ask an operator to add "strange" to the "servers" of "fake" in ASSENTRY_PROVIDERS.');
  });

  test('if it wants more than the operator allows', async () => {
    const fault = await faultOf({ credentials: { scopes: ['admin:org'] } });
    expect(fault).toContain('Ask an operator to add admin:org to the "scopes" of "fake" in ASSENTRY_PROVIDERS.');
  });

  test('if its tokens may not be sent there', async () => {
    const { apiHosts } = settings;
    await goThere((await (await connect(await start(), 'ada')).link()).url, 'ada');
    notes.heard.length = 0;
    settings.apiHosts = ['api.example.com'];
    const fault = await faultOf({});
    settings.apiHosts = apiHosts;
    expect(fault).toContain(`add ${new URL(notes.url).host} to the "apiHosts" of "fake"`);
    expect(notes.heard).toEqual([]);
  });

  test('if a policy forbids to connect it', async () => {
    const forbidding = 'match: { tool: assentry.connect, server: gated }\ndeny: { reason: Not here. }\n';
    await server.applyPolicies([`policy: no-account\n${forbidding}`]);
    const client = await connect(await start({ client: await keyed('gated') }), 'ada');
    await expect(client.call('x')).rejects.toThrow('Not here. Nothing was run.');
  });
});

test('a client that only connects and lists asks no one', async () => {
  const opened: unknown[] = [];
  const client = {
    ...assentry,
    open: async (...request: Parameters<AssentryClient['open']>) => {
      opened.push(request);
      return assentry.open(...request);
    },
  };
  const ada = await connect(await start({ client }), 'ada');
  expect((await ada.client.listTools()).tools.map(({ name }) => name)).toContain('write_note');
  expect(opened.filter((request) => JSON.stringify(request).includes('expects'))).toEqual([]);
  await Promise.all([ada.link(), ada.link()]);
  expect(opened.filter((request) => JSON.stringify(request).includes('expects'))).toHaveLength(1);
});

describe('on the person’s own machine', () => {
  test('the page asks for the code that the client shows, and approvers are asked only when the call could run', async () => {
    const local = await startTestServer(options);
    open.push(() => local.stop());
    const approver = await local.newUser('approver');
    const client = createClient({ url: local.url, apiKey: await local.newServerKey('notes') });
    const ada = await connect(await start({ client }), 'ada');
    const { url, message } = await ada.link();
    const [, code = ''] = /\nThe page asks for the code (\d{3} \d{3})$/.exec(message) ?? [];
    expect(await (await approver.call('GET', '/api/elicitations')).text()).not.toContain('write_note');
    const visitor = newVisitor();
    await letIn(visitor, url, code);
    const left = await visitor.send(url, { action: 'accept' });
    const back = await provider.visit(left.headers.get('location') ?? '');
    expect((await visitor.get(back.href)).status).toBe(303);
    const call = ada.call('here');
    const { id } = await findRequest(approver, 'Run write_note on notes?');
    expect(notes.called).toEqual([]);
    await approver.vote(id, 'accept');
    expect(await call).toBe('wrote here');
  });
});
