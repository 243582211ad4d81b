import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import { createClient } from '#sdk/client/client';
import { onRequest } from '#sdk/mcp/assentry';
import { countExecutions } from '#sdk/mcp/run/executions';
import { newOwner } from '../../support/requests/owner.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { callTool, listRequests, pendingOf, startMcpServer, textOf } from './peers.ts';

const executionsBefore = countExecutions(); // of files that ran before in this worker

const form = z.object({ sure: z.boolean() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let requests: string[];
/** Lets the answer to an opening, which the orchestrator has taken already, reach the MCP server. */
let deliver: () => void;
let delivery: Promise<void>;
/** Openings that the orchestrator has taken. */
let openings: number;
/** Lets go of the question that a hook has held up since it was stored. */
let letGo: (() => void) | undefined;
let heldUp: Promise<unknown>;

const holdUp = onRequest.did('storePendingRecord', () => new Promise<void>((resolve) => (letGo = resolve)), {
  filter: ({ request }) => request.message === 'Held up?',
});
const holdDelivery = (): void => void (delivery = new Promise((resolve) => (deliver = resolve)));
beforeEach(() => {
  requests = [];
  openings = 0;
  holdDelivery();
});

const find = async (message: string) =>
  [...(await listRequests(owner, 'all')), ...(await listRequests(owner, 'done'))].find(
    (item) => item.message === message,
  );

const server = await startTestServer();
const slowly = async (input: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(input, init);
  if (init.method === 'POST' && input.endsWith('/v1/elicitations')) {
    openings += 1;
    await delivery;
  }
  init.signal?.throwIfAborted();
  return response;
};
const client = createClient({ url: server.url, apiKey: await server.newServerKey('slow'), fetch: slowly });
const owner = await newOwner(server);
const mcp = await startMcpServer(
  (tools) => {
    const inputSchema = { message: z.string(), approval: z.boolean() };
    tools.registerTool('ask', { inputSchema }, async ({ message, approval }, { elicit }) =>
      say((await elicit(message, form, { approval })).status),
    );
    tools.registerTool('forgets', { inputSchema }, async ({ message, approval }, { elicit }) => {
      void elicit(message, form, { approval });
      await until(() => find(message));
      deliver();
      return say('did not wait');
    });
    tools.registerTool('forgets_held', {}, async ({ elicit }) => {
      heldUp = elicit('Held up?', form);
      await until(() => letGo);
      return say('did not wait');
    });
  },
  { client, hooks: [holdUp] },
);
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
const connect = () =>
  mcp.connect(({ message }) => {
    requests.push(message);
    return { action: 'accept', content: { sure: true } };
  });

describe('a caller that goes away while its question is being opened', () => {
  const leaveWhileOpening = async (message: string, approval: boolean, client?: Client): Promise<void> => {
    const leaving = new AbortController();
    const before = openings;
    const call = callTool(client ?? (await connect()), 'ask', { message, approval }, { signal: leaving.signal });
    await until(() => openings > before);
    leaving.abort();
    await expect(call).rejects.toThrow();
    // The MCP server hears of the cancellation by another connection: nothing else tells when it has.
    await callTool(await mcp.connect(), 'missing').catch(() => {});
    deliver();
  };

  test('leaves no question to its own person that no one waits for', async () => {
    await leaveWhileOpening('Lost?', false);
    expect(await until(async () => ((await find('Lost?'))?.status === 'open' ? null : find('Lost?')))).toMatchObject({
      status: 'cancelled',
      cause: 'caller_gone',
    });
    expect(requests).toEqual([]);
    await until(() => countExecutions() === executionsBefore);
  });

  test('is shown as gone to its approvers, who may still answer', async () => {
    await leaveWhileOpening('Gone?', true);
    expect(await until(async () => ((await find('Gone?'))?.caller === 'gone' ? find('Gone?') : null))).toMatchObject({
      status: 'open',
    });
  });

  test('keeps the page for anyone who has its link already', async () => {
    const client = await mcp.connect();
    deliver();
    expect(pendingOf(await callTool(client, 'ask', { message: 'On its page?', approval: false }))).toHaveProperty(
      'url',
    );
    holdDelivery();
    await leaveWhileOpening('On its page?', false, client);
    const findAbandoned = async () => ((await find('On its page?'))?.caller === 'gone' ? find('On its page?') : null);
    expect(await until(findAbandoned)).toMatchObject({ status: 'open' });
  });
});

test('a tool that ends while its question is being opened leaves none behind', async () => {
  const result = await callTool(await connect(), 'forgets', { message: 'Forgotten?', approval: false });
  expect(textOf(result)).toBe('did not wait');
  expect(await find('Forgotten?')).toMatchObject({ status: 'cancelled', cause: 'caller_gone' });
  expect(requests).toEqual([]);
  expect(countExecutions()).toBe(executionsBefore);
});

test('a tool that ends while a hook holds its question up leaves none behind, and waits for no hook', async () => {
  deliver();
  expect(textOf(await callTool(await connect(), 'forgets_held'))).toBe('did not wait');
  expect(await find('Held up?')).toMatchObject({ status: 'cancelled', cause: 'caller_gone' });
  expect(countExecutions()).toBe(executionsBefore);
  letGo?.();
  await expect(heldUp).rejects.toMatchObject({ name: 'CallEndedError' });
  expect(requests).toEqual([]);
});
