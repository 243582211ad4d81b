import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type ElicitResult } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { assentry, type ElicitOptions } from '#sdk/mcp/assentry-v2';
import { openDatabase } from '#platform/database/database';
import { findRequest, pendingOf, textOf } from '../mcp/peers.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { accept, call, post, type RawClient } from './peers.ts';

// One person's question in each channel, and others who hold every id, state and token of it.

const Answer = z.object({ word: z.string() });
const inputSchema = z.object({ about: z.string() });
const both = { elicitation: { form: {}, url: {} } };
const tasks = { 'io.modelcontextprotocol/tasks': {} };
const word = { word: 'yes' };

let caller: { subject: string; verified: boolean };
let effects: string[];
const clients: Client[] = [];

const server = await startTestServer();
const approver = await server.newUser();
const database = openDatabase(server.databaseUrl);
const otherServer = askingAt(server.url, await server.newServerKey('other'));
const options = { url: server.url, apiKey: await server.newServerKey('mine'), holdTimeoutMs: 100 };
const mcp = await serveBothEras(() => makeServer(options), 0);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await mcp.close();
  await database.close();
  await server.stop();
});
beforeEach(() => void (effects = []));

function makeServer(options: { url: string; apiKey: string; holdTimeoutMs: number }): McpServer {
  const mine = new McpServer({ name: 'mine', version: '1.0.0' });
  const tools = assentry(mine, { ...options, withoutElicitation: 'relay', principal: () => caller });
  const ways: Record<string, ElicitOptions & { prefersTask?: boolean }> = {
    form: {},
    page: { mode: 'url' },
    task: { prefersTask: true },
    approvers: { audience: 'approvers' },
  };
  for (const [name, { prefersTask = false, ...asks }] of Object.entries(ways)) {
    tools.registerTool(name, { inputSchema, prefersTask }, async ({ about: topic }, { elicit }) => {
      const { status } = await elicit(`Secret of ${topic}?`, Answer, asks);
      effects.push(`${status} ${topic}`);
      return { content: [{ type: 'text', text: `${status} ${topic}` }] };
    });
  }
  return mine;
}

async function connect(capabilities: object = {}): Promise<Client> {
  const options = { capabilities, versionNegotiation: { mode: 'legacy' as const } };
  const client = new Client({ name: 'agent', version: '2.0.0' }, options);
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url)));
  return client;
}
const callTool = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;

/** What the owner holds of an open question, and how they end it. */
interface Held {
  tool: string;
  secrets: { elicitId: string; toolCall: string; state?: string; pageToken?: string };
  finish(): Promise<string>;
}

const last = async (topic: string) => {
  const sql = 'SELECT id, tool_call_id FROM elicitation WHERE status = $1 ORDER BY opened_at DESC, id LIMIT 1';
  const { rows } = await database.pool.query<{ id: string; tool_call_id: string }>(sql, ['open']);
  const [row] = rows;
  if (!row) throw new TypeError(`Nothing is open about ${topic}.`);
  return { elicitId: row.id, toolCall: row.tool_call_id };
};

async function push(topic: string): Promise<Held> {
  const client = await connect(both);
  let answer: (reply: ElicitResult) => void = () => {};
  let isAsked = false;
  client.setRequestHandler('elicitation/create', () => {
    isAsked = true;
    return new Promise((resolve) => (answer = resolve));
  });
  const result = callTool(client, 'form', { about: topic });
  await until(() => isAsked);
  const finish = async () => (answer(accept(word)), textOf(await result));
  return { tool: 'form', secrets: await last(topic), finish };
}

async function relay(topic: string): Promise<Held> {
  const client = await connect();
  await callTool(client, 'form', { about: topic });
  const secrets = await last(topic);
  const message = { elicitId: secrets.elicitId, ...accept(word) };
  return {
    tool: 'form',
    secrets,
    finish: async () => textOf(await callTool(client, 'sendElicitationResult', message)),
  };
}

async function link(topic: string): Promise<Held> {
  const client = await connect({ elicitation: { url: {} } });
  const result = await callTool(client, 'form', { about: topic });
  const url = String((pendingOf(result) as { url?: string } | undefined)?.url);
  const secrets = { ...(await last(topic)), pageToken: url.replace(/^.*\/e\//, '') };
  const finish = async () => {
    const visitor = newVisitor();
    await letIn(visitor, url, /code (\d{3} \d{3})/.exec(textOf(result))?.[1] ?? '');
    await visitor.send(url, { action: 'accept', 'field.word': 'yes' });
    return textOf(await callTool(client, 'awaitElicitationResult', { elicitId: secrets.elicitId }));
  };
  return { tool: 'form', secrets, finish };
}

async function hold(topic: string): Promise<Held> {
  const client = await connect();
  await callTool(client, 'approvers', { about: topic });
  const { id } = await findRequest(approver, `Secret of ${topic}?`);
  const finish = async () => {
    await approver.vote(id, 'accept', word);
    return textOf(await callTool(client, 'awaitElicitationResult', { elicitId: id }));
  };
  return { tool: 'approvers', secrets: await last(topic), finish };
}

const inRounds = (tool: string, reply: object) =>
  async function round(topic: string): Promise<Held> {
    const client: RawClient = { capabilities: both };
    const state = (await call(mcp.url, tool, { about: topic }, {}, client)).result?.requestState ?? '';
    const inputResponses = { '0': reply };
    const finish = async () => {
      const { result } = await call(mcp.url, tool, { about: topic }, { requestState: state, inputResponses }, client);
      return result?.content?.[0]?.text ?? '';
    };
    return { tool, secrets: { ...(await last(topic)), state }, finish };
  };

async function task(topic: string): Promise<Held> {
  const client: RawClient = { capabilities: { ...both, extensions: tasks } };
  await call(mcp.url, 'task', { about: topic }, {}, client);
  const secrets = await last(topic);
  const params = { taskId: secrets.toolCall };
  const finish = async () => {
    await post(mcp.url, 'tasks/update', { ...params, inputResponses: { '0': accept(word) } }, client);
    const ended = await until(async () => {
      const { result } = await post(mcp.url, 'tasks/get', params, client);
      return result?.['status'] === 'completed' && result;
    });
    return textOf(ended['result'] as CallToolResult);
  };
  return { tool: 'task', secrets, finish };
}

const channels = {
  push,
  relay,
  link,
  hold,
  round: inRounds('form', accept(word)),
  url: inRounds('page', { action: 'decline' }),
  task,
};

const stranger = {
  elicitId: 'eli_AAAAAAAAAAAAAAAAAAAAAA',
  toolCall: 'call_AAAAAAAAAAAAAAAAAAAAAA',
  state: 'v1.test.AAAA.AAAA',
  pageToken: 'v1.test.AAAA.AAAA',
};

/** All that differs between two refusals is the number under which they were logged. */
const plain = (value: unknown): string =>
  String(JSON.stringify(value)).replaceAll(/err_[0-9a-f]{16}|"requestId":"[^"]*"/g, '');

/** Everything another client can try with what it holds; what it hears. */
async function tryAsClient({ tool, secrets }: Pick<Held, 'tool' | 'secrets'>, topic: string): Promise<string[]> {
  const legacy = await connect();
  const ids = [secrets.elicitId, secrets.toolCall, secrets.state ?? 'none', secrets.pageToken ?? 'none'];
  const heard: unknown[] = [];
  for (const elicitId of ids) {
    const attempts = [
      { elicitId, ...accept(word) },
      { elicitId, ...accept({ word: 'x', more: 'y' }) },
      { elicitId, action: 'cancel' },
    ];
    for (const input of attempts) {
      heard.push(await callTool(legacy, 'sendElicitationResult', input));
      heard.push((await call(mcp.url, 'sendElicitationResult', input, {}, { capabilities: {} })).result);
    }
    heard.push(await callTool(legacy, 'awaitElicitationResult', { elicitId }));
    heard.push((await call(mcp.url, 'awaitElicitationResult', { elicitId })).result);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId: elicitId, inputResponses: { '0': accept(word) } };
      heard.push((await post(mcp.url, method, params, { capabilities: { ...both, extensions: tasks } })).error);
    }
    const round = { requestState: elicitId, inputResponses: { '0': accept(word) } };
    heard.push((await call(mcp.url, tool, { about: topic }, round, { capabilities: both })).error);
  }
  return heard.map(plain);
}

/** Everything another MCP server can try with its own key. */
async function tryAsServer({ secrets }: Pick<Held, 'secrets'>, topic: string): Promise<string[]> {
  const { elicitId, toolCall, state = stranger.state } = secrets;
  const binding = {
    principal: { subject: 'alice' },
    method: 'tools/call',
    tool: 'form',
    argumentsDigest: '0'.repeat(64),
  };
  const requests: [string, string, unknown?][] = [
    ['GET', `/v1/elicitations/${elicitId}`],
    ['POST', `/v1/elicitations/${elicitId}/answer`, accept(word)],
    ['POST', `/v1/elicitations/${elicitId}/answer`, { ...accept(word), channel: 'told' }],
    ['POST', `/v1/elicitations/${elicitId}/cancel`, { cause: 'user' }],
    ['POST', `/v1/elicitations/${elicitId}/caller`, { state: 'gone' }],
    ['GET', `/v1/tool-calls/${toolCall}`],
    ['POST', `/v1/tool-calls/${toolCall}/claim`, { attempt: 'a', run: '0'.repeat(64) }],
    ['POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: true }],
    ['POST', '/v1/tokens', { session: topic, elicitation: elicitId, purpose: 'page' }],
    ['POST', '/v1/states', { toolCall, binding }],
    ['POST', '/v1/states/redeem', { state, binding }],
  ];
  const heard = await Promise.all(
    requests.map(async ([method, path, body]) => {
      const response = await otherServer.call(method, path, body);
      return plain([response.status, await response.json()]).replaceAll(/"instance":"[^"]*"/g, '');
    }),
  );
  return heard;
}

const entries = async (id: string): Promise<unknown[]> =>
  (await database.pool.query('SELECT type FROM audit_entry WHERE elicitation_id = $1', [id])).rows;

describe.each(Object.entries(channels))('a question by %s', (name, begin) => {
  test('is neither read, answered nor known by another principal or server, whatever they hold', async () => {
    const topic = `${name} ${Math.random()}`;
    caller = { subject: 'alice', verified: true };
    const pendingCall = await begin(topic);
    const { elicitId } = pendingCall.secrets;
    const before = await entries(elicitId);
    for (const mallory of [
      { subject: 'mallory', verified: true },
      { subject: 'alice', verified: false },
    ]) {
      caller = mallory;
      const heard = await tryAsClient(pendingCall, topic);
      expect(heard).toEqual(await tryAsClient({ tool: pendingCall.tool, secrets: stranger }, topic));
      expect(heard.join()).not.toContain('Secret');
    }
    const heard = await tryAsServer(pendingCall, topic);
    expect(heard).toEqual(await tryAsServer({ secrets: stranger }, topic));
    expect(await entries(elicitId)).toEqual(before);
    expect(effects).toEqual([]);
    caller = { subject: 'alice', verified: true };
    expect(await pendingCall.finish()).toBe(`${name === 'url' ? 'decline' : 'accept'} ${topic}`);
    expect(effects).toHaveLength(1);
  });

  test('is not met by the equal call of another principal', async () => {
    const topic = `equal ${name} ${Math.random()}`;
    caller = { subject: 'alice', verified: true };
    const pendingCall = await begin(topic);
    caller = { subject: 'mallory', verified: true };
    const theirs = pendingOf(await callTool(await connect(), pendingCall.tool, { about: topic }));
    expect(theirs?.elicitId).toMatch(/^eli_/);
    expect(theirs?.elicitId).not.toBe(pendingCall.secrets.elicitId);
    expect(effects).toEqual([]);
    caller = { subject: 'alice', verified: true };
    expect(await pendingCall.finish()).toMatch(/^(accept|decline) equal/);
  });
});

test.each(['push', 'relay', 'link'] as const)(
  'a question by %s is out of reach for other sessions of a client no one has verified',
  async (name) => {
    const topic = `session ${name} ${Math.random()}`;
    caller = { subject: 'client:agent', verified: false };
    const pendingCall = await channels[name](topic);
    const before = await entries(pendingCall.secrets.elicitId);
    const heard = await tryAsClient(pendingCall, topic);
    expect(heard).toEqual(await tryAsClient({ tool: pendingCall.tool, secrets: stranger }, topic));
    expect(await entries(pendingCall.secrets.elicitId)).toEqual(before);
    expect(await pendingCall.finish()).toBe(`accept ${topic}`);
    expect(effects).toEqual([`accept ${topic}`]);
  },
);

test.each([{ 'mcp-name': 'approvers' }, { 'mcp-method': 'tools/list' }])(
  'MT-12 a call whose headers name something else than its body is refused: %j',
  async (headers) => {
    caller = { subject: 'alice', verified: true };
    const { error } = await call(mcp.url, 'form', { about: 'headers' }, {}, { capabilities: both, headers });
    expect(error).toMatchObject({ code: -32020 });
    expect(effects).toEqual([]);
  },
);
