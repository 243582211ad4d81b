import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { applyPolicies } from '#policies/verbs/apply';
import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { startTestServer } from '../../support/nodes/server.ts';
import { callTool, findRequest, pendingOf, startMcpServer, textOf } from './peers.ts';

let ran: unknown[] = [];
let starts = 0;

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const nothing = z.object({});
const policy = (tool: string) => `policy: ${tool}
match: { tool: ${tool}, audience: approvers }
require: { editable: { amount: { type: number, maximum: 100 } }, stages: [{ name: One, approvers: anyone }] }`;

beforeEach(() => {
  ran = [];
  starts = 0;
});

function registerTools(tools: AssentryTools): void {
  // As an author writes it who has never heard of edits.
  tools.registerTool('refund', { inputSchema: { amount: z.number().min(10) } }, async (input, { elicit }) => {
    starts += 1;
    const facts = [{ label: 'Refunded', path: '/amount' }];
    const { status } = await elicit(`Refund ${input.amount}?`, nothing, { approval: true, facts });
    if (status === 'accept') ran.push(input);
    return say(`${status} ${input.amount}`);
  });
  tools.registerTool('pay', { inputSchema: { amount: z.number() } }, async ({ amount }, { approve }) => {
    const mayPay = await approve(`Pay ${amount}?`, [{ label: 'Paid', path: '/amount' }]);
    return say(mayPay ? `paid ${amount}` : 'not paid');
  });
  tools.registerTool('guided', { inputSchema: { amount: z.number() } }, async (input, { elicit }) => {
    const who = await elicit(`For whom are the ${input.amount}?`, z.object({ name: z.string() }));
    const { status } = await elicit(`Guide ${input.amount}?`, nothing, { approval: true });
    const last = await elicit(`Tell of the ${input.amount}?`, z.object({ name: z.string() }));
    ran.push([input, who.content?.name, status, last.content?.name]);
    return say('done');
  });
  tools.registerTool(
    'scaled',
    { inputSchema: { amount: z.number().transform((amount) => amount * 2) } },
    async (input, { elicit }) => {
      await elicit(`Scale ${input.amount}?`, nothing, { approval: true });
      ran.push(input);
      return say('done');
    },
  );
}

async function edit(message: string, amount: number): Promise<{ id: string; status: number }> {
  const { id } = await findRequest(approver, message);
  const { digest } = await approver.show(id);
  const { status } = await approver.call('POST', `/api/elicitations/${id}/edit`, { digest, arguments: { amount } });
  return { id, status };
}

const approve = async (id: string): Promise<void> => {
  expect((await approver.vote(id, 'accept', {})).status).toBe(200);
};

const server = await startTestServer();
const approver = await server.newUser();
await applyPolicies(server.engine, ['refund', 'guided', 'scaled'].map(policy));
const apiKey = await server.newServerKey('bank');
const mcp = await startMcpServer(registerTools, { url: server.url, apiKey });
const impatient = await startMcpServer(registerTools, { url: server.url, apiKey, holdTimeoutMs: 200 });
afterAll(async () => {
  await impatient.stop();
  await mcp.stop();
  await server.stop();
});

describe('P21 what approvers edited', () => {
  test('is what the tool runs with, without its author’s care, and once', async () => {
    const calling = callTool(await mcp.connect(), 'refund', { amount: 5000 });
    const { id, status } = await edit('Refund 5000?', 50);
    expect(status).toBe(200);
    expect((await approver.show(id)).facts).toMatchObject([{ label: 'Refunded', source: 'author', value: '50' }]);
    await approve(id);
    expect(textOf(await calling)).toBe('accept 50');
    expect(ran).toEqual([{ amount: 50 }]);
    expect(starts).toBe(2);
    const types = (await server.engine.reader.history(id as ElicitationId)).map((entry) => readEntry(entry).type);
    expect(types.filter((type) => type === 'call.claimed' || type === 'call.mismatched')).toEqual(['call.claimed']);
  });

  test('is not run a second time if no one edited', async () => {
    const calling = callTool(await mcp.connect(), 'refund', { amount: 80 });
    await approve((await findRequest(approver, 'Refund 80?')).id);
    expect(textOf(await calling)).toBe('accept 80');
    expect([ran, starts]).toEqual([[{ amount: 80 }], 1]);
  });

  test('reaches a call that comes back for its answer', async () => {
    expect(pendingOf(await callTool(await impatient.connect(), 'refund', { amount: 70 }))).toBeDefined();
    const { id } = await edit('Refund 70?', 40);
    await approve(id);
    expect(textOf(await callTool(await mcp.connect(), 'refund', { amount: 70 }))).toBe('accept 40');
    expect(ran).toEqual([{ amount: 40 }]);
  });

  test('runs nothing if the tool does not take it, and the same call asks again', async () => {
    const calling = callTool(await mcp.connect(), 'refund', { amount: 60 });
    const { id } = await edit('Refund 60?', 5);
    await approve(id);
    expect(await calling).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
    expect(ran).toEqual([]);
    const again = callTool(await mcp.connect(), 'refund', { amount: 60 });
    const next = await findRequest(approver, 'Refund 60?');
    expect(next.id).not.toBe(id);
    await approve(next.id);
    expect(textOf(await again)).toBe('accept 60');
  });

  test('keeps what the requester answered before, and goes on with what is asked after', async () => {
    const requests: string[] = [];
    const client = await mcp.connect(({ message }) => {
      requests.push(message);
      return { action: 'accept', content: { name: `Ada ${requests.length}` } };
    });
    const calling = callTool(client, 'guided', { amount: 90 });
    const { id } = await edit('Guide 90?', 30);
    await approve(id);
    expect(textOf(await calling)).toBe('done');
    expect(requests).toEqual(['For whom are the 90?', 'Tell of the 30?']);
    expect(ran).toEqual([[{ amount: 30 }, 'Ada 1', 'accept', 'Ada 2']]);
  });

  test('is not offered if the tool would make other arguments of it', async () => {
    const calling = callTool(await mcp.connect(), 'scaled', { amount: 20 });
    const { id, status } = await edit('Scale 40?', 10);
    expect(status).toBe(403);
    const { editable, can } = await approver.show(id);
    expect([editable, can.edit.allowed]).toEqual([null, false]);
    await approve(id);
    expect(textOf(await calling)).toBe('done');
    expect(ran).toEqual([{ amount: 40 }]);
  });
});

test.each([
  ['accept', 'paid 7'],
  ['decline', 'not paid'],
] as const)('a handler that asks with approve() hears yes or no: %s', async (action, text) => {
  const calling = callTool(await mcp.connect(), 'pay', { amount: 7 });
  const { id } = await findRequest(approver, 'Pay 7?');
  expect((await approver.show(id)).facts).toMatchObject([{ label: 'Paid', value: '7' }]);
  expect((await approver.vote(id, action, {})).status).toBe(200);
  expect(textOf(await calling)).toBe(text);
});
