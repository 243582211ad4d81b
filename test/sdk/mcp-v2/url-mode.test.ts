import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type ElicitRequestURLParams,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import type { MintedToken } from '#sdk/client/client';
import { assentry } from '#sdk/mcp/assentry-v2';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { call, post, type RawAnswer, type RawClient } from './peers.ts';

const granted = z.object({ username: z.string(), scope: z.array(z.string()) });
const content = { username: 'ada', scope: ['repo'] };
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const extension = 'io.modelcontextprotocol/tasks';
const both = { elicitation: { form: {}, url: {} } };
const able: RawClient = { capabilities: both };
const withTasks: RawClient = { capabilities: { ...both, extensions: { [extension]: {} } } };

let minted: MintedToken[];
let effects: string[];

const server = await startTestServer();
const connection = { url: server.url, apiKey: await server.newServerKey('github') };
const mcp = await serveBothEras(() => makeServer({ ...connection, holdTimeoutMs: 150 }), 0);
const patient = await serveBothEras(() => makeServer(connection), 0);
afterAll(async () => {
  await mcp.close();
  await patient.close();
  await server.stop();
});
beforeEach(() => {
  minted = [];
  effects = [];
});

function makeServer(options: { url: string; apiKey: string; holdTimeoutMs?: number }): McpServer {
  const github = new McpServer({ name: 'github', version: '1.0.0' });
  const tools = assentry(github, options);
  const Seats = z.object({ seats: z.int() });
  for (const prefersTask of [false, true]) {
    tools.registerTool(prefersTask ? 'hosted_task' : 'hosted', { prefersTask }, async ({ elicit }) => {
      const answer = await elicit('How many?', Seats, { mode: 'url' });
      if (answer.status !== 'accept') return say(answer.status);
      effects.push(`seats ${answer.content.seats}`);
      return say(`seats ${answer.content.seats}`);
    });
  }
  tools.registerTool('plain', {}, async ({ elicit }) => say((await elicit('Pay', 'https://pay.example/1')).status));
  tools.registerTool('form_and_address', {}, async ({ elicit }) => {
    const answers = await Promise.all([elicit('Seats?', Seats), elicit('Pay', 'https://pay.example/2')]);
    effects.push('both');
    return say(answers.map(({ status }) => status).join(', '));
  });
  const inputSchema = z.object({ throwUrlRequired: z.boolean() });
  tools.registerTool('connect', { inputSchema }, async ({ throwUrlRequired }, { elicit, sessionId }) => {
    const token = await tools.generateElicitationToken(sessionId, { ttl: 300_000 });
    minted.push(token);
    const url = `https://github.example/login?state=${token.token}`;
    const answer = await elicit('Connect', granted, { url, elicitationId: token, throwUrlRequired });
    if (answer.status !== 'accept') return say(answer.status);
    effects.push('connected');
    return say(JSON.stringify(answer.content));
  });
  return github;
}

const textOf = ({ result, error }: RawAnswer): string => result?.content?.[0]?.text ?? JSON.stringify(result ?? error);
const accepted = { '0': { action: 'accept' } };
function addressIn({ result, error }: RawAnswer) {
  const request = result?.inputRequests?.['0'] as { method: string; params: ElicitRequestURLParams } | undefined;
  if (!request) throw new TypeError(`Nothing was asked: ${JSON.stringify(result ?? error)}`);
  return { ...request.params, requestState: result?.requestState };
}
const codeIn = (message: string): string => /code (\d{3} \d{3})$/.exec(message)?.[1] ?? '';
async function answerPage({ url, message }: { url: string; message: string }, seats: string): Promise<void> {
  const visitor = newVisitor();
  await letIn(visitor, url, codeIn(message));
  expect((await visitor.send(url, { action: 'accept', 'field.seats': seats })).status).toBe(200);
}
const leadsTo = (token: MintedToken | undefined): string => `https://github.example/login?state=${token?.token}`;
const report = (url: string | null | undefined, body: unknown): Promise<Response> =>
  fetch(url ?? '', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('URL mode in a round', () => {
  test('names the address and no id; the accept is only consent, and before the page answers there is another round', async () => {
    const first = addressIn(await call(mcp.url, 'hosted', {}, {}, able));
    expect(first).toEqual({
      mode: 'url',
      message: expect.stringMatching(/^How many\?\nThe page asks for the code \d{3} \d{3}$/),
      url: expect.stringMatching(new RegExp(`^${server.url}/e/`)),
      requestState: expect.any(String),
    });
    const consent = { action: 'accept', content: { seats: 9 } };
    const round = { requestState: first.requestState, inputResponses: { '0': consent } };
    const second = addressIn(await call(mcp.url, 'hosted', {}, round, able));
    expect([second.message, effects]).toEqual([first.message, []]);
    await answerPage(second, '3');
    const last = { requestState: second.requestState, inputResponses: accepted };
    expect(textOf(await call(mcp.url, 'hosted', {}, last, able))).toBe('seats 3');
    expect(effects).toEqual(['seats 3']);
  });

  test('waits for the page once the person has agreed to go there', async () => {
    const first = addressIn(await call(patient.url, 'hosted', {}, {}, able));
    const round = { requestState: first.requestState, inputResponses: accepted };
    const pending = call(patient.url, 'hosted', {}, round, able);
    await answerPage(first, '4');
    expect(textOf(await pending)).toBe('seats 4');
  });

  test('finds what was done there if the client brings no answer', async () => {
    const first = addressIn(await call(mcp.url, 'hosted', {}, {}, able));
    await answerPage(first, '5');
    expect(textOf(await call(mcp.url, 'hosted', {}, { requestState: first.requestState }, able))).toBe('seats 5');
  });

  test.each(['decline', 'cancel'])('takes %s as the end', async (action) => {
    const first = addressIn(await call(mcp.url, 'hosted', {}, {}, able));
    const round = { requestState: first.requestState, inputResponses: { '0': { action } } };
    expect(textOf(await call(mcp.url, 'hosted', {}, round, able))).toBe(action);
    expect((await newVisitor().get(first.url)).html).not.toContain('How many?');
  });

  test('goes to the given address under its token; the callback brings the result, once', async () => {
    const args = { throwUrlRequired: true };
    const first = addressIn(await call(mcp.url, 'connect', args, {}, able));
    const [token] = minted;
    const round = { requestState: first.requestState, inputResponses: accepted };
    const second = addressIn(await call(mcp.url, 'connect', args, round, able));
    const visitor = newVisitor();
    expect(await leaveBy(visitor, first.url, codeIn(first.message))).toBe(leadsTo(token));
    expect((await visitor.get(second.url)).html).toContain('github.example'); // another link to the same question
    expect(effects).toEqual([]);
    expect((await report(token?.callbackUrl, { content })).status).toBe(200);
    expect((await report(token?.callbackUrl, { content })).status).toBe(200);
    const last = { requestState: second.requestState, inputResponses: accepted };
    expect(JSON.parse(textOf(await call(mcp.url, 'connect', args, last, able)))).toEqual(content);
    expect(effects).toEqual(['connected']);
  });

  test('is asked together with a form, each in its own way', async () => {
    const { result } = await call(mcp.url, 'form_and_address', {}, {}, able);
    expect(Object.values(result?.inputRequests ?? {}).map(({ params }) => params)).toEqual([
      expect.objectContaining({ mode: 'form', message: 'Seats?' }),
      { mode: 'url', message: expect.stringMatching(/^Pay\n/), url: expect.stringMatching(/\/go\/v1\./) },
    ]);
    const inputResponses = { '0': { action: 'accept', content: { seats: 2 } }, '1': { action: 'decline' } };
    const round = { requestState: result?.requestState, inputResponses };
    expect(textOf(await call(mcp.url, 'form_and_address', {}, round, able))).toBe('accept, decline');
    expect(effects).toEqual(['both']);
  });

  test('is a link for a client that declared forms alone', async () => {
    const { result } = await call(mcp.url, 'plain', {}, {}, { capabilities: { elicitation: {} } });
    expect(result).toMatchObject({
      resultType: 'complete',
      _meta: { elicitationPending: { message: 'Pay', url: expect.stringMatching(/\/go\/v1\./) } },
    });
    expect(result?.inputRequests).toBeUndefined();
  });
});

describe('URL mode within a task', () => {
  interface Task {
    status: string;
    statusMessage?: string;
    inputRequests?: Record<string, { params: ElicitRequestURLParams }>;
    result?: { content: { text: string }[] };
  }
  const get = async (taskId: string): Promise<Task> =>
    (await post(mcp.url, 'tasks/get', { taskId }, withTasks)).result as unknown as Task;
  const answer = (taskId: string, action: string) =>
    post(mcp.url, 'tasks/update', { taskId, inputResponses: { '0': { action } } }, withTasks);
  async function start() {
    const { result } = await call(mcp.url, 'hosted_task', {}, {}, withTasks);
    const taskId = String(result?.['taskId']);
    const { status, inputRequests } = await get(taskId);
    expect(status).toBe('input_required');
    return { taskId, request: inputRequests?.['0']?.params as ElicitRequestURLParams };
  }

  test('asks for consent once, then waits for the page', async () => {
    const { taskId, request } = await start();
    expect(request).toMatchObject({ mode: 'url', url: expect.stringMatching(/\/e\//) });
    await answer(taskId, 'accept');
    expect(await get(taskId)).toMatchObject({
      status: 'working',
      statusMessage: 'Waiting for the result from the address.',
    });
    expect(effects).toEqual([]);
    await answerPage(request, '6');
    const task = await until(async () => {
      const visible = await get(taskId);
      return visible.status !== 'working' && visible;
    });
    expect(task).toMatchObject({ status: 'completed', result: say('seats 6') });
    expect(effects).toEqual(['seats 6']);
  });

  test('may be declined', async () => {
    const { taskId } = await start();
    await answer(taskId, 'decline');
    const task = await until(async () => {
      const visible = await get(taskId);
      return visible.status !== 'working' && visible;
    });
    expect(task).toMatchObject({ status: 'completed', result: say('decline') });
  });
});

interface UrlClient {
  client: Client;
  asked: ElicitRequestURLParams[];
  done: string[];
}

async function connect(
  url: string,
  mode: 'auto' | 'legacy',
  reply: (request: ElicitRequestURLParams) => ElicitResult | Promise<ElicitResult>,
): Promise<UrlClient> {
  const client = new Client({ name: 'agent', version: '2.0.0' }, { capabilities: both, versionNegotiation: { mode } });
  const result: UrlClient = { client, asked: [], done: [] };
  client.setRequestHandler('elicitation/create', ({ params }) => {
    result.asked.push(params as ElicitRequestURLParams);
    return reply(params as ElicitRequestURLParams);
  });
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    result.done.push(params.elicitationId);
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return result;
}
const agree = (): ElicitResult => ({ action: 'accept' });

describe('one tool in URL mode for clients of either kind', () => {
  test.each(['auto', 'legacy'] as const)('%s: the page brings the answer', async (mode) => {
    const { client } = await connect(patient.url, mode, async (request) => {
      await answerPage(request, '7');
      return agree();
    });
    const result = await client.callTool({ name: 'hosted', arguments: {} });
    expect(result.content).toEqual(say('seats 7').content);
    await client.close();
  });
});

describe('URL mode for a client of 2025-11-25', () => {
  test('tells the client that was asked, and no other, that it is done', async () => {
    const { client, asked: requests, done } = await connect(patient.url, 'legacy', agree);
    const other = await connect(patient.url, 'legacy', agree);
    const answer = client.callTool({ name: 'connect', arguments: { throwUrlRequired: false } });
    await until(() => requests.length > 0);
    const [token] = minted;
    expect(requests[0]).toMatchObject({ mode: 'url', elicitationId: token?.token });
    expect(await leaveBy(newVisitor(), requests[0]?.url ?? '', codeIn(requests[0]?.message ?? ''))).toBe(
      leadsTo(token),
    );
    expect((await report(token?.callbackUrl, { content })).status).toBe(200);
    expect((await answer).content).toEqual(say(JSON.stringify(content)).content);
    await until(() => done.length > 0);
    expect([done, other.done]).toEqual([[token?.token], []]);
    await Promise.all([client.close(), other.client.close()]);
  });

  test('throwUrlRequired raises -32042 with the address, and the retried call finds the outcome', async () => {
    const { client, asked: requests, done } = await connect(patient.url, 'legacy', agree);
    const other = await connect(patient.url, 'legacy', agree);
    const retry = () => client.callTool({ name: 'connect', arguments: { throwUrlRequired: true } });
    const error: unknown = await retry().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProtocolError);
    const [token] = minted;
    const elicitations = [{ mode: 'url', url: expect.stringMatching(/\/go\/v1\./), elicitationId: token?.token }];
    expect(error).toMatchObject({ code: -32042, data: { elicitations } });
    expect((await report(token?.callbackUrl, { content })).status).toBe(200);
    await until(() => done.length > 0);
    expect([done, other.done]).toEqual([[token?.token], []]);
    expect((await retry()).content).toEqual(say(JSON.stringify(content)).content);
    expect(requests).toEqual([]);
    await Promise.all([client.close(), other.client.close()]);
  });

  test.each(['decline', 'cancel'] as const)('may be answered with %s', async (action) => {
    const { client, done } = await connect(patient.url, 'legacy', () => ({ action }));
    expect((await client.callTool({ name: 'plain', arguments: {} })).content).toEqual(say(action).content);
    expect(done).toEqual([]);
    await client.close();
  });
});
