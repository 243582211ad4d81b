import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { signInWithPassword } from '#access/passwords/verbs';
import { autoProviders } from '#connect/auto/rules';
import { listCredentials } from '#connect/credentials/verbs';
import type { User } from '#people/directory/contract/user';
import { changeUser } from '#people/users/verbs';
import { createClient } from '#sdk/client/client';
import { callTool, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startIssuerOfServers } from '../../support/connect/issuer-of-servers.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { startIssuer } from '../../support/nodes/issuer.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { startGates } from '../http/peers.ts';
import { startPersonalNotes, type PersonalNotes } from './personal-notes.ts';

/** People who sign in at Assentry, and two servers behind the gateway that name one issuer themselves. */
const origin = 'https://gate.example.com';
const audience = [`${origin}/u/notes/mcp`, `${origin}/u/other/mcp`, `${origin}/u/foreign/mcp`];
const publicUrl = 'https://approvals.example.com';
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const password = 'seven quiet otters paint';

let ahead = 0;
const now = () => Date.now() + ahead;
const people = await startIssuer();
const issuer = await startIssuerOfServers();
const servers = ['notes', 'other', 'foreign'] as const;
type Name = (typeof servers)[number];
const notes = Object.fromEntries(
  await Promise.all(servers.map(async (name) => [name, await startPersonalNotes()] as const)),
) as Record<Name, PersonalNotes>;
for (const server of Object.values(notes)) {
  server.takes = (header) => issuer.isLive(header.replace(/^Bearer /, ''), server.url);
  server.metadata = { resource: server.url, authorization_servers: [issuer.issuer], scopes_supported: ['read'] };
}
notes.foreign.metadata = { resource: notes.foreign.url, authorization_servers: ['https://login.example.net'] };

const checked = { issuer: people.issuer, audience, jwks: `${people.url}/jwks` };
const options = {
  connectProviders: autoProviders({ servers, issuers: [issuer.issuer] }),
  tokenSources: Object.fromEntries(servers.map((name) => [name, checked])),
  now,
  publicUrl,
};
const house = await startTestServer({ ...options, port });
afterAll(async () => {
  await house.stop();
  for (const { close } of [...Object.values(notes), issuer, people]) await close();
});
const { engine } = house;
await house.applyPolicies([
  `policy: free\nmatch: { server: [${servers.join(', ')}], tool: [read_note, write_note] }\nallow: { ceiling: medium }\n`,
]);
const keys = Object.fromEntries(
  await Promise.all(servers.map(async (name) => [name, await house.newServerKey(name)] as const)),
);

let ada: User;
let round = '';
const open = closedAfterEach();
beforeEach(async () => {
  round = randomUUID().slice(0, 8);
  ahead = 0;
  ada = await house.addUser({ email: `ada-${round}@example.com`, name: 'ada', role: 'reviewer', password });
  await changeUser(engine, 'operator', ada.id, { subjects: [`${people.issuer}#ada-${round}`] });
  for (const server of Object.values(notes)) {
    server.called.length = 0;
    server.heard.length = 0;
    server.isClosed = false;
  }
});

async function start(at = base) {
  const connect = { connect: 'auto' };
  const upstreams = Object.fromEntries(servers.map((name) => [name, { url: notes[name].url, credentials: connect }]));
  const gateway = await startGates({
    upstreams,
    clientFor: async (name) => createClient({ url: at, apiKey: keys[name] ?? '' }),
    more: { url: origin, authorization: { issuer: people.issuer, jwks: checked.jwks, sendAccessToken: true } },
  });
  open.push(() => gateway.close());
  return gateway;
}

/** Ada's agent, at one server behind the gateway. */
async function connect(gateway: { url: string }, name: Name = 'notes') {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  const token = await people.sign({ sub: `ada-${round}`, aud: audience });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/u/${name}/mcp`), { requestInit });
  await client.connect(transport as Transport);
  open.push(() => client.close());
  return {
    call: async (text: string) => textOf(await callTool(client, 'write_note', { text })),
    async link(): Promise<{ url: string; message: string }> {
      const error = await callTool(client, 'write_note', { text: 'x' }).catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(UrlElicitationRequiredError);
      const [elicitation] = (error as UrlElicitationRequiredError).elicitations;
      return elicitation as { url: string; message: string };
    },
  };
}

async function signIn({ email }: User): Promise<Visitor> {
  const visitor = newVisitor();
  visitor.cookies.set('__Host-assentry', (await signInWithPassword(engine, email, password)).secret);
  return visitor;
}

/** The page, at this node. */
const here = (url: string): string => url.replace(publicUrl, base);

/** Ada goes to the issuer by the page, consents, and comes back. */
async function goThere(url: string): Promise<number> {
  const visitor = await signIn(ada);
  await visitor.get(here(url));
  await visitor.send(here(url), { action: 'prove' });
  await visitor.get(here(url));
  const left = await visitor.send(here(url), { action: 'accept' });
  const back = await issuer.visit(left.headers.get('location') ?? '');
  return (await visitor.get(here(back.href))).status;
}

const tokensAt = (name: Name): string[] =>
  notes[name].called.map(({ authorization = '' }) => authorization.replace('Bearer ', ''));

test('the server gets a token for itself, which its person has connected at the issuer that it names', async () => {
  const agent = await connect(await start());
  const { url, message } = await agent.link();
  expect(message).toBe('Connect your account, and call again: notes needs it. Nothing was run.');
  expect(url).toMatch(/^https:\/\/approvals\.example\.com\/go\/v1\./);
  expect([await goThere(url), await agent.call('mine')]).toEqual([303, 'wrote mine']);
  expect(await listCredentials(engine, ada.id)).toMatchObject([
    { server: 'notes', connection: { provider: new URL(issuer.issuer).host, account: 'notes' } },
  ]);
});

test('a server that refuses every request without a token is connected first', async () => {
  notes.notes.isClosed = true;
  const gateway = await start();
  const refusal = await connect(gateway).catch(({ message }: Error) => message);
  const [, url = ''] = /Open this address yourself: ([^\s"\\]+)/.exec(String(refusal)) ?? [];
  expect(await goThere(url)).toBe(303);
  expect(await (await connect(gateway)).call('mine')).toBe('wrote mine');
});

test('another server at the same issuer gets another token, and the first one’s is sent to it never', async () => {
  const gateway = await start();
  const [first, second] = [await connect(gateway), await connect(gateway, 'other')];
  await goThere((await first.link()).url);
  await first.call('of notes');
  expect((await second.link()).message).toContain('other needs it');
  await goThere((await second.link()).url);
  await second.call('of other');
  const [[token = ''], [next = '']] = [tokensAt('notes'), tokensAt('other')];
  expect([token, next].map((text) => text.length > 20)).toEqual([true, true]);
  expect(notes.other.heard.join()).not.toContain(token);
  expect(notes.notes.heard.join()).not.toContain(next);
});

test('a token is renewed before it ends, also at a node that has just started', async () => {
  const agent = await connect(await start());
  await goThere((await agent.link()).url);
  await agent.call('first');
  const second = await freePort();
  const node = await startTestServer({ ...options, port: second, databaseUrl: house.databaseUrl });
  try {
    const later = await connect(await start(`http://127.0.0.1:${second}`));
    expect(await later.call('second')).toBe('wrote second');
    ahead = 570_000;
    const afresh = await connect(await start(`http://127.0.0.1:${second}`));
    expect(await afresh.call('third')).toBe('wrote third');
    const [first, again, renewed] = tokensAt('notes');
    expect([first === again, again === renewed]).toEqual([true, false]);
  } finally {
    await node.stop();
  }
});

test('a token that the server no longer takes leads its person to the issuer once more', async () => {
  const agent = await connect(await start());
  await goThere((await agent.link()).url);
  const { takes } = notes.notes;
  notes.notes.takes = () => false;
  const { url, message } = await agent.link();
  notes.notes.takes = takes;
  expect(message).toBe('Connect your account once more, and call again: notes did not take it. Nothing was run.');
  await goThere(url);
  expect(await agent.call('again')).toBe('wrote again');
});

test('nothing runs where the issuer is not allowed, and the client reads the line to add', async () => {
  const agent = await connect(await start(), 'foreign');
  await expect(agent.call('x')).rejects.toThrow(
    'Ask an operator to add "https://login.example.net" to the "issuers" of "auto" in ASSENTRY_PROVIDERS',
  );
  expect(notes.foreign.called).toEqual([]);
});
