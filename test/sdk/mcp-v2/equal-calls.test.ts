import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createClient } from '#sdk/client/client';
import { onRequest, type AssentryTools } from '#sdk/mcp/assentry';
import { countExecutions } from '#sdk/mcp/run/executions';
import { textOf } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { accept, startEveryServer, type Agent } from './peers.ts';

const executionsBefore = countExecutions(); // of files that ran before in this worker

// Two equal calls of one session are one tool call with one question: anyone who leaves it leaves it to the other.

const form = z.object({ sure: z.boolean() });
const inputSchema = z.object({ about: z.string(), approval: z.boolean().optional() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const kinds = ['2025 on the first SDK', '2025 on the second'] as const;

/** What the orchestrator is told of callers that leave. */
let farewells: string[];
/** How many of the calls wait for the answer, and how many ended without one. */
let waiting: number;
let remaining: number;
let effects: string[];
/** Withdraws the question of one of the calls. */
let withdraw: (() => void) | undefined;
/** The person's answers to the questions on the screen. */
let answers: ((answer: ReturnType<typeof accept>) => void)[];

const server = await startTestServer();
const listen = (input: string, init: RequestInit): Promise<Response> => {
  const [, farewell] = /\/(cancel|caller)$/.exec(input) ?? [];
  if (farewell) farewells.push(farewell);
  return fetch(input, init);
};
const client = createClient({ url: server.url, apiKey: await server.newServerKey('twins'), fetch: listen });
const countIn = onRequest.did('finalize', () => void (waiting += 1));
const mcp = await startEveryServer(register, { client, hooks: [countIn] });
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
beforeEach(() => {
  farewells = [];
  waiting = 0;
  remaining = 0;
  effects = [];
  withdraw = undefined;
  answers = [];
});

function register(tools: AssentryTools): void {
  tools.registerTool('act', { inputSchema }, async ({ about: topic, approval = false }, { elicit }) => {
    const own = new AbortController();
    withdraw ??= () => own.abort(new TypeError('Given up.'));
    try {
      const { status } = await elicit(`Act on ${topic}?`, form, { approval, signal: own.signal });
      effects.push(`${status} ${topic}`);
      return say(status);
    } catch (error) {
      remaining += 1;
      throw error;
    }
  });
}

const onScreen = () => new Promise<ReturnType<typeof accept>>((resolve) => answers.push(resolve));

describe.each(kinds)('of two equal calls of one session, for clients of %s,', (kind) => {
  function start(agent: Agent, args: object, signal?: AbortSignal): Promise<CallToolResult> {
    const options = kind === '2025 on the first SDK' ? [undefined, { signal }] : [{ signal }];
    return agent.callTool({ name: 'act', arguments: { ...args } }, ...(options as never[])) as Promise<CallToolResult>;
  }
  /** Both wait for the same answer. */
  async function startTwo(topic: string, approval = false) {
    const agent = await mcp.connect(kind, onScreen);
    const leaving = [new AbortController(), new AbortController()] as const;
    const calls = leaving.map(({ signal }) => start(agent, { about: topic, approval }, signal));
    for (const call of calls) call.catch(() => {});
    await until(() => waiting === 2);
    if (!approval) await until(() => answers.length === 2);
    return { leaving, calls };
  }

  test.each(['the first', 'the second'])('%s leaves and the other keeps the question', async (who) => {
    const topic = `${kind}: ${who}`;
    const { leaving, calls } = await startTwo(topic);
    const at = who === 'the first' ? 0 : 1;
    leaving[at].abort();
    await expect(calls[at]).rejects.toThrow();
    await until(() => remaining === 1);
    expect(farewells).toEqual([]);
    for (const answer of answers) answer(accept({ sure: true }));
    expect(textOf((await calls[1 - at]) as CallToolResult)).toBe('accept');
    expect(effects).toEqual([`accept ${topic}`]);
    await until(() => countExecutions() === executionsBefore);
  });

  test('the last that leaves takes the question along', async () => {
    const { leaving } = await startTwo(`${kind}: no one`);
    leaving[0].abort();
    await until(() => remaining === 1);
    expect(farewells).toEqual([]);
    leaving[1].abort();
    await until(() => remaining === 2);
    expect(farewells).toEqual(['cancel']);
    await until(() => countExecutions() === executionsBefore);
    expect(effects).toEqual([]);
  });

  test('one is given up by its tool, and the other acts on the answer', async () => {
    const topic = `${kind}: given up`;
    const { calls } = await startTwo(topic);
    withdraw?.();
    const args = (await Promise.race(calls)) as CallToolResult;
    expect(args).toMatchObject({ isError: true });
    expect([remaining, farewells]).toEqual([1, []]);
    for (const answer of answers) answer(accept({ sure: true }));
    expect((await Promise.all(calls)).map(textOf).toSorted()).toEqual(['Given up.', 'accept']);
    expect(effects).toEqual([`accept ${topic}`]);
    await until(() => countExecutions() === executionsBefore);
  });

  test('approvers hear that the caller has gone when both have', async () => {
    const { leaving } = await startTwo(`${kind}: approvers`, true);
    leaving[0].abort();
    await until(() => remaining === 1);
    expect(farewells).toEqual([]);
    leaving[1].abort();
    await until(() => remaining === 2);
    expect(farewells).toEqual(['caller']);
  });
});
