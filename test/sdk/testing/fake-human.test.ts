import { afterEach, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import {
  assentry,
  ElicitationTimeoutError,
  InvalidInputError,
  onRequest,
  onResult,
  type Elicit,
} from '#sdk/mcp/assentry';
import { countExecutions } from '#sdk/mcp/run/executions';
import {
  accept,
  approve,
  cancel,
  decline,
  fakeHuman,
  refuse,
  timeOut,
  type Reply,
} from '#sdk/testing/assentry-testing';

const executionsBefore = countExecutions(); // of files that ran before in this worker

const Confirmation = z.object({ confirmed: z.boolean(), note: z.string().max(5).optional() });
const Riddle = z.object({ answer: z.string().refine((text) => text === '123456', 'Wrong.') });

let deleted: string[] = [];
afterEach(() => void (deleted = []));

/** A tool's handler, as its author has it. */
async function deleteAccount({ id }: { id: string }, { elicit }: { elicit: Elicit }): Promise<CallToolResult> {
  const answer = await elicit(`Delete account ${id}?`, Confirmation, { approval: true });
  if (answer.status !== 'accept' || !answer.content.confirmed) return say(`${answer.status}: ${answer.comment}`);
  deleted.push(id);
  return say('deleted');
}

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const textOf = ({ content }: CallToolResult): string => (content[0] as { text: string }).text;
const askOnce = (reply: Reply, audience: 'requester' | 'approvers' = 'requester') =>
  fakeHuman({ reply }).elicit('Sure?', Confirmation, { audience });

describe('a fake human', () => {
  test('lets a handler run without a server, and remembers what it was asked', async () => {
    const human = fakeHuman({ message: /^Delete/, reply: approve({ confirmed: true }) });
    expect(textOf(await deleteAccount({ id: '7' }, human))).toBe('deleted');
    expect(deleted).toEqual(['7']);
    expect(human.questions).toMatchObject([
      {
        message: 'Delete account 7?',
        audience: 'approvers',
        mode: 'form',
        step: '0',
        reply: approve({ confirmed: true }),
      },
    ]);
    expect(countExecutions()).toBe(executionsBefore);
  });

  test.each([
    ['null as options', ['Sure?', Confirmation, null], 'options'],
    ['a number as key', ['Sure?', Confirmation, { key: 1 }], 'key'],
    ['no message', ['', Confirmation], 'message'],
    ['null as form', ['Sure?', null], 'schema'],
  ])('refuses %s as the real one does, and counts no step', async (_, args, path) => {
    const human = fakeHuman({ reply: accept({ confirmed: true }) });
    const refused = (human.elicit as (...args: unknown[]) => Promise<unknown>)(...args);
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', errors: [{ path: [path] }] });
    await human.elicit('Sure?', Confirmation);
    expect(human.questions).toMatchObject([{ step: '0' }]);
  });

  test.each([
    ['accept', accept({ confirmed: true }), { status: 'accept', content: { confirmed: true } }],
    ['decline', decline(), { status: 'decline' }],
    ['decline for a reason (P-18)', decline('Not today'), { status: 'decline', comment: 'Not today' }],
    ['cancel', cancel(), { status: 'cancel', cause: 'user' }],
  ])('can %s', async (_, reply, result) => {
    expect(await askOnce(reply)).toEqual(result);
  });

  test.each([
    [
      'approve',
      approve({ confirmed: true }, 'Fine'),
      { status: 'accept', content: { confirmed: true }, comment: 'Fine' },
    ],
    ['refuse', refuse('Too much'), { status: 'decline', comment: 'Too much' }],
  ])('can %s as an approver', async (_, reply, result) => {
    expect(await askOnce(reply, 'approvers')).toEqual(result);
  });

  test('lets a question expire at once, which throws with its time (F-125, F-126)', async () => {
    const request = fakeHuman({ reply: timeOut() }).elicit('Sure?', Confirmation, { ttl: 60_000 });
    await expect(request).rejects.toBeInstanceOf(ElicitationTimeoutError);
    await expect(request).rejects.toMatchObject({ ttl: 60_000, elicitId: expect.stringMatching(/^eli_[\w-]{22}$/) });
  });

  test.each([
    ['the requester’s accept never approves', accept({ confirmed: true }), 'approvers' as const],
    ['nor declines for approvers', decline(), 'approvers' as const],
    ['a vote never answers for the requester', approve({ confirmed: true }), 'requester' as const],
  ])('differs by the people it asks: %s', async (_, reply, audience) => {
    await expect(askOnce(reply, audience)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test.each([
    ['a missing field', accept({}), ['confirmed']],
    ['a text that is too long', accept({ confirmed: true, note: 'too long' }), ['note']],
    ['a strange field', accept({ confirmed: true, other: 1 }), ['other']],
  ])('is held to the form as people are: %s (F-44)', async (_, reply, path) => {
    const request = askOnce(reply);
    await expect(request).rejects.toBeInstanceOf(InvalidInputError);
    await expect(request).rejects.toMatchObject({ details: [{ path }] });
  });

  test('is held to what zod alone can say, too', async () => {
    const human = fakeHuman({ field: 'answer', reply: accept({ answer: '000000' }) });
    await expect(human.elicit('The answer?', Riddle)).rejects.toBeInstanceOf(InvalidInputError);
  });

  test('is asked nothing that people could not be asked', async () => {
    const human = fakeHuman({ reply: accept() });
    const secret = { type: 'object', properties: { password: { type: 'string' } } } as const;
    await expect(human.elicit('Tell me.', secret)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(human.questions).toEqual([]);
  });

  test('goes to an address and comes back with its result', async () => {
    const human = fakeHuman({ mode: 'url', reply: accept({ user: 'ada' }) });
    const User = z.object({ user: z.string() });
    const answer = await human.elicit('Connect.', User, { url: 'https://example.com/connect' });
    expect(answer).toEqual({ status: 'accept', content: { user: 'ada' } });
    expect(human.questions[0]).toMatchObject({ mode: 'url', url: 'https://example.com/connect' });
    expect(await human.elicit('Just go.', 'https://example.com').catch((error: Error) => error)).toEqual({
      status: 'accept',
      content: {},
    });
  });
});

describe('a script', () => {
  const ask = async (elicit: Elicit, ...messages: string[]): Promise<string[]> => {
    const texts: string[] = [];
    for (const message of messages) texts.push((await elicit(message, Confirmation)).status);
    return texts;
  };

  test('is read from its start: the first rule that fits and has a reply left', async () => {
    const human = fakeHuman(
      { message: 'Exactly this?', reply: cancel() },
      { message: /this/g, reply: [decline('once'), accept({ confirmed: false })] },
      { step: '5', reply: cancel() },
      { reply: accept({ confirmed: true }) },
    );
    const texts = await ask(human.elicit, 'Exactly this?', 'Not this?', 'Or this?', 'Nor this?', 'That?', 'Fifth?');
    expect(texts).toEqual(['cancel', 'decline', 'accept', 'accept', 'accept', 'cancel']);
    expect(human.questions.map(({ step }) => step)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  test('can read the question itself', async () => {
    const human = fakeHuman({ reply: ({ message }) => (message.length > 5 ? decline() : accept({ confirmed: true })) });
    expect(await ask(human.elicit, 'Long enough?', 'No?')).toEqual(['decline', 'accept']);
  });

  test('tells which of its rules were never needed', async () => {
    const needed = { message: 'A?', reply: cancel() };
    const idle = { field: 'absent', reply: cancel() };
    const human = fakeHuman(needed, idle);
    await ask(human.elicit, 'A?');
    expect(human.unused()).toEqual([idle]);
  });

  test('has no answer for what is not in it, and says so', async () => {
    const human = fakeHuman({ message: 'A?', reply: cancel() }, { tool: 'other', reply: cancel() });
    const request = human.elicit('B?', Confirmation);
    await expect(request).rejects.toMatchObject({ code: 'not-found' });
    await expect(request).rejects.toThrow('No rule of the fake human answers "B?" (step 0, for the requester).');
  });
});

test('a call may be described: what its tool says of itself, its arguments, hooks', async () => {
  const human = fakeHuman({ tool: 'wipe', audience: 'approvers', reply: approve({ confirmed: true }) });
  const values: unknown[] = [];
  const elicit = human.elicitIn({
    tool: { name: 'wipe', annotations: { destructiveHint: true } },
    args: { disk: 1 },
    requester: 'ada',
    hooks: [
      onRequest.did('storePendingRecord', ({ args, requester }) => void values.push(args, requester.subject)),
      onResult.will('buildResult', (context) => void (context.content = { confirmed: false })),
    ],
  });
  expect(await elicit('Wipe?', Confirmation)).toEqual({ status: 'accept', content: { confirmed: false } });
  expect(values).toEqual([{ disk: 1 }, 'ada']);
});

test('a whole MCP server runs on a fake human: its tool is called by a client, and once', async () => {
  const slowly = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50)); // long enough for an equal call to come in
    return approve({ confirmed: true });
  };
  const human = fakeHuman({ message: /7/, reply: slowly }, { message: /8/, reply: [refuse('Keep it.')] });
  const mcp = new McpServer({ name: 'accounts', version: '1.0.0' });
  const tools = assentry(mcp, { client: human.client });
  tools.registerTool('delete_account', { inputSchema: { id: z.string() } }, deleteAccount);
  const [own, other] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([mcp.connect(own), client.connect(other)]);
  const call = async (id: string) =>
    textOf((await client.callTool({ name: 'delete_account', arguments: { id } })) as CallToolResult);
  expect(await Promise.all([call('7'), call('7')])).toEqual(['deleted', 'deleted']);
  expect(await call('8')).toBe('decline: Keep it.');
  expect(await call('8')).toContain('No rule of the fake human answers');
  expect(deleted).toEqual(['7']);
  expect(human.questions.map(({ message }) => message)).toEqual(['Delete account 7?', 'Delete account 8?']);
  expect((await tools.generateElicitationToken('session', { ttl: 1000 })).callbackUrl).toContain('/callback/');
  await client.close();
});
