import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { DEFAULT_ELICIT_TTL, supportsElicitation, type AssentryTools } from '#sdk/mcp/assentry';
import { callTool, findRequest, startMcpServer, textOf } from '../sdk/mcp/peers.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { letIn, newVisitor } from '../support/nodes/visitor.ts';
import { json } from '../support/json.ts';

/** What the tools really did. */
let ledger: string[];

beforeEach(() => void (ledger = []));

function registerTools(tools: AssentryTools, { server: connection }: McpServer): void {
  connection.registerCapabilities({ logging: {} });
  const expense = { id: z.string(), amount: z.number(), description: z.string() };
  const annotations = { destructiveHint: true };
  tools.registerTool('approve_expense', { inputSchema: expense, annotations }, async (request, { elicit }) => {
    const { id, amount, description } = request;
    if (amount > 500) {
      const form = z.object({ approved: z.boolean().describe('Approve it'), notes: z.string().optional() });
      const answer = await elicit(`Expense #${id} for $${amount.toFixed(2)}: "${description}"`, form, { ttl: 300_000 });
      if (answer.status !== 'accept') return say(`cancelled: ${answer.status}, ${answer.comment}`);
      if (!answer.content.approved) return say(`rejected: ${answer.content.notes}`);
    }
    return act(`paid expense ${id}`);
  });

  tools.registerTool('transfer', { inputSchema: { amount: z.number() } }, async ({ amount }, { elicit }) => {
    const confirmation = await elicit(`Transfer $${amount}?`, confirmed);
    if (confirmation.status !== 'accept' || !confirmation.content.confirmed) return say('cancelled');
    const code = z.object({ verificationCode: z.string().length(6).describe('From your phone') });
    const verification = await elicit('Verify this transfer', code, { mode: 'url', ttl: 120_000 });
    if (verification.status !== 'accept') return say('not verified');
    if (verification.content.verificationCode !== '314159') return say('wrong code');
    return act(`transferred ${amount}`);
  });

  tools.registerTool('delete_file', { inputSchema: { path: z.string() } }, async ({ path }, { elicit }) => {
    if (!supportsElicitation(connection.getClientCapabilities(), 'form')) return say('kept: no one can be asked');
    const { status, content } = await elicit(`Delete ${path}? This cannot be undone.`, confirmed);
    return status === 'accept' && content.confirmed ? act(`deleted ${path}`) : say(`kept: ${status}`);
  });

  tools.registerTool('analyse', { inputSchema: { length: z.int() } }, async ({ length }, { elicit }) => {
    if (length > 100) {
      const form = z.object({ proceed: z.boolean().optional() });
      const answer = await elicit(`The text has ${length} characters. Analyse it?`, form);
      if (answer.status !== 'accept') return say(`cancelled: ${answer.status}`);
      if (!answer.content.proceed) return say('not wanted');
    }
    return act('analysed');
  });

  tools.registerTool('write_to', { inputSchema: { name: z.string() } }, async ({ name }, { elicit }) => {
    const matches = ['Ada Lovelace', 'Ada Yonath'].filter((text) => text.startsWith(name)) as [string, ...string[]];
    const { status, content } = await elicit(`Which ${name}?`, z.object({ user: z.enum(matches) }));
    return status === 'accept' ? act(`wrote to ${content.user}`) : say(status);
  });

  tools.registerTool('subscribe', {}, async ({ elicit }) => {
    const answer = await elicit('Where should the newsletter go?', z.object({ email: z.email() }));
    if (answer.status === 'cancel') return say('cancelled');
    return act(answer.status === 'accept' ? `subscribed ${answer.content.email}` : 'subscribed anonymously');
  });

  tools.registerTool('share', { inputSchema: { document: z.string() } }, async ({ document }, { elicit }) => {
    if (sensitivity[document] === 'restricted') {
      const { status, content } = await elicit(`"${document}" is restricted. Share it?`, confirmed);
      if (status !== 'accept' || !content.confirmed) return say(`not shared: ${status}`);
    }
    return act(`shared ${document}`);
  });

  tools.registerTool('research', { inputSchema: { budget: z.number() } }, async ({ budget }, context) => {
    if (budget > 1000) {
      const answer = await context.elicit(`Spend $${budget} on research?`, z.object({ approved: z.boolean() }));
      if (answer.status !== 'accept') return say(`rejected: ${answer.status}`);
      if (!answer.content.approved) return say('rejected: not approved');
      const params = { level: 'info' as const, data: 'Approval received.' };
      await context.sendNotification({ method: 'notifications/message', params });
    }
    for (const step of ['plan', 'read', 'write']) ledger.push(step); // the agent's own loop
    return say('done');
  });
}

const confirmed = z.object({ confirmed: z.boolean() });
const sensitivity: Record<string, string> = { menu: 'public', payroll: 'restricted' };
const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const act = (line: string): CallToolResult => (ledger.push(line), say(line));

const server = await startTestServer();
const approver = await server.newUser('approver');
const apiKey = await server.newServerKey('office');
const mcp = await startMcpServer(registerTools, { url: server.url, apiKey });
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
const accept = (content: ElicitResult['content']): ElicitResult => ({ action: 'accept', content });
const decline: ElicitResult = { action: 'decline' };
const cancel: ElicitResult = { action: 'cancel' };

describe('an expense above a limit, before approvers', () => {
  const args = { id: '7', amount: 620, description: 'Offsite' };
  const message = 'Expense #7 for $620.00: "Offsite"';

  test('F-173: asks no one below the limit', async () => {
    const result = await callTool(await mcp.connect(), 'approve_expense', { ...args, amount: 500 });
    expect([textOf(result), ledger]).toEqual(['paid expense 7', ['paid expense 7']]);
  });

  test.each([
    ['accept', { approved: true }, 'paid expense 7', ['paid expense 7']],
    ['accept', { approved: false, notes: 'Ask in May.' }, 'rejected: Ask in May.', []],
    ['decline', undefined, 'cancelled: decline, not now', []],
  ] as const)('F-174 to F-177: a vote to %s %j ends as "%s"', async (action, content, text, done) => {
    const call = callTool(await mcp.connect(), 'approve_expense', args);
    const { id } = await findRequest(approver, message);
    const { openedAt, deadlineAt } = await approver.show(id);
    expect(deadlineAt - openedAt).toBe(300_000);
    expect((await approver.vote(id, action, content)).ok).toBe(true);
    expect([textOf(await call), ledger]).toEqual([text, done]);
  });
});

describe('a transfer that is confirmed, then verified', () => {
  /** Agrees to go wherever it is sent, and types this code there. */
  async function transferWith(code: string): Promise<CallToolResult> {
    const client = await mcp.connect(() => cancel, { elicitation: { form: {}, url: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      if (!('url' in params)) return accept({ confirmed: true });
      void typeCode(params.url, /code (\d{3} \d{3})$/.exec(params.message)?.[1] ?? '', code);
      return { action: 'accept' };
    });
    return callTool(client, 'transfer', { amount: 40 });
  }

  async function typeCode(url: string, proof: string, code: string): Promise<void> {
    const visitor = newVisitor();
    await letIn(visitor, url, proof);
    const answer = code === '' ? { action: 'decline' } : { action: 'accept', 'field.verificationCode': code };
    await visitor.send(url, answer);
  }

  test.each([
    ['314159', 'transferred 40', ['transferred 40']],
    ['000000', 'wrong code', []],
    ['', 'not verified', []],
  ])('F-179, F-180: with the code "%s" ends as "%s"', async (code, text, done) => {
    expect([textOf(await transferWith(code)), ledger]).toEqual([text, done]);
  });

  test.each([decline, cancel, accept({ confirmed: false })])(
    'F-178: is not verified after the answer %j',
    async (answer) => {
      const result = await callTool(await mcp.connect(() => answer), 'transfer', { amount: 40 });
      expect([textOf(result), ledger]).toEqual(['cancelled', []]);
    },
  );
});

/** Tool, arguments, what the person answers, what the caller reads, what was done. */
test.each<[string, string, object, ElicitResult | null, string, string[]]>([
  ['F-187', 'delete_file', { path: 'a' }, accept({ confirmed: true }), 'deleted a', ['deleted a']],
  ['F-188', 'delete_file', { path: 'b' }, accept({ confirmed: false }), 'kept: accept', []],
  ['F-188', 'delete_file', { path: 'c' }, decline, 'kept: decline', []],
  ['F-189', 'delete_file', { path: 'd' }, null, 'kept: no one can be asked', []],
  ['F-189', 'delete_file', { path: 'e', skipConfirmation: true }, null, 'kept: no one can be asked', []],
  ['G-34', 'analyse', { length: 100 }, null, 'analysed', ['analysed']],
  ['G-39', 'analyse', { length: 101 }, accept({ proceed: true }), 'analysed', ['analysed']],
  ['G-38', 'analyse', { length: 102 }, accept({ proceed: false }), 'not wanted', []],
  ['G-38', 'analyse', { length: 103 }, accept({}), 'not wanted', []],
  ['G-37', 'analyse', { length: 104 }, decline, 'cancelled: decline', []],
  ['G-37', 'analyse', { length: 105 }, cancel, 'cancelled: cancel', []],
  ['F-07', 'write_to', { name: 'Ada' }, accept({ user: 'Ada Yonath' }), 'wrote to Ada Yonath', ['wrote to Ada Yonath']],
  [
    'E-47',
    'subscribe',
    {},
    accept({ email: 'a@example.com' }),
    'subscribed a@example.com',
    ['subscribed a@example.com'],
  ],
  ['E-48', 'subscribe', {}, decline, 'subscribed anonymously', ['subscribed anonymously']],
  ['E-49', 'subscribe', {}, cancel, 'cancelled', []],
  ['E-52', 'share', { document: 'menu' }, null, 'shared menu', ['shared menu']],
  ['E-55', 'share', { document: 'payroll' }, accept({ confirmed: true }), 'shared payroll', ['shared payroll']],
  ['E-54', 'share', { document: 'payroll' }, accept({ confirmed: false }), 'not shared: accept', []],
  ['E-54', 'share', { document: 'payroll' }, cancel, 'not shared: cancel', []],
  ['F-15', 'research', { budget: 1000 }, null, 'done', ['plan', 'read', 'write']],
  ['F-18', 'research', { budget: 1001 }, accept({ approved: true }), 'done', ['plan', 'read', 'write']],
  ['F-16', 'research', { budget: 1002 }, accept({ approved: false }), 'rejected: not approved', []],
  ['F-16', 'research', { budget: 1003 }, decline, 'rejected: decline', []],
])('%s: %s %j, answered %j', async (_id, tool, args, answer, text, done) => {
  const client = await mcp.connect(answer ? () => answer : undefined);
  expect(textOf(await callTool(client, tool, { ...args }))).toBe(text);
  expect(ledger).toEqual(done);
});

test('E-53, G-35: the person reads why they are asked, computed from the call', async () => {
  const read: string[] = [];
  const client = await mcp.connect(({ message }) => (read.push(message), decline));
  await callTool(client, 'analyse', { length: 512 });
  await callTool(client, 'share', { document: 'payroll' });
  expect(read).toEqual(['The text has 512 characters. Analyse it?', '"payroll" is restricted. Share it?']);
});

test('F-17: a tool that was allowed to continue can tell the client', async () => {
  const heard: unknown[] = [];
  const client = await mcp.connect(() => accept({ approved: true }));
  client.fallbackNotificationHandler = async ({ params }) => void heard.push(params);
  await callTool(client, 'research', { budget: 2000 });
  expect(heard).toEqual([{ level: 'info', data: 'Approval received.' }]);
});

test('F-54, F-212: a question to the requester stays open for five minutes if nothing else is said', async () => {
  const reviewer = await server.newUser('reviewer');
  const spans: number[] = [];
  const client = await mcp.connect(async () => {
    const response = await reviewer.call('GET', '/api/elicitations?view=all&tool=subscribe');
    const { items } = await json<{ items: { openedAt: number; deadlineAt: number }[] }>(response);
    spans.push(...items.map(({ openedAt, deadlineAt }) => deadlineAt - openedAt));
    return decline;
  });
  await callTool(client, 'subscribe');
  expect([DEFAULT_ELICIT_TTL, spans]).toEqual([300_000, [300_000]]);
});
