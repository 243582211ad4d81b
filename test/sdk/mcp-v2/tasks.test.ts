import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { assentry } from '#sdk/mcp/assentry-v2';
import { findRequest } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { accept, call, kill, post, startProcess, type McpProcess, type RawAnswer } from './peers.ts';

const extension = 'io.modelcontextprotocol/tasks';
const client = { capabilities: { elicitation: {}, extensions: { [extension]: {} } } };
const Approval = z.object({ confirmed: z.boolean() });
const Reason = z.object({ why: z.string().min(3) });
const inputSchema = z.object({ id: z.string() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let subject: string;
let effects: string[];
let release: () => void;

const server = await startTestServer();
const approver = await server.newUser();
const options = { url: server.url, apiKey: await server.newServerKey('accounts'), holdTimeoutMs: 300 };
const mcp = await serveBothEras(() => makeServer(options), 0);
afterAll(async () => {
  await mcp.close();
  await server.stop();
});
beforeEach(() => {
  subject = 'alice';
  effects = [];
});

function makeServer(options: { url: string; apiKey: string; holdTimeoutMs: number }): McpServer {
  const accounts = new McpServer({ name: 'accounts', version: '1.0.0' });
  const tools = assentry(accounts, { ...options, principal: () => ({ subject, verified: true }) });
  const outputSchema = z.object({ deleted: z.boolean() });
  tools.registerTool('delete', { inputSchema, outputSchema }, async ({ id }, { elicit }) => {
    const { status } = await elicit(`Delete ${id}?`, Approval, { approval: true });
    const deleted = status === 'accept';
    if (deleted) effects.push(id);
    return { ...say(`${status} ${id}`), structuredContent: { deleted } };
  });
  tools.registerTool('explain', { inputSchema }, async ({ id }, { elicit }) => {
    const { status } = await elicit(`Explain ${id}?`, Approval, { approval: true });
    const { content } = await elicit(`Why, about ${id}?`, Reason, { audience: 'requester', key: 'why' });
    effects.push(id);
    return say(`${status} because ${content?.why}`);
  });
  tools.registerTool('mixed', { inputSchema }, async ({ id }, { elicit }) => {
    await elicit(`Sure about ${id}?`, Approval, { key: 'sure' });
    const { status } = await elicit(`Approve ${id}?`, Approval, { approval: true });
    effects.push(id);
    return say(status);
  });
  tools.registerTool('slow', { inputSchema }, async ({ id }, { elicit, mcpReq }) => {
    await elicit(`Slowly ${id}?`, Approval, { approval: true });
    effects.push(`${id} began`);
    await Promise.race([
      new Promise<void>((resolve) => (release = resolve)),
      new Promise((_, reject) => mcpReq.signal.addEventListener('abort', () => reject(new TypeError('stopped')))),
    ]);
    return say(`slowly ${id}`);
  });
  return accounts;
}

interface Task {
  taskId: string;
  status: string;
  result?: { content: { text: string }[]; isError?: boolean };
  [more: string]: unknown;
}
const get = async (url: string, taskId: string): Promise<Task> =>
  (await post(url, 'tasks/get', { taskId }, client)).result as unknown as Task;
const ended = (url: string, taskId: string): Promise<Task> =>
  until(async () => {
    const task = await get(url, taskId);
    return task.status !== 'working' && task;
  });
const start = async (name: string, id: string): Promise<string> => {
  const { result } = await call(mcp.url, name, { id }, {}, client);
  expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
  return String(result?.['taskId']);
};
const decide = async (message: string, action: 'accept' | 'decline' = 'accept'): Promise<void> => {
  const { id } = await findRequest(approver, message);
  expect((await approver.vote(id, action, action === 'accept' ? { confirmed: true } : undefined)).ok).toBe(true);
};
const codeOf = ({ error }: RawAnswer) => error?.code;

describe('a call that approvers must decide', () => {
  test('is a task, runs once after the decision, and can be read again', async () => {
    const taskId = await start('delete', '1');
    expect(await get(mcp.url, taskId)).toMatchObject({
      taskId,
      status: 'working',
      statusMessage: 'Waiting for approval.',
    });
    await decide('Delete 1?');
    const task = await ended(mcp.url, taskId);
    expect(task).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { ...say('accept 1'), structuredContent: { deleted: true } },
    });
    expect(await get(mcp.url, taskId)).toMatchObject({ status: 'completed', result: say('accept 1') });
    expect(effects).toEqual(['1']);
  });

  test('ends with what the tool does when they decline', async () => {
    const taskId = await start('delete', '2');
    await decide('Delete 2?', 'decline');
    expect(await ended(mcp.url, taskId)).toMatchObject({ status: 'completed', result: say('decline 2') });
    expect(effects).toEqual([]);
  });

  test('is the same task for the same call, until its result was read', async () => {
    const taskId = await start('delete', '3');
    expect(await start('delete', '3')).toBe(taskId);
    await decide('Delete 3?');
    expect((await ended(mcp.url, taskId)).status).toBe('completed');
    expect(await start('delete', '3')).not.toBe(taskId);
    expect((await get(mcp.url, taskId)).result).toMatchObject(say('accept 3'));
    expect(effects).toEqual(['3']);
  });

  test('gives an equal call its result if that comes after the decision, and the task still has it', async () => {
    const taskId = await start('delete', '4');
    await decide('Delete 4?');
    const second = await call(mcp.url, 'delete', { id: '4' }, {}, client);
    expect(second.result?.content).toEqual(say('accept 4').content);
    expect(await ended(mcp.url, taskId)).toMatchObject({ status: 'completed', result: say('accept 4') });
    expect(effects).toEqual(['4']);
  });

  test('is held as ever for a client that did not declare tasks in this request', async () => {
    const answer = await call(mcp.url, 'delete', { id: '5' });
    expect(answer.result).toMatchObject({ resultType: 'complete', _meta: { elicitationPending: {} } });
    await decide('Delete 5?');
  });

  test('comes after what the client itself is asked', async () => {
    const first = await call(mcp.url, 'mixed', { id: '6' }, {}, client);
    expect(first.result).toMatchObject({ resultType: 'input_required' });
    expect(first.result).not.toHaveProperty('taskId');
    const round = { requestState: first.result?.requestState, inputResponses: { sure: accept({ confirmed: true }) } };
    const { result } = await call(mcp.url, 'mixed', { id: '6' }, round, client);
    expect(result?.resultType).toBe('task');
    expect(result).not.toHaveProperty('requestState');
    await decide('Approve 6?');
    expect(await ended(mcp.url, String(result?.['taskId']))).toMatchObject({ result: say('accept') });
    expect(effects).toEqual(['6']);
  });

  test("asks the client's person within the task", async () => {
    const taskId = await start('explain', '7');
    await decide('Explain 7?');
    const task = await ended(mcp.url, taskId);
    expect(task).toMatchObject({
      status: 'input_required',
      inputRequests: { why: { method: 'elicitation/create', params: { message: 'Why, about 7?' } } },
    });
    const undeclared = { capabilities: { extensions: { [extension]: {} } } };
    const refused = await post(mcp.url, 'tasks/get', { taskId }, undeclared);
    expect(refused.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    for (const answer of [{ why: accept({ why: 'no' }) }, { whether: accept({ why: 'because' }) }, { why: 7 }]) {
      expect((await post(mcp.url, 'tasks/update', { taskId, inputResponses: answer }, client)).result).toMatchObject({
        resultType: 'complete',
      });
      expect((await get(mcp.url, taskId)).status).toBe('input_required');
    }
    await post(mcp.url, 'tasks/update', { taskId, inputResponses: { why: accept({ why: 'it must be' }) } }, client);
    expect(await ended(mcp.url, taskId)).toMatchObject({ result: say('accept because it must be') });
    expect(effects).toEqual(['7']);
  });

  test('cannot be approved by its client', async () => {
    const taskId = await start('delete', '8');
    const answers = { '0': accept({ confirmed: true }) };
    await post(mcp.url, 'tasks/update', { taskId, inputResponses: answers }, client);
    expect((await get(mcp.url, taskId)).status).toBe('working');
    expect((await findRequest(approver, 'Delete 8?')).status).toBe('open');
    expect(effects).toEqual([]);
  });
});

describe('a task that is cancelled', () => {
  test('withdraws its question and stays cancelled', async () => {
    const taskId = await start('delete', '10');
    const { id } = await findRequest(approver, 'Delete 10?');
    const ack = (await post(mcp.url, 'tasks/cancel', { taskId }, client)).result;
    expect(ack).toMatchObject({ resultType: 'complete' });
    expect(ack).not.toHaveProperty('status');
    expect((await get(mcp.url, taskId)).status).toBe('cancelled');
    expect((await approver.show(id)).status).toBe('cancelled');
    expect((await post(mcp.url, 'tasks/cancel', { taskId }, client)).result).toMatchObject({ resultType: 'complete' });
    expect((await get(mcp.url, taskId)).status).toBe('cancelled');
    expect(effects).toEqual([]);
  });

  test('tells a tool that runs already, whose result counts', async () => {
    const taskId = await start('slow', '11');
    await decide('Slowly 11?');
    await get(mcp.url, taskId);
    await until(() => effects.length > 0);
    await post(mcp.url, 'tasks/cancel', { taskId }, client);
    expect(await ended(mcp.url, taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
  });

  test('leaves a finished one as it is', async () => {
    const taskId = await start('slow', '12');
    await decide('Slowly 12?');
    await get(mcp.url, taskId);
    await until(() => effects.length > 0);
    expect(await get(mcp.url, taskId)).toMatchObject({ status: 'working', statusMessage: 'The tool is running.' });
    release();
    expect((await ended(mcp.url, taskId)).status).toBe('completed');
    await post(mcp.url, 'tasks/cancel', { taskId }, client);
    expect(await get(mcp.url, taskId)).toMatchObject({ status: 'completed', result: say('slowly 12') });
  });
});

describe('MT-04 a task', () => {
  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('is unknown to another principal: %s', async (method) => {
    const taskId = await start('delete', method);
    subject = 'mallory';
    const params = { taskId, inputResponses: {} };
    const foreign = await post(mcp.url, method, params, client);
    const unknown = await post(mcp.url, method, { ...params, taskId: 'call_AAAAAAAAAAAAAAAAAAAAAA' }, client);
    const strange = await post(mcp.url, method, { ...params, taskId: 'nothing' }, client);
    expect([foreign, unknown, strange].map(codeOf)).toEqual([-32602, -32602, -32602]);
    expect(foreign.error).toEqual(unknown.error);
    subject = 'alice';
    expect((await get(mcp.url, taskId)).status).toBe('working');
  });

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'needs the extension in this request: %s',
    async (method) => {
      const taskId = await start('delete', `mute ${method}`);
      const { error } = await post(mcp.url, method, { taskId, inputResponses: {} });
      expect(error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [extension]: {} } } },
      });
    },
  );

  test.each(['tasks/result', 'tasks/list'])('has no %s', async (method) => {
    expect(codeOf(await post(mcp.url, method, { taskId: 'x' }, client))).toBe(-32601);
  });
});

describe('a task in front of several processes', () => {
  const program = 'test/sdk/mcp-v2/three-questions-server.ts';
  const answers = { From: 'Lisbon', To: 'Berlin', When: 'Monday' };
  const booked = 'From Lisbon, To Berlin, When Monday';
  const processes: McpProcess[] = [];
  let directory: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'assentry-tasks-'));
    env = { ASSENTRY_URL: server.url, ASSENTRY_API_KEY: await server.newServerKey('travel') };
  });
  afterEach(() => Promise.all(processes.splice(0).map(kill)));
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const ledger = (trip: string) => path.join(directory, trip);
  async function launch(trip: string): Promise<McpProcess> {
    const started = await startProcess(program, ['--ledger', ledger(trip)], env);
    processes.push(started);
    return started;
  }
  async function book(url: string, trip: string): Promise<string> {
    const { result } = await call(url, 'book_by_approvers', { trip }, {}, client);
    expect(result?.resultType).toBe('task');
    return String(result?.['taskId']);
  }
  async function answer(question: keyof typeof answers, trip: string): Promise<void> {
    const { id } = await findRequest(approver, `${question}, for ${trip}?`);
    expect((await approver.vote(id, 'accept', { text: answers[question] })).ok).toBe(true);
  }

  test('MT-11 outlasts a kill right after it was handed out, and between any two questions', async () => {
    let process = await launch('t1');
    const taskId = await book(process.url, 't1');
    for (const question of ['From', 'To', 'When'] as const) {
      await kill(process);
      process = await launch('t1');
      expect((await get(process.url, taskId)).status).toBe('working');
      await answer(question, 't1');
      await get(process.url, taskId);
    }
    expect(await ended(process.url, taskId)).toMatchObject({ status: 'completed', result: say(booked) });
    expect(await readFile(ledger('t1'), 'utf8')).toBe(`t1: ${booked}\n`);
  });

  test('runs once if two are polled at once', async () => {
    const [first, second] = await Promise.all([launch('t2'), launch('t2')]);
    const taskId = await book(first.url, 't2');
    for (const question of ['From', 'To', 'When'] as const) {
      await answer(question, 't2');
      await Promise.all([first, second, first, second].map(({ url }) => get(url, taskId)));
    }
    const tasks = await Promise.all([first, second].map(({ url }) => ended(url, taskId)));
    expect(tasks).toMatchObject([{ result: say(booked) }, { result: say(booked) }]);
    expect(await readFile(ledger('t2'), 'utf8')).toBe(`t2: ${booked}\n`);
  });
});
