import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type Asked, codeIn, createAgents, type Connects, type House, serveBoth, withUrl } from '../agents.ts';
import type { AssentryTools } from '#sdk/mcp/assentry';
import type { Create } from '#sdk/mcp/connect/outcome';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { pendingOf, textOf } from '../../sdk/mcp/peers.ts';
import { startFakePayments, type FakeEvent } from '../../support/connect/fake-payments.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, newVisitor } from '../../support/nodes/visitor.ts';
import { drawn } from '../../support/runs.ts';

const provider = await startFakePayments({ now: Date.now });
const server = await startTestServer({ outcomeProviders: [provider.settings({ servers: ['payments'] })] });
const apiKey = await server.newServerKey();
const events = `${server.url}/providers/fake-payments/events`;

/** Everyone who calls is this person, until the next test. */
let subject = '';
/** What ran after `payment` had resolved. */
let effects: string[] = [];
/** Of the handler, and of what the author makes a session with. */
let [starts, creates] = [0, 0];

const create: Create = ({ reference }) => {
  creates += 1;
  return provider.makes({ reference, amount: 10_000, currency: 'eur' });
};
const inputSchema = { order: z.string(), throwUrlRequired: z.boolean() };
const register = (tools: AssentryTools): void => {
  const registerAs = (name: string, ...own: [] | [Create]): void => {
    tools.registerTool(name, { inputSchema }, async ({ order, throwUrlRequired }, { payment }) => {
      starts += 1;
      const request = { amount: '100.00', currency: 'EUR', for: 'Order 1', throwUrlRequired };
      const paid = await payment('fake-payments', request, ...own);
      effects.push(order);
      return { content: [{ type: 'text', text: `${paid.id}: ${paid.amount} ${paid.currency} to ${paid.payee}` }] };
    });
  };
  registerAs('buy');
  registerAs('order', create);
};

/** The same tools on a server of either SDK, which holds calls for so many milliseconds. */
function serve(holdTimeoutMs?: number): Promise<House> {
  const principal = () => ({ subject, issuer: 'https://id.example.com', verified: true });
  const options = { url: server.url, apiKey, principal, ...(holdTimeoutMs !== undefined && { holdTimeoutMs }) };
  return serveBoth(register, options);
}

const [patient, hasty] = [await serve(), await serve(150)];
afterAll(async () => {
  await close();
  for (const house of [patient, hasty]) await house.stop();
  await server.stop();
  await provider.close();
});

/** What happens at the provider: its events, in order. */
type Fate = (session: string) => (() => FakeEvent)[];

const isPaid: Fate = (session) => [() => provider.pays(session)];
const isPaidLater: Fate = (session) => [() => provider.isProcessing(session), () => provider.pays(session)];
const isDeclined: Fate = (session) => [() => provider.isProcessing(session), () => provider.declines(session)];
const isOther: Fate = (session) => [() => provider.pays(session, { amount: 9_999 })];

/** The person goes by the page to the provider, where this happens; each event comes twice. */
async function goThere({ url, message }: Asked, fate: Fate): Promise<void> {
  const address = await leaveBy(newVisitor(), url, codeIn(message));
  const session = provider.sessions().find((other) => other.url === address);
  if (!session) throw new TypeError(`no session is at ${address}`);
  for (const happen of fate(session.id))
    expect(await provider.deliver(happen(), events, { times: 2 })).toEqual([200, 200]);
}

interface Calling {
  tool: 'buy' | 'order';
  order: string;
  throwUrlRequired?: boolean;
}

const argumentsOf = ({ tool, order, throwUrlRequired = false }: Calling) => ({
  name: tool,
  arguments: { order, throwUrlRequired },
});

const { connectSecond, connectFirst, close } = createAgents(argumentsOf);

interface Kind {
  connect: Connects<[Calling]>;
  /** The call waits for the payment, or is repeated after it. */
  way: 'wait' | 'repeat';
}

/** Where a call is repeated, its handler runs again. */
const kinds: Record<string, Kind> = {
  '2026-07-28': { connect: connectSecond('auto'), way: 'wait' }, // runs again in each round
  '2025-11-25 on the second SDK, held': { connect: connectSecond('legacy'), way: 'wait' },
  '2025-11-25 on the second SDK': { connect: connectSecond('legacy'), way: 'repeat' },
  '2025 on the first SDK, held': { connect: connectFirst(withUrl), way: 'wait' },
  '2025 on the first SDK': { connect: connectFirst(withUrl), way: 'repeat' },
  'forms alone': { connect: connectFirst({ elicitation: { form: {} } }), way: 'repeat' },
  'no elicitation': { connect: connectFirst({}), way: 'repeat' },
};
const names = Object.keys(kinds);

interface Before {
  sessions: number;
  tries: number;
}

function begin(): Before & { order: string } {
  subject = randomUUID();
  [effects, starts, creates] = [[], 0, 0];
  return { order: randomUUID(), sessions: provider.sessions().length, tries: provider.tries() };
}

/** The result of a call during which the person goes to pay. */
async function callAs(name: string, calling: Calling, fate: Fate): Promise<CallToolResult> {
  const { connect, way } = kinds[name] as Kind;
  let going: Promise<void> | undefined;
  const goAtOnce = (request: Asked) => void (going ??= goThere(request, fate));
  const agent = await (way === 'wait' ? connect(patient, goAtOnce) : connect(hasty, () => {}));
  const result = await agent.callTool(calling);
  if (way === 'wait') {
    await going;
    return result;
  }
  expect(effects).toEqual([]);
  const { url = '' } = pendingOf(result) as unknown as { url?: string };
  await goThere(agent.requests[0] ?? { url, message: textOf(result) }, fate);
  return agent.callTool(calling);
}

const newSince = ({ sessions, tries }: Before) => ({
  sessions: provider.sessions().length - sessions,
  tries: provider.tries() - tries,
});

interface Ending {
  fate: Fate;
  result: object;
  isRun: boolean;
}

const rejection = (code: string) => ({ isError: true, _meta: { code } });
const text = expect.stringMatching(/: 100\.00 EUR to acct_own$/) as unknown as string;
const endings: Record<string, Ending> = {
  'waits for a debit that takes days': { fate: isPaidLater, result: { content: [{ text }] }, isRun: true },
  'rejects a declined payment': { fate: isDeclined, result: rejection('payment-declined'), isRun: false },
  'rejects another payment': { fate: isOther, result: rejection('payment-mismatch'), isRun: false },
};
const cases = names.flatMap((name) =>
  Object.entries(endings).map(([title, ending]): [string, string, Ending] => [name, title, ending]),
);
const sample = drawn('payments of every client', cases, { values: ([name, title]) => [name, title] });

describe('payment()', () => {
  test.each(names)('%s: resumes the call with what was paid, once', async (name) => {
    const { order, ...before } = begin();
    const result = await callAs(name, { tool: 'buy', order }, isPaid);
    const { id } = provider.sessions().at(-1) ?? {};
    expect(textOf(result)).toBe(`${id}: 100.00 EUR to acct_own`);
    expect(effects).toEqual([order]);
    expect(newSince(before)).toEqual({ sessions: 1, tries: 1 });
    await untilAllSettled();
  });

  test.each(sample)('%s: %s', async (name, _title, { fate, result: expected, isRun }) => {
    const { order, ...before } = begin();
    const result = await callAs(name, { tool: 'buy', order }, fate);
    expect(result).toMatchObject(expected);
    expect(effects).toEqual(isRun ? [order] : []);
    expect(newSince(before)).toEqual({ sessions: 1, tries: 1 });
    await untilAllSettled();
  });

  test.each(names)('%s: has the author make one session, however often the handler runs', async (name) => {
    const { order, ...before } = begin();
    const result = await callAs(name, { tool: 'order', order }, isPaid);
    expect(textOf(result)).toMatch(/: 100\.00 EUR to acct_own$/);
    expect([effects, creates]).toEqual([[order], 1]);
    expect(newSince(before)).toEqual({ sessions: 1, tries: 0 });
    if (!name.endsWith('held')) expect(starts).toBeGreaterThan(1);
    await untilAllSettled();
  });

  test.each(names.filter((name) => name.endsWith('SDK')))('%s: resumes after error -32042, once', async (name) => {
    const { order, ...before } = begin();
    const agent = await (kinds[name] as Kind).connect(hasty, () => {});
    const calling: Calling = { tool: 'order', order, throwUrlRequired: true };
    const failed = await agent.callTool(calling).then(
      (result) => new TypeError(`no error: ${textOf(result)}`),
      (error: unknown) => error as { code: number; data: { elicitations: [Asked] } },
    );
    if (!('data' in failed)) throw failed;
    expect([failed.code, agent.requests]).toEqual([-32042, []]);
    await goThere(failed.data.elicitations[0], isPaid);
    expect(textOf(await agent.callTool(calling))).toMatch(/: 100\.00 EUR to acct_own$/);
    expect([effects, creates]).toEqual([[order], 1]);
    expect(newSince(before)).toEqual({ sessions: 1, tries: 0 });
    await untilAllSettled();
  });
});
