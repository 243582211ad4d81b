import { afterAll, describe, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { findRequest } from '../../sdk/mcp/peers.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import type { Pipe, SeenFrame } from '../peers.ts';
import { framesOf, Session } from './session.ts';
import { runBy, sessionServer, ways } from './ways.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
const gated = createClient({ url: server.url, apiKey: await server.newServerKey('gated') });
await server.applyPolicies(['policy: free\nmatch: { server: notes }\nallow: { ceiling: medium }\n']);

async function compare(way: (typeof ways)[number], script: (pipe: Pipe) => Promise<ReturnType<typeof framesOf>>) {
  const [first, other] = [sessionServer(), sessionServer()];
  const direct = await runBy(null, first, { client: assentry, script });
  expect(await runBy(way, other, { client: assentry, script })).toEqual(direct);
  expect(other.done()).toEqual(first.done());
  return direct;
}

const logged = 'notifications/message';

describe.each(ways)('through %s', (way) => {
  test('a client that sets the level gets these log messages and no others, as directly', async () => {
    const { notifications } = await compare(way, async (pipe) => {
      const session = new Session(pipe);
      await session.begin({});
      let count = 0;
      for (const [level, more] of [...levels, ['loud', 1]] as const) {
        if (level !== null) await session.ask('logging/setLevel', { level });
        await session.ask('tools/call', { name: 'log', arguments: {} });
        count += more;
        await session.heard(logged, count);
      }
      await session.ask('ping');
      await pipe.close();
      return framesOf(pipe);
    });
    expect(notifications.filter((frame) => frame.includes(logged))).toHaveLength(8 + 8 + 4 + 1 + 1);
  });

  test('a client sees the same of tasks, as directly', async () => {
    const { answers, requests, notifications } = await compare(way, runTasks);
    expect(answers.filter((frame) => frame.includes('"error"'))).toHaveLength(5);
    expect(answers.filter((frame) => frame.includes('TASK-4'))).toHaveLength(5);
    expect(requests).toEqual([expect.stringContaining('Sure?')]);
    expect(notifications.filter((frame) => frame.includes(status))).toHaveLength(4);
  });

  test('a gated tool that is called as a task waits like any other call, and nothing begins before', async () => {
    const upstream = sessionServer();
    const declined = runBy(way, upstream, { client: gated, script: callAsTask });
    await decide('decline');
    expect((await declined).error).toMatchObject({ code: -32603, message: expect.stringContaining('nothing was run') });
    expect(upstream.done()).toEqual([]);
    const approved = runBy(way, upstream, { client: gated, script: callAsTask });
    await decide('accept');
    expect((await approved).result).toMatchObject({ task: { status: 'working' } });
    expect(upstream.done()).toEqual(['worked wait']);

    async function decide(action: 'accept' | 'decline'): Promise<void> {
      const { id } = await findRequest(approver, 'Run work on notes?');
      expect(upstream.done()).toEqual([]);
      await approver.vote(id, action);
    }
  });
});

async function callAsTask(pipe: Pipe): Promise<SeenFrame> {
  const session = new Session(pipe);
  await session.begin({});
  const answer = await session.ask('tools/call', { name: 'work', arguments: { what: 'wait' }, task: { ttl: 60_000 } });
  await pipe.close();
  return answer;
}

const status = 'notifications/tasks/status';

/** Everything a client of 2025 can do with tasks. */
async function runTasks(pipe: Pipe) {
  const session = new Session(pipe);
  await session.begin({ elicitation: { form: {} } });
  await session.ask('tools/list');
  const start = async (what: string): Promise<string> => {
    const params = { name: 'work', arguments: { what }, task: { ttl: 60_000 } };
    const { result } = await session.ask('tools/call', params);
    return (result as { task: { taskId: string } }).task.taskId;
  };
  const [done, failed, working] = [await start('complete'), await start('fail'), await start('wait')];
  for (const taskId of [done, failed, working]) await session.ask('tasks/get', { taskId });
  for (const taskId of [done, failed]) await session.ask('tasks/result', { taskId });
  await session.ask('tasks/list');
  await session.ask('tasks/cancel', { taskId: done }); // is over
  await session.ask('tasks/cancel', { taskId: working });
  await session.ask('tasks/get', { taskId: working });
  const asking = await start('ask');
  await session.ask('tasks/get', { taskId: asking });
  const result = await session.send('tasks/result', { taskId: asking });
  await session.answer('elicitation/create', { action: 'accept', content: { sure: true } });
  await session.answerTo(result);
  await session.ask('tasks/get', { taskId: asking });
  await session.ask('tools/call', { name: 'work', arguments: { what: 'complete' } }); // without a task
  await session.ask('tools/call', { name: 'log', arguments: {}, task: { ttl: 60_000 } }); // has none
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) await session.ask(method, { taskId: 'none' });
  await session.ask('tasks/list');
  await session.heard(status, 4);
  await session.ask('ping');
  await pipe.close();
  return framesOf(pipe);
}

/** A level, and how many of the eight are as high; null is before any was set. */
const levels = [
  [null, 8],
  ['debug', 8],
  ['error', 4],
  ['emergency', 1],
] as const;
