import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { assentry } from '#sdk/mcp/assentry-v2';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { pendingOf, startMcpServer, textOf } from '../mcp/peers.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { leaveBy, newVisitor } from '../../support/nodes/visitor.ts';
import { call } from './peers.ts';

const paid = z.object({ payment: z.string() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** A service that takes payments: a new checkout session for each new idempotency key, at an address of its own. */
const sessions = new Map<string, { address: string; callbackUrl: string }>();
let sessionCount = 0;
function checkout(idempotencyKey: string, callbackUrl: string): { address: string } {
  const earlier = sessions.get(idempotencyKey);
  if (earlier) return earlier;
  const session = { address: `https://pay.example/cs_${++sessionCount}`, callbackUrl };
  sessions.set(idempotencyKey, session);
  return session;
}

let runs: string[] = [];
const server = await startTestServer();
const options = { url: server.url, apiKey: await server.newServerKey('shop'), holdTimeoutMs: 150 };
const register = (tools: AssentryTools): void => {
  tools.registerTool('buy_once', { inputSchema: { order: z.string() } }, async (_, { elicit, once, sessionId }) => {
    runs.push('run');
    const { address, token } = await once('checkout', async ({ idempotencyKey }) => {
      const { token, callbackUrl } = await tools.generateElicitationToken(sessionId);
      return { address: checkout(idempotencyKey, callbackUrl ?? '').address, token };
    });
    const answer = await elicit('Pay 100 EUR', paid, { url: address, elicitationId: token });
    return say(answer.status === 'accept' ? `paid: ${answer.content.payment}` : answer.status);
  });
  tools.registerTool('buy_required', { inputSchema: { order: z.string() } }, async (_, { elicit, sessionId }) => {
    runs.push('run');
    const { token, callbackUrl } = await tools.generateElicitationToken(sessionId);
    const { address } = checkout(randomUUID(), callbackUrl ?? '');
    const answer = await elicit('Pay 100 EUR', paid, { url: address, elicitationId: token, throwUrlRequired: true });
    return say(answer.status === 'accept' ? `paid: ${answer.content.payment}` : answer.status);
  });
  tools.registerTool('buy_anew', { inputSchema: { order: z.string() } }, async (_, { elicit, sessionId }) => {
    runs.push('run');
    const { token, callbackUrl } = await tools.generateElicitationToken(sessionId);
    const { address } = checkout(randomUUID(), callbackUrl ?? '');
    const answer = await elicit('Pay 100 EUR', paid, { url: address, elicitationId: token });
    return say(answer.status === 'accept' ? `paid: ${answer.content.payment}` : answer.status);
  });
};
const first = await startMcpServer(register, options);
const second = await serveBothEras(() => {
  const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
  register(assentry(mcp, options) as unknown as AssentryTools); // what a tool does is the same for both
  return mcp;
}, 0);
const clients: Client[] = [];
/** Of either SDK, in the order in which they connected. */
const latest: Pick<Client, 'fallbackNotificationHandler'>[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await first.stop();
  await second.close();
  await server.stop();
});

const codeIn = (message: string): string => /code (\d{3} \d{3})/.exec(message)?.[1] ?? '';

/** The person goes on to the service and pays there; the service reports to the address that it was given. */
async function pay(url: string, message: string): Promise<void> {
  const address = new URL(await leaveBy(newVisitor(), url, codeIn(message)));
  const session = [...sessions.values()].find((each) => each.address === address.origin + address.pathname);
  const response = await fetch(session?.callbackUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: { payment: 'pi_1' } }),
  });
  expect(response.status).toBe(200);
}

type Calls = (name: string, order: string) => Promise<CallToolResult>;

const withUrl = { elicitation: { form: {}, url: {} } };
const accept = () => ({ action: 'accept' as const });

async function connectLegacy(): Promise<Calls> {
  const versionNegotiation = { mode: 'legacy' as const };
  const client = new Client({ name: 'agent', version: '2.0.0' }, { capabilities: withUrl, versionNegotiation });
  client.setRequestHandler('elicitation/create', accept);
  clients.push(client);
  latest.push(client);
  await client.connect(new StreamableHTTPClientTransport(new URL(second.url)));
  return async (name, order) => (await client.callTool({ name, arguments: { order } })) as CallToolResult;
}

async function connectFirst(capabilities: object): Promise<Calls> {
  const isAble = 'elicitation' in capabilities;
  const client = await first.connect(isAble ? accept : undefined, capabilities);
  latest.push(client as never);
  return async (name, order) => (await client.callTool({ name, arguments: { order } })) as CallToolResult;
}

const connections: Record<string, () => Promise<Calls>> = {
  '2025 on the first SDK': () => connectFirst(withUrl),
  '2025 on the second SDK': connectLegacy,
  'forms only': () => connectFirst({ elicitation: { form: {} } }),
  'nothing at all': () => connectFirst({}),
};

describe.each(['buy_once', 'buy_anew'])('a paid call of %s', (tool) => {
  test.each(Object.keys(connections))('resumes when its hold has ended, for a client of %s', async (kind) => {
    const callTool = (await connections[kind]?.()) as Calls;
    const before = sessionCount;
    runs = [];
    const order = randomUUID();
    const pending = await callTool(tool, order);
    const { url = '' } = pendingOf(pending) as unknown as { url?: string };
    await pay(url, textOf(pending));
    expect(textOf(await callTool(tool, order))).toBe('paid: pi_1');
    expect([sessionCount - before, runs.length > 1]).toEqual([tool === 'buy_once' ? 1 : runs.length, true]);
  });

  test('resumes in the next round, for a client of 2026-07-28', async () => {
    const before = sessionCount;
    const order = randomUUID();
    const able = { capabilities: withUrl };
    const firstAnswer = await call(second.url, tool, { order }, {}, able);
    const request = firstAnswer.result?.inputRequests?.['0']?.params as unknown as { url: string; message: string };
    const inputResponses = { '0': { action: 'accept' } };
    const again = await call(
      second.url,
      tool,
      { order },
      { requestState: firstAnswer.result?.requestState, inputResponses },
      able,
    );
    await pay(request.url, request.message);
    const round = { requestState: again.result?.requestState, inputResponses };
    const { result } = await call(second.url, tool, { order }, round, able);
    expect(result?.content?.[0]?.text).toBe('paid: pi_1');
    expect(sessionCount - before).toBe(tool === 'buy_once' ? 1 : 3);
  });

  test('begins anew with the next equal call', async () => {
    const callTool = await connectFirst({});
    const order = randomUUID();
    const addresses = new Set<string>();
    for (const _ of [1, 2]) {
      const pending = await callTool(tool, order);
      const { url = '' } = pendingOf(pending) as unknown as { url?: string };
      addresses.add(url);
      await pay(url, textOf(pending));
      expect(textOf(await callTool(tool, order))).toBe('paid: pi_1');
      await untilAllSettled(); // until then the same call again gets the same result
    }
    expect(addresses.size).toBe(2);
  });
});

describe.each(['2025 on the first SDK', '2025 on the second SDK'])('error -32042, for a client of %s', (kind) => {
  interface Required {
    code: number;
    data: { elicitations: [{ url: string; message: string; elicitationId: string }] };
  }
  interface Noting {
    callTool: Calls;
    /** The elicitations that the client was told to be complete. */
    completed: string[];
  }

  async function connectNoting(): Promise<Noting> {
    const completed: string[] = [];
    const callTool = (await connections[kind]?.()) as Calls;
    const client = latest.at(-1);
    if (client)
      client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method === 'notifications/elicitation/complete') completed.push(String(params?.['elicitationId']));
      };
    return { callTool, completed };
  }

  const requiredBy = async ({ callTool }: Noting, order: string): Promise<Required> => {
    const thrown: unknown = await callTool('buy_required', order).then(
      (result) => new TypeError(`no error: ${textOf(result)}`),
      (error: unknown) => error,
    );
    return thrown as Required;
  };

  test('leads to the first address when the call comes back with another one, and the call resumes', async () => {
    const agent = await connectNoting();
    const before = sessionCount;
    const order = randomUUID();
    const [first, again] = [await requiredBy(agent, order), await requiredBy(agent, order)];
    expect([first.code, again.code, sessionCount - before]).toEqual([-32042, -32042, 2]);
    const [named, repeated] = [first.data.elicitations[0], again.data.elicitations[0]];
    expect(codeIn(repeated.message)).toBe(codeIn(named.message));
    for (const { url, message } of [named, repeated])
      expect(new URL(await leaveBy(newVisitor(), url, codeIn(message))).pathname).toBe(`/cs_${before + 1}`);
    await pay(repeated.url, repeated.message);
    await until(() => agent.completed.length > 1);
    expect(new Set(agent.completed)).toEqual(new Set([named.elicitationId, repeated.elicitationId]));
    expect(textOf(await agent.callTool('buy_required', order))).toBe('paid: pi_1');
  });

  test('of another call leads to an address of its own', async () => {
    const agent = await connectNoting();
    const before = sessionCount;
    for (const nth of [1, 2]) {
      const [{ url, message }] = (await requiredBy(agent, randomUUID())).data.elicitations;
      expect(new URL(await leaveBy(newVisitor(), url, codeIn(message))).pathname).toBe(`/cs_${before + nth}`);
    }
  });
});
