import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Provider, type OutcomeProvider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { pendingOf, textOf } from '../sdk/mcp/peers.ts';
import { startFakePayments } from '../support/connect/fake-payments.ts';
import { startFakeProvider } from '../support/connect/fake-provider.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { leaveBy, newVisitor, type Visitor } from '../support/nodes/visitor.ts';
import { codeIn, createAgents, serveBoth, withUrl, type Asked, type Connects } from './agents.ts';
import { registerTools } from './three-line-tools.ts';

const servers = ['shop'];
const accounts = await startFakeProvider({ key: 'github', now: Date.now });
const payments = await startFakePayments({ key: 'stripe', now: Date.now });
const signingSecret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;
/** A service that signs by Standard Webhooks, whose envelopes the author makes. */
const sign = {
  ...Provider.parse(presets.get('standard')),
  key: 'sign',
  servers,
  pageHosts: ['sign.example.com'],
  signingSecrets: [signingSecret],
  accounts: ['own'],
  live: true,
  api: null,
} as OutcomeProvider;
const server = await startTestServer({
  connectProviders: [accounts.settings({ servers })],
  outcomeProviders: [payments.settings({ servers }), sign],
});

/** Everyone who calls is this person, until the next test. */
let subject = '';
/** What the tools have done. */
let effects: string[] = [];
let envelopes: { id: string; reference: string }[] = [];
const register = registerTools({
  api: accounts.url,
  makeEnvelope({ reference }) {
    const id = randomUUID();
    envelopes.push({ id, reference });
    return { id, url: `https://sign.example.com/${id}` };
  },
  done(text) {
    effects.push(text);
    return { content: [{ type: 'text', text }] };
  },
});
const principal = () => ({ subject, issuer: 'https://id.example.com', verified: true });
const house = await serveBoth(register, { url: server.url, apiKey: await server.newServerKey('shop'), principal });
afterAll(async () => {
  await close();
  await house.stop();
  await server.stop();
  await Promise.all([accounts.close(), payments.close()]);
});

/** What the person does where they are sent, by tool, and what the tool then says. */
const ways: Record<string, { go: (address: string, visitor: Visitor) => Promise<unknown>; says: string }> = {
  account: { go: async (address, visitor) => visitor.get((await accounts.visit(address)).href), says: 'octo-ada' },
  payment: {
    async go(address) {
      const session = payments.sessions().find(({ url }) => url === address);
      await payments.deliver(payments.pays(session?.id ?? ''), `${server.url}/providers/stripe/events`);
    },
    says: '100.00 EUR',
  },
  signature: {
    async go(address) {
      const envelope = envelopes.find(({ id }) => address.endsWith(id));
      const id = randomUUID();
      const data = { ...envelope, signer: 'ada@example.com' };
      const body = JSON.stringify({ type: 'signature.completed', data });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': new Webhook(signingSecret).sign(id, new Date(), body),
      };
      expect((await fetch(`${server.url}/providers/sign/events`, { method: 'POST', headers, body })).status).toBe(200);
    },
    says: 'ada@example.com',
  },
};

const { connectSecond, connectFirst, close } = createAgents((name: string) => ({ name, arguments: {} }));
const kinds: Record<string, Connects<[string]>> = {
  '2026-07-28': connectSecond('auto'),
  '2025-11-25 on the second SDK': connectSecond('legacy'),
  '2025 on the first SDK': connectFirst(withUrl),
  'forms alone': connectFirst({ elicitation: { form: {} } }),
  'no elicitation': connectFirst({}),
};

const source = readFileSync('test/connect/three-line-tools.ts', 'utf8');
const bodies = [...source.matchAll(/registerTool\('(\w+)', \{\}, async \([^\n]*\) => \{\n(.*?)\n {4}\}\);/gs)].map(
  ([, name = '', body = '']): [string, string[]] => [name, body.split('\n')],
);

test.each(Object.keys(ways))('the tool of the %s is at most three lines', (tool) => {
  expect(bodies.map(([name]) => name)).toEqual(Object.keys(ways));
  expect(new Map(bodies).get(tool)?.length).toBeLessThanOrEqual(3);
});

describe.each(Object.entries(ways))('the tool of the %s', (tool, { go, says }) => {
  test.each(Object.entries(kinds))('runs once, called by a client of %s', async (_kind, connect) => {
    [subject, effects, envelopes] = [randomUUID(), [], []];
    const goThere = async ({ url, message }: Asked): Promise<void> => {
      const visitor = newVisitor();
      await go(await leaveBy(visitor, url, codeIn(message)), visitor);
    };
    let going: Promise<void> | undefined;
    const agent = await connect(house, (request) => void (going ??= goThere(request)));
    let result = await agent.callTool(tool);
    await going;
    if (!going) {
      const { url = '' } = pendingOf(result) as unknown as { url?: string };
      await goThere({ url, message: textOf(result) });
      result = await agent.callTool(tool);
    }
    expect(textOf(result)).toBe(says);
    expect(effects).toEqual([says]);
    expect(envelopes).toHaveLength(tool === 'signature' ? 1 : 0);
    await untilAllSettled();
  });
});
