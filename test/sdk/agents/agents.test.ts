import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { transferWithAiSdk } from '../../../examples/agents/ai-sdk.ts';
import { transferWithLangGraph } from '../../../examples/agents/langgraph.ts';
import { transferWithOpenAi } from '../../../examples/agents/openai.ts';
import { createApprovals, type AgentCall, type Approvals } from '#sdk/agents/assentry-agents';
import { applyPolicies } from '#policies/verbs/apply';
import { findRequest } from '../mcp/peers.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { aiSdkModel, langGraphModel, openAiModel, type AskedCall } from './models.ts';

let ran: string[] = [];

const policy = (name: string, when: string, rule: string) => `policy: ${name}
match: { tool: transfer_funds, audience: approvers }
when: ${when}
${rule}`;
const policies = [
  policy(
    'large',
    'request.args.amount >= 1.0',
    'require: { editable: { amount: { type: number, maximum: 1000 } }, stages: [{ name: One, approvers: anyone }] }',
  ),
  policy('small', 'request.args.amount < 1.0', 'allow: { ceiling: medium }'),
  policy('thieves', 'request.args.to == "thief"', 'deny: { reason: Not to thieves. }'),
];

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser();
await applyPolicies(server.engine, policies);
const apiKey = await server.newServerKey('bank');
beforeEach(() => {
  ran = [];
});

const transfer = (amount: number, to: string): Promise<string> => {
  ran.push(`${amount} to ${to}`);
  return Promise.resolve(`sent ${amount}`);
};

const approvalsOf = (session: string): Approvals =>
  createApprovals({ url: server.url, apiKey, session, requester: { subject: `agent-of-${session}` } });

async function acceptAs(id: string, edited: Record<string, unknown>): Promise<void> {
  const { digest } = await approver.show(id);
  const edit = { digest, arguments: edited };
  expect((await approver.call('POST', `/api/elicitations/${id}/edit`, edit)).status).toBe(200);
  expect((await approver.vote(id, 'accept', {})).status).toBe(200);
}

type Drive = (approvals: Approvals, call: AskedCall) => Promise<unknown>;
const harnesses: [name: string, drive: Drive][] = [
  ['OpenAI Agents SDK', (approvals, call) => transferWithOpenAi(approvals, openAiModel(call), transfer)],
  ['LangGraph.js', (approvals, call) => transferWithLangGraph(approvals, langGraphModel(call), transfer)],
  ['AI SDK', (approvals, call) => transferWithAiSdk(approvals, aiSdkModel(call), transfer)],
];

describe.each(harnesses)('an agent of the %s', (_, drive) => {
  const start = (input: Record<string, unknown>, session: string = randomUUID()): Promise<string> =>
    drive(approvalsOf(session), { id: 'call_0', input }).then(String);

  test('waits until people have approved its call, and runs what they made of it', async () => {
    const report = start({ amount: 50, to: 'DE01' });
    const { id } = await findRequest(approver, 'Run transfer_funds?');
    expect(ran).toEqual([]);
    await acceptAs(id, { amount: 20 });
    expect(await report).toContain('sent 20');
    expect(ran).toEqual(['20 to DE01']);
  });

  test('runs nothing that people decline, and its model reads why', async () => {
    const report = start({ amount: 60, to: 'DE01' });
    const { id } = await findRequest(approver, 'Run transfer_funds?');
    const { digest } = await approver.show(id);
    const vote = { action: 'decline', digest, comment: 'Too early.' };
    expect((await approver.call('POST', `/api/elicitations/${id}/vote`, vote)).ok).toBe(true);
    expect(await report).toContain('Declined; nothing was run. Reason: Too early. Do not do the same in another way');
    expect(ran).toEqual([]);
  });

  test('asks no one about what a policy allows or denies', async () => {
    expect(await start({ amount: 0.5, to: 'DE01' })).toContain('sent 0.5');
    expect(await start({ amount: 70, to: 'thief' })).toContain('Not to thieves.');
    expect(ran).toEqual(['0.5 to DE01']);
  });

  test('started again with the same call gets its result, and the call does not run again', async () => {
    const session = randomUUID();
    await start({ amount: 0.25, to: 'DE01' }, session);
    expect(await start({ amount: 0.25, to: 'DE01' }, session)).toContain('sent 0.25');
    expect(ran).toEqual(['0.25 to DE01']);
  });
});

describe('a call', () => {
  const schema = z.object({ amount: z.number().max(500), to: z.string() });
  const tool = { name: 'transfer_funds', description: 'Transfers money.', schema };
  const callOf = (id: string, amount: number): AgentCall<z.output<typeof schema>> => ({
    id,
    tool,
    input: { amount, to: 'DE01' },
  });
  const run = ({ input }: ReturnType<typeof callOf>) => transfer(input.amount, input.to);

  test('runs once, also if two processes run it at the same time', async () => {
    const session = randomUUID();
    const processes = [approvalsOf(session), approvalsOf(session)];
    const call = callOf('twice', 0.75);
    const runs = processes.map((approvals) => approvals.run(call, () => run(call)));
    expect(await Promise.all(runs)).toEqual(['sent 0.75', 'sent 0.75']);
    expect(ran).toEqual(['0.75 to DE01']);
  });

  test('does not run before it is decided, whatever its library says', async () => {
    const call = callOf('early', 80);
    const result = approvalsOf(randomUUID()).run(call, () => run(call));
    const { id } = await findRequest(approver, 'Run transfer_funds?');
    expect(ran).toEqual([]);
    expect((await approver.vote(id, 'decline')).ok).toBe(true);
    await expect(result).rejects.toMatchObject({ name: 'CallRefusedError', status: 'declined' });
    expect(ran).toEqual([]);
  });

  test('is not run with edits that its tool does not take', async () => {
    const call = callOf('large', 90);
    const result = approvalsOf(randomUUID()).run(call, () => run(call));
    const { id } = await findRequest(approver, 'Run transfer_funds?');
    await acceptAs(id, { amount: 900 });
    await expect(result).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(ran).toEqual([]);
  });

  test('with other arguments, or of another session, is another call', async () => {
    const approvals = approvalsOf(randomUUID());
    const results = [
      await approvals.run(callOf('same', 0.1), () => 'first'),
      await approvals.run(callOf('same', 0.2), () => 'second'),
      await approvalsOf(randomUUID()).run(callOf('same', 0.1), () => 'third'),
    ];
    expect(results).toEqual(['first', 'second', 'third']);
  });

  test('of a tool that is described otherwise is another call', async () => {
    const approvals = approvalsOf(randomUUID());
    const call = callOf('described', 0.4);
    const changed = { ...call, tool: { ...tool, description: 'Transfers money, and closes the account.' } };
    expect(await approvals.run(call, () => 'first')).toBe('first');
    expect((await approvals.ask(changed)).joined).toBe(false);
  });

  test('that failed fails again in place of running again', async () => {
    const approvals = approvalsOf(randomUUID());
    const fail = () => Promise.reject(new Error('The bank is closed.'));
    await expect(approvals.run(callOf('failed', 0.3), fail)).rejects.toThrow('The bank is closed.');
    await expect(approvals.run(callOf('failed', 0.3), () => 'ran')).rejects.toThrow('The bank is closed.');
  });
});

describe('a mistake of code without types', () => {
  const schema = z.object({ amount: z.number(), to: z.string() });
  const tool = { name: 'transfer_funds', description: 'Transfers funds.', schema };
  const call = { id: 'call_0', tool, input: { amount: 0.5, to: 'DE01' } };
  const execute = ({ amount, to }: typeof call.input) => transfer(amount, to);

  test.each<[string, object, string, (string | number)[][]]>([
    ['a call without an id', { id: undefined }, 'Give the id of the call', [['id']]],
    ['a call without its tool', { tool: undefined }, 'Give the tool with its zod schema', [['tool', 'schema']]],
    ['a tool without its schema', { tool: { name: 'a' } }, 'Give the tool with its zod schema', [['tool', 'schema']]],
    [
      'a large integer',
      { input: { to: [{ amount: 1n }] } },
      'Use arguments that JSON can express',
      [['to', 0, 'amount']],
    ],
  ])('such as %s is refused with its place before anyone is asked', async (_, mistake, message, paths) => {
    const running = approvalsOf(randomUUID()).run({ ...call, ...mistake } as typeof call, execute);
    const error = await running.catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', errors: paths.map((path) => ({ path })) });
    expect((error as Error).message).toContain(message);
    expect(ran).toEqual([]);
  });

  test('such as a misspelt option, or one that the library for MCP servers has, is refused at once', () => {
    const options = { url: server.url, apiKey, session: 'a', requester: { subject: 'ada' } };
    const misspelt = { ...options, tll: 5 };
    expect(() => createApprovals(misspelt)).toThrow('createApprovals(): There is no option tll. Did you mean ttl?');
    const other = { ...options, holdTimeoutMs: 5 };
    expect(() => createApprovals(other)).toThrow('There is no option holdTimeoutMs.');
  });

  test('such as no session, or no function to run, is refused before anyone is asked', async () => {
    const none = approvalsOf(undefined as unknown as string).run(call, execute);
    await expect(none).rejects.toThrow('Give the id of the conversation (session).');
    const idle = approvalsOf(randomUUID()).run(call, undefined as unknown as typeof execute);
    await expect(idle).rejects.toThrow('Give the function that runs the call');
    expect(ran).toEqual([]);
  });
});

test('a caller that leaves while Assentry does not answer waits no longer', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const approvals = createApprovals({ url, apiKey, session: 'left', requester: { subject: 'ada' } });
  const leaving = new AbortController();
  const tool = { name: 'transfer_funds', description: 'Transfers funds.', schema: z.object({}) };
  const running = approvals.run({ id: 'call_0', tool, input: {} }, () => ran.push('left'), leaving.signal);
  await once(silent, 'request');
  leaving.abort(new Error('left'));
  await expect(running).rejects.toThrow('left');
  silent.close().closeAllConnections();
  expect(ran).toEqual([]);
});
