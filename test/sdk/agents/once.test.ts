import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  aiSdkApprovals,
  createApprovals,
  langGraphApprovals,
  openAiApprovals,
  type Approvals,
  type Once,
} from '#sdk/agents/assentry-agents';
import { createClient } from '#sdk/client/client';
import { applyPolicies } from '#policies/verbs/apply';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());
await applyPolicies(server.engine, ['policy: free\nmatch: { tool: buy }\nallow: { ceiling: medium }']);
const apiKey = await server.newServerKey('shop');
const approvalsOf = (session: string = randomUUID(), client = createClient({ url: server.url, apiKey })): Approvals =>
  createApprovals({ client, session, requester: { subject: 'agent' } });

const schema = z.object({ order: z.string() });
const tool = { name: 'buy', description: 'Buys an order.', schema };
const callOf = (order: string) => ({ id: order, tool, input: { order } });

/** A service that makes one session for each idempotency key. */
function newService() {
  const keys: string[] = [];
  const make = ({ idempotencyKey }: { idempotencyKey: string }) => {
    keys.push(idempotencyKey);
    return { session: `cs_${new Set(keys).size}`, paid: null };
  };
  return { keys, make };
}

type Execute = (input: { order: string }, once: Once) => Promise<unknown>;
const harnesses: [name: string, run: (approvals: Approvals, id: string, execute: Execute) => Promise<unknown>][] = [
  [
    'the OpenAI Agents SDK',
    (approvals, callId, execute) =>
      openAiApprovals(approvals)
        .tool({ ...tool, parameters: schema, execute: (input, _context, _details, { once }) => execute(input, once) })
        .execute({ order: 'o' }, undefined, { toolCall: { callId } }),
  ],
  [
    'LangGraph.js',
    (approvals, id, execute) =>
      langGraphApprovals(approvals, () => undefined).guard(tool, (input, _config, { once }) => execute(input, once))(
        { order: 'o' },
        { toolCall: { id } },
      ),
  ],
  [
    'the AI SDK',
    (approvals, toolCallId, execute) =>
      aiSdkApprovals(approvals)
        .tool('buy', { ...tool, inputSchema: schema, execute: (input, { once }) => execute(input, once) })
        .execute({ order: 'o' }, { toolCallId }),
  ],
  [
    'no library',
    (approvals, id, execute) => approvals.run({ ...callOf('o'), id }, (input, { once }) => execute(input, once)),
  ],
];

describe.each(harnesses)('`once` in a tool of an agent with %s', (_name, run) => {
  test('gives each use of a step what the first one made, and the service sees one idempotency key', async () => {
    const { keys, make } = newService();
    const result = await run(approvalsOf(), randomUUID(), async (_input, once) => [
      await once('checkout', make),
      await once('checkout', make),
    ]);
    const session = { session: 'cs_1', paid: null };
    expect([result, keys.length]).toEqual([[session, session], 1]);
  });
});

describe('`once` in a tool of an agent', () => {
  test('makes a step that failed again under the same idempotency key', async () => {
    const { keys, make } = newService();
    const fail = (step: { idempotencyKey: string }) => {
      make(step);
      throw new Error('the connection broke after the session was made');
    };
    const result = await approvalsOf().run(callOf('failing'), async (_input, { once }) => {
      await once('checkout', fail).catch(() => {});
      return once('checkout', make);
    });
    expect([result, keys.length, new Set(keys).size]).toEqual([{ session: 'cs_1', paid: null }, 2, 1]);
  });

  test('makes a step again under the same idempotency key if it could not be kept', async () => {
    const { keys, make } = newService();
    const client = createClient({ url: server.url, apiKey });
    let lost = 0;
    const keepMemo: typeof client.keepMemo = (...parts) =>
      lost++ === 0 ? Promise.reject(new Error('cut off')) : client.keepMemo(...parts);
    const result = await approvalsOf(randomUUID(), { ...client, keepMemo }).run(
      callOf('cut'),
      async (_input, { once }) => {
        await expect(once('checkout', make)).rejects.toThrow('cut off');
        return [await once('checkout', make), await once('checkout', make)];
      },
    );
    const session = { session: 'cs_1', paid: null };
    expect([result, keys.length, new Set(keys).size]).toEqual([[session, session], 2, 1]);
  });

  test('keeps other steps, other calls and other sessions apart', async () => {
    const { keys, make } = newService();
    const approvals = approvalsOf();
    await approvals.run(callOf('first'), async (_input, { once }) => [await once('a', make), await once('b', make)]);
    await approvals.run(callOf('second'), async (_input, { once }) => once('a', make));
    await approvalsOf().run(callOf('first'), async (_input, { once }) => once('a', make));
    expect([keys.length, new Set(keys).size]).toEqual([4, 4]);
  });

  test('makes nothing in a second process of the same call, which gets the result of the first', async () => {
    const { keys, make } = newService();
    const session = randomUUID();
    const buy = () => approvalsOf(session).run(callOf('same'), async (_input, { once }) => once('checkout', make));
    expect(await Promise.all([buy(), buy()])).toEqual(
      Array.from({ length: 2 }, () => ({ session: 'cs_1', paid: null })),
    );
    expect(keys).toHaveLength(1);
  });

  test.each([
    ['no key', '', () => 1],
    ['a key that is too long', 'k'.repeat(65), () => 1],
    ['no function', 'checkout', undefined],
    ['a function whose result JSON cannot express', 'checkout', () => 1n],
  ])('with %s is refused', async (_what, key, make) => {
    const running = approvalsOf().run(callOf(randomUUID()), (_input, { once }) => once(key, make as () => number));
    await expect(running).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
