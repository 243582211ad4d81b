import { afterAll, expect, test } from '@jest/globals';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { callTool, findRequest, pendingOf, textOf } from '../../sdk/mcp/peers.ts';
import { makeV2Client } from '../../sdk/mcp-v2/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { everything, runScript } from '../everything-script.ts';
import { commandOf, connect, faultsIn, kinds, pipeTo, startGates, startNotes } from '../http/peers.ts';
import { notesServer, startDirect } from '../peers.ts';
import { initialize, post } from '../http/raw-post.ts';
import { asOne } from './as-one.ts';
import { json } from '../../support/json.ts';
import { readingPolicy } from '../reading-policy.ts';

const clients: Record<string, AssentryClient> = {};
const open = closedAfterEach();

const server = await startTestServer();
const approver = await server.newUser('approver');
for (const name of ['notes', 'files', 'everything', 'gone']) {
  clients[name] = createClient({ url: server.url, apiKey: await server.newServerKey(name) });
}
const free = 'policy: free\nmatch: { server: [everything, files] }\nallow: { ceiling: medium }\n';
const resources =
  'policy: resources\nmatch: { server: everything, tool: assentry.resource }\nallow: { ceiling: medium }\n';
await server.applyPolicies([free, readingPolicy, resources]);
const notes = await startNotes();
afterAll(async () => {
  await notes.close();
  await server.stop();
});

async function start(upstreams: Record<string, Record<string, unknown>>, holdTimeoutMs?: number) {
  const clientFor = (name: string): AssentryClient => clients[name] as AssentryClient;
  const gateway = await startGates({ upstreams, clientFor, ...(holdTimeoutMs !== undefined && { holdTimeoutMs }) });
  open.push(() => gateway.close());
  return gateway;
}

async function agentAt(url: string, kind?: (typeof kinds)[number]) {
  const { client } = await connect(url, kind);
  open.push(() => client.close());
  return client;
}

test('server-everything is the same among others: lists, questions, sampling, roots, progress, cancelling', async () => {
  const other = notesServer();
  const gateway = await start({ everything: commandOf(everything), notes: commandOf(other.words) });
  const direct = await runScript(await startDirect(everything));
  const merged = await runScript(asOne(pipeTo(gateway.merged), 'everything'));
  expect(merged.filter(isNoGreeting)).toEqual(direct.filter(isNoGreeting));
  expect(other.done()).toEqual([]);
  expect(faultsIn(gateway).filter((line) => !line.startsWith('everything: '))).toEqual([]);
});

/** What the server says of itself is said of all. */
const isNoGreeting = (frame: string): boolean => !frame.includes('"protocolVersion"');

test.each(kinds)('%s: two servers are one, and a call waits where its server is', async (kind) => {
  const files = notesServer();
  const gateway = await start({ notes: { url: notes.url }, files: commandOf(files.words) });
  const client = await agentAt(gateway.merged, kind);
  const tools = (await client.listTools()).tools.map(({ name }) => name);
  expect(tools).toEqual(expect.arrayContaining(['notes__write_note', 'files__write_note']));
  expect(new Set(tools).size).toBe(tools.length);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'upstream:notes/file:///notes/first',
    'upstream:files/file:///notes/first',
  ]);
  const { contents } = await client.readResource({ uri: 'upstream:files/file:///notes/first' });
  expect(contents).toMatchObject([{ uri: 'upstream:files/file:///notes/first', text: 'one' }]);
  expect(textOf(await callTool(client, 'files__write_note', { text: kind }))).toBe(`wrote ${kind}`);
  expect(files.done()).toEqual([`wrote ${kind}`]);
  const result = callTool(client, 'notes__write_note', { text: kind });
  const { id } = await findRequest(approver, 'Run write_note on notes?');
  expect(notes.done).not.toContain(`wrote ${kind}`);
  await approver.vote(id, 'accept');
  expect(textOf(await result)).toBe(`wrote ${kind}`);
  expect(notes.done.filter((line) => line === `wrote ${kind}`)).toHaveLength(1);
  expect(faultsIn(gateway)).toEqual([]);
});

test('one tool waits for the results of all servers, by an id that leads back to its own', async () => {
  const gateway = await start({ notes: { url: notes.url }, files: commandOf(notesServer().words) }, 150);
  const client = await agentAt(gateway.merged);
  const result = await callTool(client, 'notes__write_note', { text: 'late' });
  const { elicitId = '' } = pendingOf(result) ?? {};
  expect(elicitId).toMatch(/^notes\/eli_/);
  expect(textOf(result)).toContain(`Call awaitElicitationResult with elicitId ${elicitId}`);
  const { tools } = await client.listTools();
  expect(tools.filter(({ name }) => name.includes('awaitElicitationResult'))).toHaveLength(1);
  for (const lost of [elicitId.replace('notes/', ''), elicitId.replace('notes', 'none')])
    await expect(callTool(client, 'awaitElicitationResult', { elicitId: lost })).rejects.toThrow();
  const elsewhere = callTool(client, 'awaitElicitationResult', { elicitId: elicitId.replace('notes', 'files') });
  expect(await elsewhere.then(textOf, String)).not.toContain('wrote late');
  await approver.vote(elicitId.replace('notes/', ''), 'accept');
  const onwards = await until(async () => {
    const answer = await callTool(client, 'awaitElicitationResult', { elicitId });
    return textOf(answer) === 'wrote late' && answer;
  });
  expect(onwards).toBeTruthy();
});

test('an upstream that is down is left out, said once, and the others go on', async () => {
  const gateway = await start({ gone: { url: 'http://127.0.0.1:1/mcp' }, files: commandOf(notesServer().words) });
  for (const kind of kinds) {
    const client = await agentAt(gateway.merged, kind);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name.split('__')[0])).not.toContain('gone');
    expect(textOf(await callTool(client, 'files__read_note', { text: 'on' }))).toBe('read on');
    await expect(callTool(client, 'gone__write_note', { text: 'x' })).rejects.toThrow();
  }
  expect(faultsIn(gateway)).toEqual([expect.stringContaining('gone: It is left out: ')]);
});

test('a session goes on at another node, which has never seen it', async () => {
  const upstreams = { notes: { url: notes.url } };
  const [first, other] = [await start(upstreams), await start(upstreams)];
  const begun = await post(first.merged, initialize);
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  await begun.text();
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  expect(await (await post(other.merged, list, session)).text()).toContain('notes__read_note');
  expect((await fetch(other.merged, { method: 'DELETE', headers: session })).status).toBe(200);
  expect((await post(first.merged, list, session)).status).toBe(404);
});

test('a list goes on at each server that has more of it', async () => {
  const gateway = await start({ notes: pages(3), files: pages(1), everything: pages(2) });
  const lists: string[][] = [];
  let cursor: string | undefined;
  do {
    const params = { ...(cursor && { cursor }), _meta: meta };
    const answer = await post(gateway.merged, { jsonrpc: '2.0', id: 1, method: 'prompts/list', params }, listing);
    const { result } = await json<{ result: { prompts: { name: string }[]; nextCursor?: string } }>(answer);
    lists.push(result.prompts.map(({ name }) => name));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  expect(lists).toEqual([['notes__p0', 'files__p0', 'everything__p0'], ['notes__p1', 'everything__p1'], ['notes__p2']]);
  const params = { cursor: 'eyJub3RlcyI6Nx', _meta: meta };
  const refused = await post(gateway.merged, { jsonrpc: '2.0', id: 1, method: 'prompts/list', params }, listing);
  expect(await refused.text()).toContain('Use the cursor of the page before.');
});

test('a subscription of 2026 is one at all servers, each with its own addresses', async () => {
  const gateway = await start({ notes: { url: notes.url }, gone: { url: 'http://127.0.0.1:1/mcp' } });
  const client = makeV2Client(undefined, 'auto');
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.merged)));
  open.push(() => client.close());
  const { honoredFilter, close } = await (client as Client).listen({ toolsListChanged: true });
  expect(honoredFilter).toEqual({ toolsListChanged: true });
  await close();
});

test('an argument is said in a header as well, and must be as in the body', async () => {
  const gateway = await start({ notes: { url: notes.url }, files: commandOf(notesServer().words) });
  const client = await agentAt(gateway.merged, '2026');
  const { tools } = await client.listTools(); // the client learns which arguments
  expect(tools.map(({ name }) => name)).toContain('notes__find_note');
  for (const name of ['notes__find_note', 'files__find_note']) {
    expect(textOf(await callTool(client, name, { shelf: 'top' }))).toBe('found on top');
  }
  const call = {
    ...callOf('notes__find_note'),
    params: { name: 'notes__find_note', arguments: { shelf: 'top' }, _meta: meta },
  };
  const answer = await post(gateway.merged, call, { ...named('notes__find_note'), 'mcp-param-shelf': 'bottom' });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_020 } }]);
});

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const listing = { 'mcp-method': 'prompts/list', 'mcp-protocol-version': '2026-07-28' };

/** A server whose list of prompts has this many pages. */
const pages = (count: number) =>
  commandOf([
    process.execPath,
    '-e',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, params } = JSON.parse(line);
      if (id === undefined) return;
      const page = Number(params.cursor ?? 0);
      const nextCursor = page + 1 < ${count} ? String(page + 1) : undefined;
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { prompts: [{ name: 'p' + page }], nextCursor } }));
    })`,
  ]);

const callOf = (name: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { text: 'bypass' }, _meta: meta },
});
const named = (name: string) => ({
  'mcp-method': 'tools/call',
  'mcp-name': name,
  'mcp-protocol-version': '2026-07-28',
});

test.each<[string, unknown, Record<string, string>]>([
  ['the name without a prefix', callOf('write_note'), named('write_note')],
  ['an unknown upstream', callOf('other__write_note'), named('other__write_note')],
  ['the prefix in another case', callOf('Notes__write_note'), named('Notes__write_note')],
  ['the name in another case', callOf('notes__Write_note'), named('notes__Write_note')],
  ['a space', callOf('notes__write_note '), named('notes__write_note')],
  ['a space before it', callOf(' notes__write_note'), named('notes__write_note')],
  ['two prefixes', callOf('files__notes__write_note'), named('files__notes__write_note')],
  ['a prefix of another kind', callOf('notes/write_note'), named('notes/write_note')],
  ['a third underscore', callOf('notes___write_note'), named('notes___write_note')],
  ['the header of another tool', callOf('notes__write_note'), named('files__read_note')],
  ['the header of the upstream', callOf('notes__write_note'), named('write_note')],
  ['a header that is wrapped', callOf('notes__write_note'), named('=?base64?bm90ZXNfX3dyaXRlX25vdGU=?=')],
  [
    'a repeated name',
    JSON.stringify(callOf('notes__write_note')).replace('"name"', '"name":"files__read_note","name"'),
    named('notes__write_note'),
  ],
  [
    'a lookalike member',
    callOf('notes__write_note').params && {
      ...callOf('notes__write_note'),
      params: { ...callOf('notes__write_note').params, Name: 'files__read_note' },
    },
    named('notes__write_note'),
  ],
  ['a batch', [callOf('notes__write_note')], named('notes__write_note')],
  ['another case of the method', { ...callOf('notes__write_note'), method: 'Tools/Call' }, {}],
  ['a name that is no text', callOf(['notes__write_note']), named('notes__write_note')],
  [
    'a session of its own making',
    callOf('notes__write_note'),
    { ...named('notes__write_note'), 'mcp-session-id': 'e30' },
  ],
])('%s is refused, and nothing runs', async (_, body, more) => {
  const gateway = await start({ notes: { url: notes.url }, files: commandOf(notesServer().words) });
  expect(await (await post(gateway.merged, body, more)).text()).toContain('"error"');
  expect(notes.done).not.toContain('wrote bypass');
});

test.each(['1999-01-01', '2026-07-28'])(
  'a session, of one server or of all, is of a revision that has sessions: a message of %s is refused',
  async (revision) => {
    const gateway = await start({ notes: commandOf(notesServer().words) });
    for (const endpoint of [gateway.merged, gateway.addresses['notes'] ?? '']) {
      const session = { 'mcp-session-id': (await post(endpoint, initialize)).headers.get('mcp-session-id') ?? '' };
      const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
      const statusOf = async (version: string) =>
        (await post(endpoint, ping, { ...session, 'mcp-protocol-version': version })).status;
      expect([await statusOf(revision), await statusOf('2025-11-25')]).toEqual([400, 200]);
    }
  },
);
