import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { findRequest, pendingOf, textOf } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { accept, callBy, kinds, startEveryServer, type Agent } from './peers.ts';

const Approval = z.object({ sure: z.boolean() });
const inputSchema = z.object({ id: z.string() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let holdTimeoutMs: number;
let caller: { subject: string; verified: boolean };
let ledger: string[];

const server = await startTestServer();
const approver = await server.newUser();
const options = {
  url: server.url,
  apiKey: await server.newServerKey('accounts'),
  progressIntervalMs: 50,
  get holdTimeoutMs() {
    return holdTimeoutMs;
  },
  principal: () => caller,
};
const mcp = await startEveryServer(register, options);
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
beforeEach(() => {
  holdTimeoutMs = 200;
  caller = { subject: `ada ${Math.random()}`, verified: true };
  ledger = [];
});

function register(tools: AssentryTools): void {
  tools.registerTool('delete', { inputSchema }, async ({ id }, { elicit }) => {
    const { status } = await elicit(`Delete ${id}?`, Approval, { approval: true });
    if (status === 'accept') ledger.push(id);
    return say(`${status} ${id}`);
  });
  tools.registerTool('drop', { inputSchema, approval: true }, async ({ id }) => {
    ledger.push(id);
    return say(`dropped ${id}`);
  });
  tools.registerTool('mixed', { inputSchema }, async ({ id }, { elicit }) => {
    await elicit(`Sure about ${id}?`, Approval);
    await elicit(`Approve ${id}?`, Approval, { approval: true });
    const { status } = await elicit(`Really ${id}?`, Approval);
    ledger.push(id);
    return say(`${status} ${id}`);
  });
}

const isSure = () => accept({ sure: true });
const wait = (agent: Agent, elicitId: string) => callBy(agent, 'awaitElicitationResult', { elicitId });
const start = async (agent: Agent, name: string, id: string) =>
  pendingOf(await callBy(agent, name, { id }))?.elicitId ?? '';
async function decide(message: string, action: 'accept' | 'decline' = 'accept'): Promise<void> {
  const { id } = await findRequest(approver, message);
  expect((await approver.vote(id, action, action === 'accept' ? { sure: true } : undefined)).ok).toBe(true);
}

describe.each(kinds)('a client of %s whose call is pending', (kind) => {
  const name = (id: string) => `${kind}: ${id}`;

  test('of a tool registered with approval gets what its handler returns after a yes', async () => {
    const id = await start(await mcp.connect(kind), 'drop', name('0'));
    expect(ledger).toEqual([]);
    const { id: request } = await findRequest(approver, 'Run drop?');
    expect((await approver.vote(request, 'accept')).ok).toBe(true);
    holdTimeoutMs = 10_000;
    expect(textOf(await wait(await mcp.connect(kind), id))).toBe(`dropped ${name('0')}`);
    expect(ledger).toEqual([name('0')]);
  });

  test('waits on by the id it was given, and gets what the tool returns once it is decided', async () => {
    const id = await start(await mcp.connect(kind), 'delete', name('1'));
    holdTimeoutMs = 10_000;
    const agent = await mcp.connect(kind);
    expect((await agent.listTools()).tools.map((tool) => tool.name)).toContain('awaitElicitationResult');
    const answer = wait(agent, id);
    await decide(`Delete ${name('1')}?`);
    expect(textOf(await answer)).toBe(`accept ${name('1')}`);
    expect(ledger).toEqual([name('1')]);
    expect(await wait(agent, id)).toMatchObject({ isError: true, _meta: { code: 'already-closed' } });
  });

  test('gets a pending result again if no one decided, and the decline if someone did', async () => {
    const agent = await mcp.connect(kind);
    const id = await start(agent, 'delete', name('2'));
    expect(pendingOf(await wait(agent, id))).toMatchObject({ elicitId: id, message: `Delete ${name('2')}?` });
    await decide(`Delete ${name('2')}?`, 'decline');
    expect(textOf(await wait(agent, id))).toBe(`decline ${name('2')}`);
    expect(ledger).toEqual([]);
  });

  test('is held for twice at once and acts once', async () => {
    const id = await start(await mcp.connect(kind), 'delete', name('3'));
    holdTimeoutMs = 10_000;
    const agents = [await mcp.connect(kind), await mcp.connect(kind, undefined, 1)];
    const answers = agents.map((agent) => wait(agent, id));
    await decide(`Delete ${name('3')}?`);
    const results = await Promise.all(answers);
    expect(results.map(textOf)).toContain(`accept ${name('3')}`);
    expect(ledger).toEqual([name('3')]);
  });

  test('goes on to what the tool asks next, in any way its client can be asked', async () => {
    const agent = await mcp.connect(kind, isSure);
    const id = await start(agent, 'mixed', name('4'));
    await decide(`Approve ${name('4')}?`);
    expect(textOf(await wait(agent, id))).toBe(`accept ${name('4')}`);
    expect(ledger).toEqual([name('4')]);
  });

  test('another principal hears of nothing, whatever id it holds', async () => {
    const id = await start(await mcp.connect(kind), 'delete', name('5'));
    await decide(`Delete ${name('5')}?`);
    const me = caller;
    caller = { ...caller, subject: 'mallory' };
    const foreign = await mcp.connect(kind);
    const answers = [
      await wait(foreign, id),
      await wait(foreign, 'eli_AAAAAAAAAAAAAAAAAAAAAA'),
      await wait(foreign, ''),
    ];
    caller = { ...me, verified: false };
    answers.push(await wait(await mcp.connect(kind), id));
    for (const answer of answers) {
      expect(answer).toMatchObject({ isError: true, _meta: { code: 'not-found' } });
      expect(textOf(answer)).toBe(textOf(answers[0] as CallToolResult));
    }
    expect(ledger).toEqual([]);
    caller = me;
    expect(textOf(await wait(await mcp.connect(kind), id))).toBe(`accept ${name('5')}`);
  });
});

test('progress is reported while it waits', async () => {
  const id = await start(await mcp.first.connect(), 'delete', 'told');
  holdTimeoutMs = 10_000;
  const agent = await mcp.first.connect();
  const values: (string | undefined)[] = [];
  const answer = agent.callTool({ name: 'awaitElicitationResult', arguments: { elicitId: id } }, undefined, {
    onprogress: ({ message }) => void values.push(message),
  });
  await until(() => values.length > 2);
  await decide('Delete told?');
  expect(textOf((await answer) as CallToolResult)).toBe('accept told');
  expect(new Set(values)).toEqual(new Set(['Waiting for approval of delete']));
});

test('what waits behind a link is waited for, too, by its own session only', async () => {
  caller = { subject: 'client:agent', verified: false };
  const agent = await mcp.first.connect();
  const pending = await callBy(agent, 'mixed', { id: 'linked' });
  const { elicitId, url } = pendingOf(pending) as ReturnType<typeof pendingOf> & { elicitId: string; url: string };
  expect(await wait(await mcp.first.connect(), elicitId)).toMatchObject({ _meta: { code: 'not-found' } });
  const visitor = newVisitor();
  await letIn(visitor, url, /code (\d{3} \d{3})/.exec(textOf(pending))?.[1] ?? '');
  await visitor.send(url, { action: 'accept', 'field.sure': 'true' });
  const next = pendingOf(await wait(agent, elicitId));
  expect(next?.message).toBe('Approve linked?');
  expect(ledger).toEqual([]);
});
