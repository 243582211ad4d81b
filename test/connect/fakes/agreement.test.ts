import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { lookAtProviders } from '#connect/outcomes/verbs/settle';
import type { AssentryClient, ElicitationState } from '#sdk/client/client';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { fakeProvider, type FakeProvider } from '#sdk/testing/assentry-testing';
import { callTool, pendingOf, startMcpServer, textOf } from '../../sdk/mcp/peers.ts';
import { startFakePayments, type FakeSession, type Lies } from '../../support/connect/fake-payments.ts';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { codeIn } from '../agents.ts';

/** What is added to the time of the node and of its providers. */
let ahead = 0;
const now = () => Date.now() + ahead;
const day = 86_400_000;
const half = 1_800_000;

const payments = await startFakePayments({ key: 'stripe', now });
const accounts = await startFakeProvider({ key: 'github', now });
const server = await startTestServer({
  outcomeProviders: [payments.settings({ servers: ['payments'] })],
  connectProviders: [accounts.settings({ servers: ['payments'] })],
  now,
});
const apiKey = await server.newServerKey();
const asking = askingAt(server.url, apiKey);
const stateOf = (id: string) => json<ElicitationState>(asking.call('GET', `/v1/elicitations/${id}`));
const events = `${server.url}/providers/stripe/events`;
beforeEach(() => {
  ahead = 0;
  payments.forgets(false);
  payments.isDown(false);
  accounts.declines(false);
});

/** Every call of a test is this person's. */
let subject = '';
/** Orders that the tools have delivered. */
let delivered: string[] = [];

const inputSchema = { order: z.string() };
const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const register = (tools: AssentryTools): void => {
  tools.registerTool('buy', { inputSchema }, async ({ order }, { payment }) => {
    const paid = await payment('stripe', { amount: '100.00', currency: 'EUR', for: 'Order 1' });
    delivered.push(order);
    return say(`${paid.amount} ${paid.currency}`);
  });
  tools.registerTool('whoami', { inputSchema }, async ({ order }, { connect }) => {
    const { account, scopes, fetch } = await connect('github', { scopes: ['repo'] });
    const answer = await fetch(order);
    delivered.push(order);
    const { login } = (await answer.json()) as { login: string };
    return say(`${answer.status} ${login}, ${account.label} with ${scopes.join()}`);
  });
};

/** The tools at an Assentry, or at what stands in for one. */
const serve = (at: { client: AssentryClient } | { url: string; apiKey: string; holdTimeoutMs: number }) =>
  startMcpServer(register, { ...at, principal: () => ({ subject, issuer: 'https://id.example.com', verified: true }) });
const real = await serve({ url: server.url, apiKey, holdTimeoutMs: 150 });
afterAll(async () => {
  await real.stop();
  await server.stop();
  await Promise.all([payments.close(), accounts.close()]);
});

/** The result of a call with a fake, and what ran. */
async function callFake(tool: string, order: string, { client }: FakeProvider) {
  const peer = await serve({ client });
  try {
    const result = await callTool(await peer.connect(), tool, { order });
    return { result, delivered };
  } finally {
    await peer.stop();
  }
}

/** The same with Assentry; the person goes where they are sent, and then the call is made again. */
async function callReal(
  tool: string,
  order: string,
  go: (address: string, way: { elicitId: string; visitor: Visitor }) => Promise<unknown>,
) {
  const client = await real.connect();
  const pending = await callTool(client, tool, { order });
  const { url = '', elicitId } = pendingOf(pending) as unknown as { url?: string; elicitId: string };
  const visitor = newVisitor();
  await go(await leaveBy(visitor, url, codeIn(textOf(pending))), { elicitId, visitor });
  const result = await callTool(client, tool, { order });
  await untilAllSettled();
  return { result, delivered };
}

interface Ending {
  fake: (provider: FakeProvider) => FakeProvider;
  real: (session: FakeSession, id: string) => Promise<unknown>;
  /** Text of the tool, or the code of its error. */
  says: string;
}

const pays = async ({ id }: FakeSession, lies: Lies = {}, times = 1): Promise<unknown> =>
  payments.deliver(payments.pays(id, lies), events, { times });

/** What a fake and a real provider do, and what the tool gets of both. */
const endings: Record<string, Ending> = {
  pays: { fake: (stripe) => stripe.pays(), real: (session) => pays(session), says: '100.00 EUR' },
  declines: {
    fake: (stripe) => stripe.declines(),
    async real({ id }) {
      await payments.deliver(payments.isProcessing(id), events);
      await payments.deliver(payments.declines(id), events);
    },
    says: 'payment-declined',
  },
  'is late': {
    fake: (stripe) => stripe.isLate(),
    async real(session, id) {
      ahead = half + 1_000;
      expect(await stateOf(id)).toMatchObject({ status: 'open' });
      await pays(session);
      expect(await stateOf(id)).toMatchObject({ status: 'accepted' });
    },
    says: '100.00 EUR',
  },
  'sends twice': {
    fake: (stripe) => stripe.sendsTwice(),
    real: (session) => pays(session, {}, 2),
    says: '100.00 EUR',
  },
  'lies about the amount': {
    fake: (stripe) => stripe.lies({ amount: '99.99' }),
    real: (session) => pays(session, { amount: 9_999 }),
    says: 'payment-mismatch',
  },
  'lies about the currency': {
    fake: (stripe) => stripe.lies({ currency: 'USD' }),
    real: (session) => pays(session, { currency: 'usd' }),
    says: 'payment-mismatch',
  },
  'lies about the payee': {
    fake: (stripe) => stripe.lies({ payee: 'acct_connected' }),
    real: (session) => pays(session, { account: 'acct_connected' }),
    says: 'payment-mismatch',
  },
  'lies about the mode': {
    fake: (stripe) => stripe.lies({ isLive: false }),
    real: (session) => pays(session, { livemode: false }),
    says: 'payment-mismatch',
  },
  'says the same amount in other digits': {
    fake: (stripe) => stripe.lies({ amount: '100.0' }),
    real: (session) => pays(session),
    says: '100.00 EUR',
  },
  forgets: {
    fake: (stripe) => stripe.forgets(),
    async real(_session, id) {
      payments.isDown();
      ahead = half + 1_000;
      expect(await stateOf(id)).toMatchObject({ status: 'open' });
      await lookAtProviders(server.engine);
      ahead = 15 * day;
      expect(await stateOf(id)).toMatchObject({ cause: 'unsettled' });
    },
    says: 'provider-outcome-unknown',
  },
};

/** All that the model reads: the number of an error is another each time. */
const saidOf = ({ content, isError }: CallToolResult) => ({ content, isError });
const saidBy = (result: CallToolResult): unknown => (result.isError ? result._meta?.['code'] : textOf(result));

describe('a payment that a fake and a real provider', () => {
  test.each(Object.entries(endings))('%s: the tool gets the same', async (_name, { fake, real, says }) => {
    const isDelivered = says === '100.00 EUR' ? ['1'] : [];
    [subject, delivered] = [randomUUID(), []];
    const faked = await callFake('buy', '1', fake(fakeProvider('stripe')));
    expect([saidBy(faked.result), faked.delivered]).toEqual([says, isDelivered]);
    [subject, delivered] = [randomUUID(), []];
    const resumed = await callReal('buy', '1', async (address, { elicitId }) => {
      const session = payments.sessions().find(({ url }) => url === address);
      if (!session) throw new TypeError(`no session is at ${address}`);
      await real(session, elicitId);
    });
    expect([saidBy(resumed.result), resumed.delivered]).toEqual([says, isDelivered]);
    expect(saidOf(faked.result)).toEqual(saidOf(resumed.result));
  });
});

const ada = { account: { id: '583231', label: 'octo-ada' }, fetch: () => Response.json({ login: 'octo-ada' }) };

interface Meeting {
  fake: (provider: FakeProvider) => FakeProvider;
  real: () => void;
  /** Where the tool sends its request. */
  path: string;
  says: string;
}

/** The same of accounts; both answer at their own API host. */
const meetings: Record<string, Meeting> = {
  connects: {
    fake: (github) => github.connects(ada),
    real: () => {},
    path: '/user',
    says: '200 octo-ada, octo-ada with repo',
  },
  declines: {
    fake: (github) => github.declines(),
    real: () => accounts.declines(),
    path: '/user',
    says: 'connection-declined',
  },
  'connects for a request to a host that is not its own': {
    fake: (github) => github.connects(ada),
    real: () => {},
    path: 'https://example.com/user',
    says: 'INVALID_INPUT',
  },
};

test.each(Object.entries(meetings))(
  'an account that a fake and a real provider %s: the tool gets the same',
  async (_name, { fake, real, path, says }) => {
    const at = (host: string): string => new URL(path, host).href;
    const isDelivered = (order: string) => (says.startsWith('200') ? [order] : []);
    [subject, delivered] = [randomUUID(), []];
    const own = at('https://api.github.com');
    const faked = await callFake('whoami', own, fake(fakeProvider('github')));
    expect([saidBy(faked.result), faked.delivered]).toEqual([says, isDelivered(own)]);
    [subject, delivered] = [randomUUID(), []];
    real();
    const order = at(accounts.url);
    const resumed = await callReal('whoami', order, async (address, { visitor }) => {
      await visitor.get((await accounts.visit(address)).href);
    });
    expect([saidBy(resumed.result), resumed.delivered]).toEqual([says, isDelivered(order)]);
    const withoutHosts = (result: CallToolResult) => JSON.stringify(saidOf(result)).replaceAll(/\([\w.:, ]+\)/g, '');
    expect(withoutHosts(faked.result)).toBe(withoutHosts(resumed.result));
  },
);
