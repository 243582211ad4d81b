import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { findRequest, pendingOf, textOf } from '../mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { accept, call, kill, post, startProcess, type McpProcess, type RawClient } from './peers.ts';

// A tool of three questions. Between any two of its steps the client leaves, and the call goes on in a process that has
// not seen it before.

const answers = { From: 'Lisbon', To: 'Berlin', When: 'Monday' } as const;
const steps = ['From', 'To', 'When'] as const;
type Step = (typeof steps)[number];
const booked = 'From Lisbon, To Berlin, When Monday';

let processes: McpProcess[] = [];

const server = await startTestServer();
const approver = await server.newUser();
const directory = await mkdtemp(path.join(os.tmpdir(), 'assentry-channels-'));
afterAll(async () => {
  await Promise.all(processes.map(kill));
  await rm(directory, { recursive: true, force: true });
  await server.stop();
});
const ledger = path.join(directory, 'ledger');
const env = { ASSENTRY_URL: server.url, ASSENTRY_API_KEY: await server.newServerKey('travel') };
const parameters = ['--ledger', ledger, '--subject', 'ada', '--relay'];
const start = () => startProcess('test/sdk/mcp-v2/three-questions-server.ts', parameters, env);
processes = await Promise.all(Array.from({ length: 4 }, start));

/** One way for a question to travel. */
interface Journey {
  /** Goes on with the call at this address, with the answers given so far; its next question, or its result. */
  goOn(url: string, trip: string): Promise<string>;
  /** The person answers what was asked last. */
  answer(step: Step, trip: string): Promise<void>;
}

const both = { elicitation: { form: {}, url: {} } };
const text = (step: Step) => ({ text: answers[step] });

type Mode = 'legacy' | 'auto';

/** A client, of 2025-11-25 unless said otherwise, that is closed as soon as it has what it wants. */
async function atClient<T>(
  url: string,
  capabilities: object,
  use: (client: Client) => Promise<T>,
  mode: Mode = 'legacy',
): Promise<T> {
  const options = { capabilities, versionNegotiation: { mode } };
  const client = new Client({ name: 'agent', version: '2.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const callAt = (url: string, capabilities: object, name: string, args: Record<string, unknown>, mode?: Mode) =>
  atClient(
    url,
    capabilities,
    async (client) => (await client.callTool({ name, arguments: args }, { timeout: 25_000 })) as CallToolResult,
    mode,
  );

async function answerPage({ url, told: message }: { url: string; told: string }, step: Step): Promise<void> {
  const visitor = newVisitor();
  await letIn(visitor, url, /code (\d{3} \d{3})/.exec(message)?.[1] ?? '');
  expect((await visitor.send(url, { action: 'accept', 'field.text': answers[step] })).status).toBe(200);
}

/** The question is pushed while the call is open: a call that is broken off asks from its start. */
function push(): Journey {
  const args: Step[] = [];
  return {
    goOn: (url, trip) =>
      atClient(url, both, async (client) => {
        const isAsked = new Promise<string>((resolve) => {
          client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
            const existing = args.find((step) => message === `${step}, for ${trip}?`);
            if (existing) return accept(text(existing));
            resolve(message);
            return new Promise<never>(() => {});
          });
        });
        const input = { name: 'book_by_requester', arguments: { trip } };
        const result = client.callTool(input).then((ended) => textOf(ended as CallToolResult));
        result.catch(() => {}); // broken off
        return Promise.race([isAsked, result]);
      }),
    answer: async (step) => void args.push(step),
  };
}

function round(): Journey {
  let round: { requestState?: string | undefined; inputResponses?: unknown } = {};
  let key = '';
  return {
    async goOn(url, trip) {
      const { result } = await call(url, 'book_by_requester', { trip }, round);
      const [[elicitation, request] = []] = Object.entries(result?.inputRequests ?? {});
      key = elicitation ?? '';
      round = { requestState: result?.requestState };
      return request?.params.message ?? result?.content?.[0]?.text ?? '';
    },
    answer: async (step) => void (round.inputResponses = { [key]: accept(text(step)) }),
  };
}

function url(): Journey {
  const client: RawClient = { capabilities: both };
  let round: { requestState?: string | undefined; inputResponses?: unknown } = {};
  let shown = { url: '', told: '' };
  return {
    async goOn(address, trip) {
      const { result } = await call(address, 'book_by_page', { trip }, round, client);
      const [[key, request] = []] = Object.entries(result?.inputRequests ?? {});
      const { message = '', url: page = '' } = (request?.params ?? {}) as { message?: string; url?: string };
      shown = { url: page, told: message };
      round = { requestState: result?.requestState, inputResponses: { [key ?? '']: { action: 'accept' } } };
      return message.split('\n')[0] || (result?.content?.[0]?.text ?? '');
    },
    answer: (step) => answerPage(shown, step),
  };
}

function task(): Journey {
  const client: RawClient = { capabilities: { ...both, extensions: { 'io.modelcontextprotocol/tasks': {} } } };
  let taskId = '';
  let at = '';
  let key = '';
  return {
    async goOn(address, trip) {
      at = address;
      if (!taskId) taskId = String((await call(address, 'book_in_task', { trip }, {}, client)).result?.['taskId']);
      const { result } = await until(async () => {
        const answer = await post(address, 'tasks/get', { taskId }, client);
        return answer.result?.['status'] !== 'working' && answer;
      });
      const [[elicitation, request] = []] = Object.entries(result?.inputRequests ?? {});
      key = elicitation ?? '';
      const ended = result?.['result'] as CallToolResult | undefined;
      return request?.params.message ?? (ended ? textOf(ended) : JSON.stringify(result));
    },
    async answer(step) {
      await post(at, 'tasks/update', { taskId, inputResponses: { [key]: accept(text(step)) } }, client);
    },
  };
}

function hold(): Journey {
  const args: Step[] = [];
  return {
    goOn: (url, trip) =>
      atClient(url, {}, async (client) => {
        const leaving = new AbortController();
        const options = { signal: leaving.signal, timeout: 25_000 };
        const result = client.callTool({ name: 'book_by_approvers', arguments: { trip } }, options);
        const next = steps[args.length];
        if (!next) return textOf((await result) as CallToolResult);
        const { id, message } = await findRequest(approver, `${next}, for ${trip}?`);
        leaving.abort();
        await expect(result).rejects.toThrow();
        await until(async () => (await approver.show(id)).caller === 'gone');
        return message ?? '';
      }),
    async answer(step, trip) {
      const { id } = await findRequest(approver, `${step}, for ${trip}?`);
      expect((await approver.vote(id, 'accept', text(step))).ok).toBe(true);
      args.push(step);
    },
  };
}

/** A form for a client that has no forms: the agent passes on the link of its page. */
const link = (): Journey => linkFor('legacy');
const linkSince2026 = (): Journey => linkFor('auto');

function linkFor(mode: Mode): Journey {
  const capabilities = { elicitation: { url: {} } };
  let pending: (NonNullable<ReturnType<typeof pendingOf>> & { url?: string }) | undefined;
  let message = '';
  return {
    async goOn(url, trip) {
      const result = pending
        ? await callAt(url, capabilities, 'awaitElicitationResult', { elicitId: pending.elicitId }, mode)
        : await callAt(url, capabilities, 'book_by_requester', { trip }, mode);
      pending = pendingOf(result);
      message = textOf(result);
      return pending?.message ?? message;
    },
    answer: (step) => answerPage({ url: pending?.url ?? '', told: message }, step),
  };
}

/** The agent asks, and tells every answer twice, as if it had not heard the first time. */
function relay(): Journey {
  let pending: ReturnType<typeof pendingOf>;
  let answer: Record<string, unknown> | undefined;
  return {
    async goOn(url, trip) {
      const tell = () => callAt(url, {}, 'sendElicitationResult', { elicitId: pending?.elicitId, ...answer });
      const result = answer ? await tell() : await callAt(url, {}, 'book_by_requester', { trip });
      const again = pendingOf(result) ? await (answer ? tell() : result) : result;
      expect(textOf(again)).toBe(textOf(result));
      pending = pendingOf(result);
      return pending?.message ?? textOf(result);
    },
    answer: async (step) => void (answer = accept(text(step))),
  };
}

const questionsOf = (trip: string) => steps.map((step) => `${step}, for ${trip}?`);

async function linesOf(trip: string): Promise<string[]> {
  return (await readFile(ledger, 'utf8')).split('\n').filter((line) => line.startsWith(trip));
}

const journeys = { push, round, url, task, hold, link, linkSince2026, relay };

describe.each(Object.entries(journeys))('by %s', (name, begin) => {
  test('three questions get their own answers, each in another process, and the tool acts once', async () => {
    const trip = `${name}-${Math.random()}`;
    const journey = begin();
    const heard: string[] = [];
    for (const [index, step] of steps.entries()) {
      heard.push(await journey.goOn(processes[index]?.url ?? '', trip));
      await journey.answer(step, trip);
    }
    expect(heard).toEqual(questionsOf(trip));
    expect(await journey.goOn(processes[3]?.url ?? '', trip)).toBe(booked);
    expect(await linesOf(trip)).toEqual([`${trip}: ${booked}`]);
  });
});

test('by url, link and relay, answers find their questions though each process is killed that asked', async () => {
  const mortal = await Promise.all(Array.from({ length: 4 }, start));
  const trips = Object.entries({ url, link, linkSince2026, relay }).map(([name, begin]) => ({
    trip: `killed-${name}-${Math.random()}`,
    journey: begin(),
    heard: [] as string[],
  }));
  const goOn = (address = '') =>
    Promise.all(trips.map(async ({ trip, journey, heard }) => heard.push(await journey.goOn(address, trip))));
  try {
    for (const [index, step] of steps.entries()) {
      await goOn(mortal[index]?.url);
      if (mortal[index]) await kill(mortal[index]);
      await Promise.all(trips.map(({ trip, journey }) => journey.answer(step, trip)));
    }
    await goOn(mortal[3]?.url);
  } finally {
    await Promise.all(mortal.map(kill));
  }
  for (const { trip, heard } of trips) {
    expect(heard).toEqual([...questionsOf(trip), booked]);
    expect(await linesOf(trip)).toEqual([`${trip}: ${booked}`]);
  }
});
