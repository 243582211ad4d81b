import { afterAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { callTool, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { connect, startGates, startNotes } from '../http/peers.ts';
import { honest, startScripted, type Heard } from '../http/scripted-server.ts';
import { readingPolicy } from '../reading-policy.ts';

const clients: Record<string, AssentryClient> = {};
const open = closedAfterEach();

const server = await startTestServer();
for (const name of ['notes', 'bad'])
  clients[name] = createClient({ url: server.url, apiKey: await server.newServerKey(name) });
await server.applyPolicies([readingPolicy]);
const notes = await startNotes();
afterAll(async () => {
  await notes.close();
  await server.stop();
});

/** A client of a good server and one that answers so. */
async function connectNextTo(script: Record<string, (heard: Heard) => unknown>) {
  const bad = await startScripted(script);
  // The bad one comes first: what it says must not win.
  const upstreams = { bad: { url: bad.url }, notes: { url: notes.url } };
  const gateway = await startGates({ upstreams, clientFor: (name) => clients[name] as AssentryClient });
  open.push(
    () => gateway.close(),
    () => bad.close(),
  );
  const { client } = await connect(gateway.merged);
  open.push(() => client.close());
  return { client, warnings: gateway.warnings };
}

async function expectServed(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('notes__read_note');
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain(
    'upstream:notes/file:///notes/first',
  );
  expect(textOf(await callTool(client, 'notes__read_note', { text: 'on' }))).toBe('read on');
}

const greeting = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'bad', version: '1' } };

function answerWith({ id, response }: Pick<Heard, 'id' | 'response'>, result: object, session = 'one'): void {
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

describe('a server keeps no client from the others', () => {
  test.each<[string, object, string]>([
    ['a session id that fills the headers', greeting, 'x'.repeat(12_000)],
    ['a revision from before MCP', { ...greeting, protocolVersion: '1970-01-01' }, 'one'],
    ['a revision that fits into no header', { ...greeting, protocolVersion: '2025\n11' }, 'one'],
    ['no revision', { capabilities: {} }, 'one'],
  ])('by %s: it is left out, and the operator is told', async (_, result, session) => {
    const { client, warnings } = await connectNextTo({ initialize: (heard) => answerWith(heard, result, session) });
    await expectServed(client);
    const leftOut = warnings.filter((warning) => !warning.includes('No one has looked at'));
    expect(leftOut).toEqual([expect.stringMatching(/^bad: It is left out: Ask the operator of bad: /)]);
  });

  test.each<[string, unknown]>([
    ['that are a text', 'all'],
    ['that are a list', [1]],
    ['of other types', { tools: 5, resources: { listChanged: 'yes', subscribe: {} }, prompts: [], logging: true }],
    ['of others of other types', { experimental: { x: 5 }, extensions: 'y', tasks: { list: 1 } }],
  ])('by capabilities %s', async (_, capabilities) => {
    const { client } = await connectNextTo({
      initialize: (heard) => answerWith(heard, { ...greeting, capabilities }),
    });
    await expectServed(client);
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true }, resources: {} });
  });

  test.each<[string, object]>([
    ['entries that are none', { tools: [5, null, {}], resources: [{}, 'x', { uri: 5, name: 'y' }] }],
    ['entries of other types', { resources: [{ uri: 'a:b', name: 'x', description: 5, annotations: 'z' }] }],
    ['another type of result', { resultType: 'task', _meta: 5, tools: [], resources: [] }],
    ['another type of list', { tools: 'all', resources: { length: 1 } }],
  ])('by a list with %s', async (_, result) => {
    const lie = (heard: Heard): void => answerWith(heard, result);
    const { client } = await connectNextTo({ 'tools/list': lie, 'resources/list': lie });
    await expectServed(client);
  });

  test('by not taking a notification', async () => {
    const { client } = await connectNextTo({ 'notifications/initialized': () => {} });
    await expectServed(client);
  });
});

test('a list goes on although one server names its next page at length', async () => {
  const page = ({ id, params, response }: Heard): void => {
    const isFirst = params?.['cursor'] === undefined;
    const result = {
      resources: [{ uri: `bad:${isFirst ? 1 : 2}`, name: 'r' }],
      ...(isFirst && { nextCursor: 'x'.repeat(50_000) }),
    };
    answerWith({ ...(id !== undefined && { id }), response }, result);
  };
  const { client } = await connectNextTo({ 'resources/list': page, initialize: honest });
  const { nextCursor = '' } = await client.listResources();
  expect((await client.listResources({ cursor: nextCursor })).resources).toMatchObject([{ uri: 'upstream:bad/bad:2' }]);
});
