import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createClient } from '#sdk/client/client';
import { callTool, findRequest, makeClient, textOf } from '../../sdk/mcp/peers.ts';
import { startIssuerOfServers } from '../../support/connect/issuer-of-servers.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { until } from '../../support/poll.ts';
import { startNotes } from '../http/peers.ts';
import { startPersonalNotes, type PersonalNotes } from '../identity/personal-notes.ts';
import { callRaw, startWrappedAt, withoutOwn, type WrappedServer } from '../peers.ts';
import { readingPolicy } from '../reading-policy.ts';

/** A trial of one person, who uses servers at addresses: one that takes everyone, and two that name one issuer. */
let ahead = 0;
const now = () => Date.now() + ahead;
const issuer = await startIssuerOfServers();
const [plain, closed, halfOpen] = [await startNotes(), await startPersonalNotes(), await startPersonalNotes()];
for (const server of [closed, halfOpen]) {
  server.takes = (header) => issuer.isLive(header.replace(/^Bearer /, ''), server.url);
  server.metadata = { resource: server.url, authorization_servers: [issuer.issuer], scopes_supported: ['read'] };
}
const house = await startTestServer({ now });
const approver = await house.newUser('approver');
const assentry = createClient({ url: house.url, apiKey: await house.newServerKey('notes') });
await house.applyPolicies([readingPolicy]);
const open: WrappedServer[] = [];
const servers: Server[] = [];
beforeEach(() => {
  ahead = 0;
  closed.isClosed = true;
  for (const { heard } of [closed, halfOpen]) heard.length = 0;
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});
afterAll(async () => {
  await house.stop();
  for (const { close } of [plain, closed, halfOpen, issuer]) await close();
});

async function connect(
  url: string,
  settings: Partial<Parameters<typeof startWrappedAt>[1]> = {},
  client = makeClient(),
) {
  const wrapped = startWrappedAt(url, { client: assentry, ...settings });
  open.push(wrapped);
  await client.connect(wrapped as unknown as Transport);
  return { wrapped, client };
}

/** Where the person is sent, and the code for which the page asks. */
function pageIn(message: string): { url: string; code: string } {
  const [, url = ''] = /(https?:\/\/[^\s"]+\/go\/v1\.[^\s"]+)/.exec(message) ?? [];
  const [, first = '', last = ''] = /code (\d{3}) (\d{3})/.exec(message) ?? [];
  return { url, code: first + last };
}

const pageFor = async (asking: Promise<unknown>) => pageIn(await asking.then(() => '', String));

/** The person agrees at the page, consents at the issuer and comes back. */
async function goThere({ url, code }: { url: string; code: string }): Promise<number> {
  const visitor = newVisitor();
  const address = await leaveBy(visitor, url, code);
  return (await visitor.get((await issuer.visit(address)).href)).status;
}

const changes = ({ seen }: WrappedServer) => seen.filter(({ method }) => method === 'notifications/tools/list_changed');
const tokensAt = ({ heard }: PersonalNotes): string[] => [
  ...new Set(heard.flatMap((headers) => (JSON.parse(headers) as { authorization?: string }).authorization ?? [])),
];

test('a server that takes everyone is listed as it is, and a call runs once it is approved', async () => {
  const { client } = await connect(plain.url);
  const { tools } = await client.listTools();
  expect(withoutOwn(tools).map(({ name }) => name)).toContain('write_note');
  const writing = callTool(client, 'write_note', { text: 'a' });
  const { id } = await findRequest(approver, 'Run write_note on notes?');
  expect(plain.done).toEqual([]);
  await approver.vote(id, 'accept');
  expect(textOf(await writing)).toBe('wrote a');
  expect(plain.done).toEqual(['wrote a']);
});

test('a client of 2026-07-28 is served without a session', async () => {
  const wrapped = startWrappedAt(plain.url, { client: assentry });
  open.push(wrapped);
  const { result } = await callRaw(wrapped, 1, { name: 'read_note', arguments: { text: 'a' } });
  expect(result).toMatchObject({ content: [{ text: 'read a' }] });
});

test('a server that takes no one without a token is connected on the page once, and its tools appear', async () => {
  const { wrapped, client } = await connect(closed.url);
  const page = await pageFor(client.listTools());
  expect(await pageFor(client.listTools())).toEqual(page);
  const visitor = newVisitor();
  const { html } = await letIn(visitor, page.url, page.code);
  expect(html).toContain(`The server itself sends you to ${new URL(issuer.issuer).host}.`);
  expect(await goThere(page)).toBe(303);
  await until(() => changes(wrapped).length === 1);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write_note');
  expect(textOf(await callTool(client, 'read_note', { text: 'a' }))).toBe('read a');
  const [token = ''] = tokensAt(closed);
  expect(await issuer.isLive(token.replace('Bearer ', ''), closed.url)).toBe(true);
});

test('the next client needs no page, and a token that ends is renewed', async () => {
  const first = await connect(closed.url);
  expect(textOf(await callTool(first.client, 'read_note', { text: 'b' }))).toBe('read b');
  ahead = 570_000;
  const later = await connect(closed.url);
  expect(textOf(await callTool(later.client, 'read_note', { text: 'c' }))).toBe('read c');
  expect(tokensAt(closed)).toHaveLength(2);
});

test('a server that refuses calls alone names the page at the call, and gets a token of its own', async () => {
  const { client } = await connect(halfOpen.url);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  const page = await pageFor(callTool(client, 'read_note', { text: 'd' }));
  expect(await goThere(page)).toBe(303);
  expect(textOf(await callTool(client, 'read_note', { text: 'd' }))).toBe('read d');
  const [own = ''] = tokensAt(halfOpen);
  expect(closed.heard.join()).not.toContain(own);
});

test('a token that the server no longer takes leads to the page once more', async () => {
  const { client } = await connect(halfOpen.url);
  const { takes } = halfOpen;
  halfOpen.takes = () => false;
  const page = await pageFor(callTool(client, 'read_note', { text: 'e' }));
  halfOpen.takes = takes;
  expect(await goThere(page)).toBe(303);
  expect(textOf(await callTool(client, 'read_note', { text: 'e' }))).toBe('read e');
});

test('a client that opens addresses for its person is asked to', async () => {
  const other = await startPersonalNotes();
  Object.assign(other, { isClosed: true, takes: () => false });
  other.metadata = { resource: other.url, authorization_servers: [issuer.issuer] };
  const { wrapped } = await connect(other.url, {}, makeClient(undefined, { elicitation: { url: {} } }));
  const sent = await until(() => wrapped.seen.find(({ method }) => method === 'elicitation/create'));
  expect(sent.params).toMatchObject({ mode: 'url', url: expect.stringMatching(/\/go\/v1\./) });
  await other.close();
});

test.each([
  ['a site that is no issuer', [new URL(closed.url).origin], 'its metadata is missing'],
  ['no issuer', [], 'its metadata names no issuer'],
])('no one is sent anywhere for a server that names %s', async (_name, authorization_servers, why) => {
  const other = await startPersonalNotes();
  Object.assign(other, { isClosed: true, takes: () => false });
  other.metadata = { resource: other.url, authorization_servers };
  expect(await connect(other.url).catch(String)).toContain(why);
  await other.close();
});

/** A server by hand. */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer(async (request, response) => answer(request, response, await text(request)));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const initialized = (id: unknown) => ({
  jsonrpc: '2.0',
  id,
  result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
});

test('a redirect to another host is not followed, so that it takes no header along', async () => {
  const heard: string[] = [];
  const elsewhere = await serve(({ headers }, response) => {
    heard.push(JSON.stringify(headers));
    response.writeHead(200).end();
  });
  const url = await serve((_request, response) => void response.writeHead(307, { location: elsewhere }).end());
  const refusal = await connect(url, { headers: { 'x-api-key': 'sk_test_secret123456' } }).catch(String);
  expect(refusal).toContain('no redirect there is followed');
  expect(refusal).not.toContain('sk_test_secret123456');
  expect(heard).toEqual([]);
});

test('a session that the server has forgotten is begun again, and no call runs twice', async () => {
  const [sessions, calls] = [new Set<string>(), [] as string[]];
  const url = await serve(({ method, headers }, response, body) => {
    const session = String(headers['mcp-session-id'] ?? '');
    if (method !== 'POST') return void response.writeHead(405).end();
    const { id, method: name } = JSON.parse(body) as { id?: number; method: string };
    const type = { 'content-type': 'application/json' };
    if (name === 'initialize') {
      const begun = `session-${sessions.size + 1}-${calls.length}`;
      sessions.add(begun);
      return void response.writeHead(200, { ...type, 'mcp-session-id': begun }).end(JSON.stringify(initialized(id)));
    }
    if (!sessions.has(session)) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    calls.push(name);
    const tools = [{ name: 'read_note', inputSchema: { type: 'object' } }];
    response.writeHead(200, type).end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools } }));
  });
  const { client } = await connect(url);
  await client.listTools();
  sessions.clear();
  expect(withoutOwn((await client.listTools()).tools)).toHaveLength(1);
  expect(calls).toEqual(['tools/list', 'tools/list']);
});

test('a stream that breaks off before its answer is resumed where it ended', async () => {
  const resumed: unknown[] = [];
  const url = await serve(({ method, headers }, response, body) => {
    const stream = { 'content-type': 'text/event-stream' };
    if (method === 'GET' && headers['last-event-id'] === undefined) return void response.writeHead(405).end();
    if (method === 'GET') {
      resumed.push(headers['last-event-id']);
      const answer = { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'late', inputSchema: { type: 'object' } }] } };
      return void response.writeHead(200, stream).end(`id: 8\ndata: ${JSON.stringify(answer)}\n\n`);
    }
    const { id, method: name } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    if (name === 'initialize')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(initialized(id)));
    response.writeHead(200, stream).end('id: 7\nretry: 1\ndata: \n\n');
  });
  const { client } = await connect(url);
  expect(withoutOwn((await client.listTools()).tools).map(({ name }) => name)).toEqual(['late']);
  expect(resumed).toEqual(['7']);
});

test('a call to a server that ends before it answers has an unknown outcome', async () => {
  const url = await serve(({ method }, response, body) => {
    if (method !== 'POST') return void response.writeHead(405).end();
    const { id, method: name } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const tool = { name: 'break_off', inputSchema: { type: 'object' } };
    const answer = name === 'initialize' ? initialized(id) : { jsonrpc: '2.0', id, result: { tools: [tool] } };
    if (name === 'tools/call') return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const { client } = await connect(url);
  const calling = callTool(client, 'break_off', {});
  const { id } = await findRequest(approver, 'Run break_off on notes?');
  await approver.vote(id, 'accept');
  await expect(calling).rejects.toThrow('its end was never recorded');
});
