import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import { createClient } from '#sdk/client/client';
import { onRequest, type AssentryTools, type ConnectOptions } from '#sdk/mcp/assentry';
import { assentry } from '#sdk/mcp/assentry-v2';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { serveBothEras } from '../../../../examples/serve-both-eras.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../../support/nodes/visitor.ts';
import { startScriptedServer } from '../../client/scripted-server.ts';
import { call, type RawAnswer } from '../../mcp-v2/peers.ts';
import { findRequest, pendingOf, startMcpServer, textOf } from '../peers.ts';
import { connectionId, fakeAccounts } from './fake-accounts.ts';

const server = await startTestServer();
const approver = await server.newUser('approver');
const accounts = fakeAccounts(createClient({ url: server.url, apiKey: await server.newServerKey('shop') }));

/** The provider's API. It takes no token that it has refused before. */
const refusedTokens = new Set<string>();
const api = await startScriptedServer(({ headers }, response) => {
  const isTaken = !refusedTokens.has(headers.authorization ?? '');
  response.writeHead(isTaken ? 200 : 401).end('{"login":"ada"}');
});
accounts.hosts = [new URL(api.url).host];

/** Each question of a run, with the call that it belongs to. */
let questions: { step: string; toolCall: string; id: string; audience: string }[] = [];
let runs = 0;
const hooks = [
  onRequest.did('storePendingRecord', ({ request, elicitation: { toolCall, id, audience } }) => {
    questions.push({ step: request.step ?? '', toolCall, id, audience });
  }),
];
const options = { client: accounts.client, holdTimeoutMs: 150, hooks };
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const inputSchema = { order: z.string() };

const register = (tools: AssentryTools): void => {
  tools.registerTool('repos', { inputSchema }, async (_, { connect, elicit, requester }) => {
    runs += 1;
    const github = await connect('github', { scopes: ['repo'] });
    const answer = await elicit('Which?', z.object({ name: z.string() }), { mode: 'url' });
    return say(`${requester.subject} ${github.account.label} ${answer.content?.name ?? answer.status}`);
  });
  tools.registerTool('pay', { inputSchema }, async (_, { connect, approve }) => {
    runs += 1;
    const github = await connect('github');
    return say(`${github.id} ${await approve(`Pay from ${github.account.label}?`)}`);
  });
  tools.registerTool('whoami', { inputSchema }, async (_, { connect, approve }) => {
    runs += 1;
    const github = await connect('github');
    if (!(await approve('Show?'))) return say('no');
    return say(`${(await github.fetch(api.url)).status}`);
  });
  tools.registerTool('alone', { inputSchema }, async (_, { connect }) => {
    runs += 1;
    return say((await connect('github')).id);
  });
  tools.registerTool('together', { inputSchema }, async (_, { connect, elicit }) => {
    const ask = () => elicit('Which?', z.object({ name: z.string() }), { mode: 'url' });
    const [github, answer] = await Promise.all([connect('github'), ask()]);
    return say(`${github.account.label} ${answer.status}`);
  });
  const destroys = { inputSchema, annotations: { destructiveHint: true } };
  tools.registerTool('destroy', destroys, async (_, { connect }) => say((await connect('github')).id));
  tools.registerTool('required', { inputSchema }, async (_, { connect }) =>
    say((await connect('github', { throwUrlRequired: true })).id),
  );
  tools.registerTool('wrong', { inputSchema: { options: z.any() } }, async ({ options: parameters }, { connect }) => {
    const { provider = 'github', ...rest } = parameters as ConnectOptions & { provider?: string };
    return say((await connect(provider, rest)).id);
  });
};

const first = await startMcpServer(register, options);
const strict = await startMcpServer(register, {
  ...options,
  withoutElicitation: 'deny',
  hooks: [...hooks, onRequest.will('parseInput', ({ options: set }) => void (set.approval = true))],
});
const second = await serveBothEras(() => {
  const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
  register(assentry(mcp, options) as unknown as AssentryTools); // what a tool does is the same for both
  return mcp;
}, 0);
const clients: Client[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all([first.stop(), strict.stop(), second.close(), api.stop()]);
  await server.stop();
});
beforeEach(() => {
  questions = [];
  runs = 0;
  accounts.opened.length = 0;
  accounts.found.length = 0;
  accounts.state = 'missing';
});

const withUrl = { elicitation: { form: {}, url: {} } };
const agree = () => ({ action: 'accept' as const });
type Calls = (name: string, args: Record<string, unknown>) => Promise<CallToolResult>;

async function connectFirst(capabilities: object = {}, peer = first): Promise<Calls> {
  const client = await peer.connect('elicitation' in capabilities ? agree : undefined, capabilities);
  return async (name, args) => (await client.callTool({ name, arguments: args })) as CallToolResult;
}

async function connectLegacy(): Promise<Calls> {
  const versionNegotiation = { mode: 'legacy' as const };
  const client = new Client({ name: 'agent', version: '2.0.0' }, { capabilities: withUrl, versionNegotiation });
  client.setRequestHandler('elicitation/create', agree);
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(second.url)));
  return async (name, args) => (await client.callTool({ name, arguments: args })) as CallToolResult;
}

const codeIn = (message: string): string => /code (\d{3} \d{3})/.exec(message)?.[1] ?? '';

/** The person connects the account, or answers, on the page of a question. */
async function answerAt(url: string, message: string, fields: Record<string, string> = {}): Promise<void> {
  const visitor = newVisitor();
  await letIn(visitor, url, codeIn(message));
  const { status } = await visitor.send(url, { action: 'accept', ...fields });
  expect(status).toBeLessThan(400);
}

const answerLink = (result: CallToolResult, fields?: Record<string, string>): Promise<void> =>
  answerAt((pendingOf(result) as unknown as { url: string }).url, textOf(result), fields);

async function approveOf(message: string): Promise<void> {
  const { id } = await findRequest(approver, message);
  expect((await approver.vote(id, 'accept', {})).ok).toBe(true);
}

const stepsAsked = (): string[] => questions.map(({ step }) => step);
const callCount = (): number => new Set(questions.map(({ toolCall }) => toolCall)).size;
const lastEntryOf = async (id = ''): Promise<string> => {
  const history = await server.engine.reader.history(id as ElicitationId);
  return readEntry(history.at(-1)!).type;
};

const kinds: Record<string, () => Promise<Calls>> = {
  'the first SDK, with addresses': () => connectFirst(withUrl),
  'the first SDK, without elicitation': () => connectFirst(),
  'the second SDK, with addresses': connectLegacy,
};

describe.each(Object.keys(kinds))('a tool that connects an account, at a client of %s', (kind) => {
  test('asks for nothing if there is one', async () => {
    accounts.state = 'stored';
    const callTool = (await kinds[kind]?.()) as Calls;
    expect(textOf(await callTool('alone', { order: randomUUID() }))).toBe(connectionId);
    expect([questions, runs]).toEqual([[], 1]);
    expect(accounts.found[0]).toMatchObject({
      provider: 'github',
      scopes: [],
      requester: { subject: 'client:agent', verified: false, client: { name: 'agent' } },
    });
  });

  test('asks under a step of its own, and later questions keep their numbers and their call', async () => {
    const callTool = (await kinds[kind]?.()) as Calls;
    const args = { order: randomUUID() };
    await answerLink(await callTool('repos', args));
    expect(accounts.opened[0]).toMatchObject({
      mode: 'url',
      message: 'Connect your github account.',
      expects: { kind: 'connection', provider: 'github', scopes: ['repo'] },
      step: 'connect:github',
      supersede: 'none',
      audience: 'requester',
    });
    expect(accounts.opened[0]).not.toHaveProperty('url');
    expect(accounts.opened[0]).not.toHaveProperty('schema');
    await answerLink(await callTool('repos', args), { 'field.name': 'site' });
    expect(textOf(await callTool('repos', args))).toBe('client:agent ada site');
    expect(new Set(stepsAsked())).toEqual(new Set(['connect:github', '0']));
    expect([callCount(), runs]).toEqual([1, 3]);
    await untilAllSettled();
    questions = [];
    await answerLink(await callTool('repos', args), { 'field.name': 'shop' }); // a new call, and the account is there
    expect(textOf(await callTool('repos', args))).toBe('client:agent ada shop');
    expect(new Set(stepsAsked())).toEqual(new Set(['0']));
  });

  test('is one call with one execution, if approvers decide after the person', async () => {
    const callTool = (await kinds[kind]?.()) as Calls;
    const args = { order: randomUUID() };
    await answerLink(await callTool('pay', args));
    await callTool('pay', args);
    await approveOf('Pay from ada?');
    expect(textOf(await callTool('pay', args))).toBe(`${connectionId} true`);
    await untilAllSettled();
    expect([new Set(stepsAsked()), callCount()]).toEqual([new Set(['connect:github', '0']), 1]);
    expect(await lastEntryOf(questions[0]?.id)).toBe('call.settled');
  });

  test('is settled, though it asks for nothing else', async () => {
    const callTool = (await kinds[kind]?.()) as Calls;
    const args = { order: randomUUID() };
    await answerLink(await callTool('alone', args));
    expect(textOf(await callTool('alone', args))).toBe(connectionId);
    await untilAllSettled();
    expect([new Set(stepsAsked()), await lastEntryOf(questions[0]?.id)]).toEqual([
      new Set(['connect:github']),
      'call.settled',
    ]);
    questions = [];
    expect(textOf(await callTool('alone', args))).toBe(connectionId);
    expect(questions).toEqual([]);
  });

  test('asks to connect again, once, in the same call, when the provider refuses the token', async () => {
    accounts.state = 'stored';
    const callTool = (await kinds[kind]?.()) as Calls;
    const args = { order: randomUUID() };
    await callTool('whoami', args);
    await approveOf('Show?');
    refusedTokens.add(`Bearer secret-${accounts.tokens.length + 1}`);
    const pending = await callTool('whoami', args);
    expect(textOf(pending)).toContain('Connect your github account.');
    await answerLink(pending);
    expect(textOf(await callTool('whoami', args))).toBe('200');
    await untilAllSettled();
    expect([new Set(stepsAsked()), callCount()]).toEqual([new Set(['0', 'connect:github:again']), 1]);
    expect(await lastEntryOf(questions[0]?.id)).toBe('call.settled');
  });

  test('tells the model what to do if the person declines', async () => {
    const callTool = (await kinds[kind]?.()) as Calls;
    const args = { order: randomUUID() };
    const pending = await callTool('alone', args);
    const visitor = newVisitor();
    const { url } = pendingOf(pending) as unknown as { url: string };
    await letIn(visitor, url, codeIn(textOf(pending)));
    await visitor.send(url, { action: 'decline' });
    const { isError, _meta: meta, ...result } = await callTool('alone', args);
    expect([isError, meta?.['code']]).toEqual([true, 'connection-declined']);
    expect(textOf(result)).toMatch(/^Tell the person you work for: their github account was not connected/);
  });
});

describe('a tool that connects an account, at a client of 2026-07-28', () => {
  const able = { capabilities: withUrl };
  type Round = { requestState?: string | undefined; inputResponses?: object };
  const requestIn = (answer: RawAnswer, step: string) =>
    answer.result?.inputRequests?.[step]?.params as unknown as { url: string; message: string };
  const answerTo = ({ result }: RawAnswer): Round => ({
    requestState: result?.requestState,
    inputResponses: Object.fromEntries(Object.keys(result?.inputRequests ?? {}).map((step) => [step, agree()])),
  });

  test('is asked by a result, goes on in the next round, and is one call', async () => {
    const order = { order: randomUUID() };
    const asking = await call(second.url, 'pay', order, {}, able);
    const { url, message } = requestIn(asking, 'connect:github');
    await answerAt(url, message);
    const pending = await call(second.url, 'pay', order, answerTo(asking), able);
    const { elicitId } = pending.result?.['_meta']
      ? (pendingOf(pending.result as never) ?? { elicitId: '' })
      : { elicitId: '' };
    await approveOf('Pay from ada?');
    const done = await call(second.url, 'awaitElicitationResult', { elicitId }, {}, able);
    expect(done.result?.content?.[0]?.text).toBe(`${connectionId} true`);
    await untilAllSettled();
    expect([new Set(stepsAsked()), callCount()]).toEqual([new Set(['connect:github', '0']), 1]);
    expect(await lastEntryOf(questions[0]?.id)).toBe('call.settled');
  });

  test('is asked together with the other questions of a turn', async () => {
    const order = { order: randomUUID() };
    const asking = await call(second.url, 'together', order, {}, able);
    expect(Object.keys(asking.result?.inputRequests ?? {})).toEqual(expect.arrayContaining(['connect:github', '0']));
  });

  test('is not asked if the account is there', async () => {
    accounts.state = 'stored';
    const { result } = await call(second.url, 'alone', { order: randomUUID() }, {}, able);
    expect([result?.content?.[0]?.text, questions]).toEqual([connectionId, []]);
  });
});

test('error -32042 leads to the page, and the call that comes back goes on', async () => {
  const callTool = await connectFirst(withUrl);
  const args = { order: randomUUID() };
  interface Required {
    code: number;
    data: { elicitations: [{ url: string; message: string }] };
  }
  const required = (await callTool('required', args).catch((error: unknown) => error)) as Required;
  expect(required.code).toBe(-32042);
  const [{ url, message }] = required.data.elicitations;
  await answerAt(url, message);
  expect(textOf(await callTool('required', args))).toBe(connectionId);
});

test('a client that is to get no link gets an error', async () => {
  const { _meta: meta } = await (await connectFirst({}, strict))('alone', { order: randomUUID() });
  expect(meta?.['code']).toBe('ELICITATION_NOT_SUPPORTED');
});

test('the requester alone is asked, whatever the tool destroys and hooks require', async () => {
  const order = { order: randomUUID() };
  await (
    await connectFirst()
  )('destroy', order);
  await (
    await connectFirst(withUrl, strict)
  )('alone', order);
  expect(accounts.opened.map(({ audience }) => audience)).toEqual(['requester', 'requester']);
});

test.each([
  [{ provider: 'Git Hub' }, 'provider'],
  [{ scopes: 'repo' }, 'scopes'],
  [{ scopes: ['a b'] }, 'scopes'],
  [{ key: 'k'.repeat(59) }, 'key'],
  [{ message: '' }, 'message'],
  [{ scope: ['repo'] }, 'scope'],
])('the parameters %j are refused before anyone is asked', async (parameters, name) => {
  const { isError, _meta: meta, ...result } = await (await connectFirst())('wrong', { options: parameters });
  expect([isError, meta?.['code'], accounts.found]).toEqual([true, 'INVALID_INPUT', []]);
  expect(textOf(result)).toContain(name);
});
