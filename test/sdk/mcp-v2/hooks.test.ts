import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { assentry, HookFailedError, onRequest, onResult } from '#sdk/mcp/assentry-v2';
import { answered, joined, sentBy, traceStages } from '../mcp/hooks/hook-trace.ts';
import { findRequest } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { accept, call, connectV2, post } from './peers.ts';

const Name = z.object({ name: z.string().min(2) });
const extension = 'io.modelcontextprotocol/tasks';
const inputSchema = z.object({ about: z.string() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let hooks: object[];
let effects: string[];
let thrown: unknown;

const server = await startTestServer();
const approver = await server.newUser();
const connection = { url: server.url, apiKey: await server.newServerKey('hooked') };
const mcp = await serveBothEras(() => {
  const bank = new McpServer({ name: 'bank', version: '1.0.0' });
  const tools = assentry(bank, { ...connection, hooks });
  tools.registerTool('greet', { inputSchema }, async ({ about: topic }, { elicit }) => {
    try {
      const { content } = await elicit(`Who, about ${topic}?`, Name);
      effects.push(topic);
      return say(`Hello, ${content?.name}!`);
    } catch (error) {
      thrown = error;
      throw error;
    }
  });
  tools.registerTool('both', { inputSchema }, async ({ about: topic }, { elicit }) => {
    const answers = await Promise.all([elicit(`One, ${topic}?`, Name), elicit(`Two, ${topic}?`, Name)]);
    return say(answers.map(({ content }) => content?.name).join(' and '));
  });
  tools.registerTool('approve', { inputSchema }, async ({ about: topic }, { elicit }) => {
    const { status } = await elicit(`Approve ${topic}?`, Name, { approval: true });
    effects.push(topic);
    return say(status);
  });
  return bank;
}, 0);
afterAll(async () => {
  await mcp.close();
  await server.stop();
});
beforeEach(() => {
  hooks = [];
  effects = [];
  thrown = undefined;
});

test('hooks follow a question through its rounds, and may give the client a word of their own (F-62, F-72)', async () => {
  const { hooks: tracing, takeTrace } = traceStages();
  const meta = onRequest.will('buildRequestParams', (context) => void (context.meta = { 'example.com/theme': 'dark' }));
  hooks = [...tracing, meta];
  const { result } = await call(mcp.url, 'greet', { about: 'rounds' });
  expect(takeTrace()).toEqual(sentBy('round'));
  expect(result?.inputRequests?.['0']?.params).toMatchObject({
    message: 'Who, about rounds?',
    _meta: { 'example.com/theme': 'dark' },
  });
  const inputResponses = { 0: accept({ name: 'Ada' }) };
  const next = await call(
    mcp.url,
    'greet',
    { about: 'rounds' },
    { requestState: result?.requestState, inputResponses },
  );
  expect(next.result?.content?.[0]?.text).toBe('Hello, Ada!');
  expect(takeTrace()).toEqual([...sentBy('round'), ...answered]);
});

test('hooks of questions asked together run in the order of asking, however long they take', async () => {
  const order: string[] = [];
  hooks = [
    onRequest.will('parseInput', ({ message }) => {
      if (message.startsWith('One')) return new Promise((resolve) => setTimeout(resolve, 30));
    }),
    onRequest.did('generateElicitId', ({ request }) => void order.push(request.message)),
  ];
  const { result } = await call(mcp.url, 'both', { about: 'order' });
  expect(order).toEqual(['One, order?', 'Two, order?']);
  expect(Object.keys(result?.inputRequests ?? {})).toEqual(['0', '1']);
});

test('hooks follow a question into its task, and into the run that goes on with it (F-62)', async () => {
  const { hooks: tracing, takeTrace } = traceStages();
  hooks = tracing;
  const client = { capabilities: { elicitation: {}, extensions: { [extension]: {} } } };
  const { result } = await call(mcp.url, 'approve', { about: 'a task' }, {}, client);
  expect(takeTrace()).toEqual(sentBy('task'));
  const { id } = await findRequest(approver, 'Approve a task?');
  await approver.vote(id, 'accept', { name: 'Ada' });
  await until(async () => {
    const { result: task } = await post(mcp.url, 'tasks/get', { taskId: result?.['taskId'] }, client);
    return task?.['status'] === 'completed';
  });
  expect(takeTrace()).toEqual([...joined, ...answered]);
  expect(effects).toEqual(['a task']);
});

test('hooks follow a question that is pushed to an older client', async () => {
  const { hooks: tracing, takeTrace } = traceStages();
  hooks = tracing;
  const client = await connectV2(mcp.url, () => accept({ name: 'Grace' }), 'legacy');
  const { content } = await client.callTool({ name: 'greet', arguments: { about: 'older' } });
  expect(content).toEqual([{ type: 'text', text: 'Hello, Grace!' }]);
  expect(takeTrace()).toEqual([...sentBy('push'), ...answered]);
  await client.close();
});

test('a hook that fails fails the call with its name, and nothing is done', async () => {
  hooks = [
    onResult.did('lookupPending', () => {
      throw new RangeError('down');
    }),
  ];
  const { result } = await call(mcp.url, 'greet', { about: 'failure' });
  const inputResponses = { 0: accept({ name: 'Ada' }) };
  const next = await call(
    mcp.url,
    'greet',
    { about: 'failure' },
    { requestState: result?.requestState, inputResponses },
  );
  expect(next.result?.isError).toBe(true);
  expect(next.result?.content?.[0]?.text).toBe('Check the hook did of lookupPending in the result flow: it failed.');
  expect(thrown).toBeInstanceOf(HookFailedError);
  expect(effects).toEqual([]);
});
