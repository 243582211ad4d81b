import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { assentry } from '#sdk/mcp/assentry-v2';
import { callTool, findRequest, pendingOf, startMcpServer, textOf } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { accept, call, connectV2, post, type RawAnswer } from './peers.ts';

type Reply = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string | boolean> };

const approved = z.object({ confirmed: z.boolean() });
const ticketForm = {
  type: 'object',
  properties: { ticket: { type: 'string', title: 'Ticket', minLength: 5 } },
  required: ['ticket'],
};
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** What the tools really did. */
let ledger: string[];
/** What the person at the client was asked, and what they say to it. */
let requests: string[];
let replies: Reply[];

const server = await startTestServer();
const approver = await server.newUser();
const options = { url: server.url, apiKey: await server.newServerKey('accounts') };
const run = async (id: string, confirmed: boolean | undefined) => {
  ledger.push(id);
  return say(`deleted ${id}: ${confirmed}`);
};
const first = await startMcpServer((tools) => {
  tools.registerTool('delete', { inputSchema: { id: z.string() } }, async ({ id }, { elicit }) => {
    const { content } = await elicit(`Delete ${id}?`, approved, { approval: true });
    return run(id, content?.confirmed);
  });
  tools.registerTool('ask', {}, async ({ elicit }) => say((await elicit('Sure?', approved)).status));
}, options);
const serveSecond = (holdTimeoutMs: number) =>
  serveBothEras(() => {
    const mcp = new McpServer({ name: 'accounts', version: '1.0.0' });
    const tools = assentry(mcp, { ...options, holdTimeoutMs });
    tools.registerTool('delete', { inputSchema: z.object({ id: z.string() }) }, async ({ id }, { elicit }) => {
      const { content } = await elicit(`Delete ${id}?`, approved, { approval: true });
      return run(id, content?.confirmed);
    });
    return mcp;
  }, 0);
const second = await serveSecond(50_000);
const impatient = await serveSecond(150);
afterAll(async () => {
  await first.stop();
  await second.close();
  await impatient.close();
  await server.stop();
});
beforeEach(() => {
  ledger = [];
  requests = [];
  replies = [];
});

const reply = (message: string): Reply => {
  requests.push(message);
  return replies.shift() ?? { action: 'cancel' };
};

/** A request of this tool with an inquiry of its approver. */
async function inquire(id: string, message = 'Which ticket?', schema: object = ticketForm): Promise<string> {
  const request = await findRequest(approver, `Delete ${id}?`);
  const { digest } = await approver.show(request.id);
  const body = { digest, message, schema };
  const response = await approver.call('POST', `/api/elicitations/${request.id}/inquiry`, body);
  expect([response.status, await response.json()]).toMatchObject([200, {}]);
  return request.id;
}

const replied = (id: string, count = 1): Promise<ElicitationDetail> =>
  until(async () => {
    const detail = await approver.show(id);
    const isHeard = detail.inquiry === null; // the request is read before what was said about it
    return isHeard && detail.remarks.filter(({ kind }) => kind === 'reply').length === count && detail;
  });

async function approve(id: string): Promise<void> {
  expect((await approver.vote(id, 'accept', { confirmed: true })).ok).toBe(true);
}

describe('an inquiry while the call is held', () => {
  const firstClient = async (id: string) =>
    textOf(await callTool(await first.connect(({ message }) => reply(message)), 'delete', { id }));
  const secondClient = async (id: string) => {
    const client: Client = await connectV2(second.url, reply, 'legacy');
    const result = await client.callTool({ name: 'delete', arguments: { id } }).finally(() => client.close());
    return (result.content as { text: string }[])[0]?.text;
  };

  test.each([
    ['first', firstClient],
    ['second', secondClient],
  ])('P5 is put to the person at a client of the %s SDK, and decides nothing', async (sdk, start) => {
    replies = [accept({ ticket: 'x' }), accept({ ticket: 'OPS-1' }), accept({ confirmed: true })];
    const result = start(sdk);
    const id = await inquire(sdk);
    const { status, votes, remarks } = await replied(id);
    expect([status, votes, ledger]).toEqual(['open', [], []]);
    expect(remarks[1]).toMatchObject({ by: null, answer: { action: 'accept', content: { ticket: 'OPS-1' } } });
    const question = `${approver.name} must approve "Delete ${sdk}?" and asks you:\nWhich ticket?`;
    expect(requests).toEqual([question, expect.stringMatching(/The answer does not fit yet\.\nTicket: /)]);

    await inquire(sdk, 'Sure?', { type: 'object', properties: { confirmed: { type: 'boolean' } } });
    expect(await replied(id, 2)).toMatchObject({ status: 'open', votes: [] });
    await approve(id);
    expect(await result).toBe(`deleted ${sdk}: true`);
    expect([requests.length, ledger]).toEqual([3, [sdk]]);
  });

  test.each(['decline', 'cancel'] as const)(
    'that its person answers with %s is a reply without content',
    async (action) => {
      replies = [{ action }];
      const result = firstClient(action);
      const id = await inquire(action);
      expect((await replied(id)).remarks[1]).toMatchObject({ answer: { action, content: null } });
      await approve(id);
      expect(await result).toBe(`deleted ${action}: true`);
      expect(requests).toHaveLength(1);
    },
  );

  test('E-104 that its client refuses is the last it is asked in its session', async () => {
    let requests = 0;
    const client = await first.connect(() => {
      requests += 1;
      throw new McpError(ErrorCode.MethodNotFound, 'No.');
    });
    const result = callTool(client, 'delete', { id: 'refused' });
    const id = await inquire('refused');
    await until(() => requests > 0);
    await approve(id);
    expect(textOf(await result)).toBe('deleted refused: true');
    expect(pendingOf(await callTool(client, 'ask'))).toMatchObject({ message: 'Sure?' });
    expect(requests).toBe(1);
  });

  test('has no reply if no answer fits, and the call stays held', async () => {
    replies = [accept({}), accept({ ticket: 'x' }), accept({ other: 'OPS-1' }), accept({ ticket: 'OPS-1' })];
    const result = firstClient('misfit');
    const id = await inquire('misfit');
    await until(() => requests.length === 3);
    await approve(id);
    expect(await result).toBe('deleted misfit: true');
    expect((await approver.show(id)).remarks).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  test('is taken back once the approvers have decided', async () => {
    let isTakenBack = false;
    const client = await first.connect(
      (_, signal) =>
        new Promise((resolve) => {
          requests.push('');
          signal.addEventListener('abort', () => {
            isTakenBack = true;
            resolve({ action: 'cancel' });
          });
        }),
    );
    const result = callTool(client, 'delete', { id: 'faster' });
    const id = await inquire('faster');
    await until(() => requests.length > 0);
    await approve(id);
    expect(textOf(await result)).toBe('deleted faster: true');
    await until(() => isTakenBack);
  });

  test('that two runs of the call put to their persons has one reply', async () => {
    const answers: (() => void)[] = [];
    const late = () =>
      first.connect(() => new Promise((resolve) => answers.push(() => resolve(accept({ ticket: 'OPS-1' })))));
    const results = [
      callTool(await late(), 'delete', { id: 'both' }),
      callTool(await late(), 'delete', { id: 'both' }),
    ];
    const id = await inquire('both');
    await until(() => answers.length === 2);
    for (const answer of answers) answer();
    await replied(id);
    await approve(id);
    await Promise.all(results);
    expect((await approver.show(id)).remarks).toHaveLength(2);
    expect(ledger).toEqual(['both']);
  });
});

describe('an inquiry that the client cannot be asked', () => {
  test.each([
    [
      'has no elicitation',
      async (id: string) => {
        const client = await connectV2(impatient.url, undefined, 'legacy');
        const result = await client.callTool({ name: 'delete', arguments: { id } }).finally(() => client.close());
        return (result.content as { text: string }[])[0]?.text;
      },
    ],
    [
      'is asked by results',
      async (id: string) => (await call(impatient.url, 'delete', { id })).result?.content?.[0]?.text,
    ],
  ])('is in the text of the pending result: it %s', async (name, start) => {
    expect(await start(name)).not.toContain('asks');
    const id = await inquire(name);
    const text = await start(name);
    expect(text).toContain(`${approver.name} must approve it and asks the person you work for: "Which ticket?"`);
    expect(text).toContain(`${server.url}/requests/${id}`);
  });
});

describe('an inquiry about a task', () => {
  const extensions = { 'io.modelcontextprotocol/tasks': {} };
  const client = { capabilities: { elicitation: {}, extensions } };
  const taskOf = ({ result }: RawAnswer) => result as unknown as Record<string, unknown>;
  const get = async (taskId: unknown, capabilities: object = client.capabilities) =>
    taskOf(await post(second.url, 'tasks/get', { taskId }, { capabilities: { ...capabilities } }));

  test('is its input request, and the task goes on working after the reply', async () => {
    const { taskId } = taskOf(await call(second.url, 'delete', { id: 'task' }, {}, client));
    const id = await inquire('task');
    const { inquiry } = await approver.show(id);
    expect(await get(taskId)).toMatchObject({
      status: 'input_required',
      inputRequests: {
        [String(inquiry)]: { method: 'elicitation/create', params: { requestedSchema: ticketForm } },
      },
    });
    expect(await get(taskId, { extensions })).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('"Which ticket?"'),
    });
    const update = (inputResponses: object) => post(second.url, 'tasks/update', { taskId, inputResponses }, client);
    for (const misfit of [{ [String(inquiry)]: accept({ ticket: 'x' }) }, { '0': accept({ confirmed: true }) }]) {
      expect((await update(misfit)).result).toMatchObject({ resultType: 'complete' });
      expect(await get(taskId)).toMatchObject({ status: 'input_required' });
    }
    for (const time of ['once', 'again']) await update({ [String(inquiry)]: accept({ ticket: `OPS-1 ${time}` }) });
    expect(await get(taskId)).toMatchObject({ status: 'working', statusMessage: 'Waiting for approval.' });
    const { remarks, votes } = await replied(id);
    expect([remarks[1]?.answer?.content, votes]).toEqual([{ ticket: 'OPS-1 once' }, []]);
    await approve(id);
    const task = await until(async () => {
      const now = await get(taskId);
      return now['status'] !== 'working' && now;
    });
    expect(task).toMatchObject({ status: 'completed', result: say('deleted task: true') });
  });
});
