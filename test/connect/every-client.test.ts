import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Asked, codeIn, createAgents, type House, serveBoth, withUrl } from './agents.ts';
import type { FoundConnection } from '#connect/connections/contract';
import type { AssentryTools } from '#sdk/mcp/assentry';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { callTool, pendingOf, textOf } from '../sdk/mcp/peers.ts';
import { call } from '../sdk/mcp-v2/peers.ts';
import { startFakeProvider } from '../support/connect/fake-provider.ts';
import { json } from '../support/json.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { leaveBy, newVisitor } from '../support/nodes/visitor.ts';
import { until } from '../support/poll.ts';

const provider = await startFakeProvider();
const server = await startTestServer({ connectProviders: [provider.settings({ servers: ['payments'] })] });
const apiKey = await server.newServerKey();
const asking = askingAt(server.url, apiKey);

/** Everyone who calls is this person, until the next test. */
let subject = '';
/** What ran after `connect` had resolved. */
let effects: string[] = [];

const inputSchema = { order: z.string(), throwUrlRequired: z.boolean() };
const register = (tools: AssentryTools): void => {
  tools.registerTool('whoami', { inputSchema }, async ({ order, throwUrlRequired }, { connect }) => {
    const account = await connect('fake', { scopes: ['repo'], throwUrlRequired });
    const answer = await account.fetch(`${provider.url}/user`);
    effects.push(order);
    const { login } = (await answer.json()) as { login: string };
    return { content: [{ type: 'text', text: `${login}, ${account.account.label}` }] };
  });
  tools.registerTool('later', {}, async ({ connect }) => {
    const account = await connect('fake');
    effects.push(account.id);
    await gate;
    const answer = await account.fetch(`${provider.url}/user`);
    return { content: [{ type: 'text', text: `${answer.status}${effects[0] === account.id ? '' : ' again'}` }] };
  });
};
const connected = 'octo-ada, octo-ada';

/** Resolves when the handler of `later` may go on. */
let gate: Promise<void> | undefined;

/** The same tool on a server of either SDK, which holds calls for so many milliseconds. */
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

/** The person goes by the page to the provider, agrees there and comes back. */
async function goThere({ url, message }: Asked): Promise<void> {
  const visitor = newVisitor();
  const address = await leaveBy(visitor, url, codeIn(message));
  const returned = await visitor.get((await provider.visit(address)).href);
  expect(returned.status).toBe(303);
}

const { connectSecond, connectFirst, close } = createAgents((order: string, throwUrlRequired = false) => ({
  name: 'whoami',
  arguments: { order, throwUrlRequired },
}));
type Way = ReturnType<typeof connectFirst>;

const able: Record<string, Way> = {
  '2026-07-28': connectSecond('auto'),
  '2025-11-25 on the second SDK': connectSecond('legacy'),
  '2025 on the first SDK': connectFirst(withUrl),
};
const unable: Record<string, Way> = {
  'forms alone': connectFirst({ elicitation: { form: {} } }),
  'no elicitation': connectFirst({}),
};

/** What the provider and Assentry have of the person of this test, who has called with this order. */
async function expectOne(order: string, before: Sessions): Promise<void> {
  expect(effects).toEqual([order]);
  expect(sessions()).toEqual(oneMoreThan(before));
  const requester = { subject, issuer: 'https://id.example.com', verified: true };
  const body = { provider: 'fake', scopes: ['repo'], requester };
  expect(await json<FoundConnection>(asking.call('POST', '/v1/connections', body))).toMatchObject({
    state: 'stored',
    connection: { account: { label: 'octo-ada' } },
  });
  expect((await server.engine.credentials.list()).length).toBe((stored += 1));
}
let stored = 0;

/** Ways to the provider that were begun and finished so far. */
const sessions = () => {
  const { calls } = provider;
  return { begun: calls.get('/authorize') ?? 0, finished: calls.get('/token') ?? 0 };
};
type Sessions = ReturnType<typeof sessions>;
const oneMoreThan = ({ begun, finished }: Sessions): Sessions => ({ begun: begun + 1, finished: finished + 1 });

function begin() {
  subject = randomUUID();
  effects = [];
  return { order: randomUUID(), before: sessions() };
}

describe('connect() for a client that opens addresses', () => {
  test.each(Object.keys(able))('%s: resumes the held call, once', async (kind) => {
    const { order, before } = begin();
    let going: Promise<void> | undefined;
    const agent = await (able[kind] as Way)(patient, (request) => void (going ??= goThere(request)));
    expect(textOf(await agent.callTool(order))).toBe(connected);
    await going;
    await expectOne(order, before);
    expect(textOf(await agent.callTool(order))).toBe(connected); // by a retry, or as the next call
    expect(agent.requests).not.toEqual([]);
    expect(sessions()).toEqual(oneMoreThan(before));
    await untilAllSettled();
  });

  test.each(Object.keys(able).filter((kind) => kind !== '2026-07-28'))(
    '%s: resumes after its hold has ended, once',
    async (kind) => {
      const { order, before } = begin();
      const agent = await (able[kind] as Way)(hasty, () => {});
      const pending = await agent.callTool(order);
      expect(pendingOf(pending)).toBeDefined();
      expect(effects).toEqual([]);
      await goThere(agent.requests[0] as Asked);
      expect(textOf(await agent.callTool(order))).toBe(connected);
      await expectOne(order, before);
      await untilAllSettled();
    },
  );

  test('2026-07-28: resumes in a later round, once', async () => {
    const { order, before } = begin();
    const args = { order, throwUrlRequired: false };
    const client = { capabilities: withUrl };
    const name = 'connect:fake';
    const first = await call(hasty.second.url, 'whoami', args, {}, client);
    const request = first.result?.inputRequests?.[name]?.params as unknown as Asked;
    const inputResponses = { [name]: { action: 'accept' } };
    const round = { requestState: first.result?.requestState, inputResponses };
    const second = await call(hasty.second.url, 'whoami', args, round, client);
    expect([second.result?.resultType, effects]).toEqual(['input_required', []]);
    await goThere(request);
    const last = { requestState: second.result?.requestState, inputResponses };
    const { result } = await call(hasty.second.url, 'whoami', args, last, client);
    expect(result?.content?.[0]?.text).toBe(connected);
    await expectOne(order, before);
    await untilAllSettled();
  });
});

describe('connect() for a client that opens no addresses', () => {
  test.each(Object.keys(unable))('of %s: gives a link, and resumes with the next call, once', async (kind) => {
    const { order, before } = begin();
    const agent = await (unable[kind] as Way)(patient, () => {});
    const pending = await agent.callTool(order);
    const { url = '' } = pendingOf(pending) as unknown as { url?: string };
    expect(url).toMatch(/\/go\/v1\./);
    expect(agent.requests).toEqual([]);
    await goThere({ url, message: textOf(pending) });
    expect(textOf(await agent.callTool(order))).toBe(connected);
    await expectOne(order, before);
    await untilAllSettled();
  });
});

describe('connect() with error -32042', () => {
  test.each(['2025-11-25 on the second SDK', '2025 on the first SDK'])(
    '%s: the retried call resumes, once',
    async (kind) => {
      const { order, before } = begin();
      const agent = await (able[kind] as Way)(hasty, () => {});
      const failed = () =>
        agent.callTool(order, true).then(
          (result) => new TypeError(`no error: ${textOf(result)}`),
          (error: unknown) => error as { code: number; data: { elicitations: [Asked] } },
        );
      const [once, twice] = [await failed(), await failed()];
      expect([once, twice]).toMatchObject([{ code: -32042 }, { code: -32042 }]);
      expect(agent.requests).toEqual([]);
      if (!('data' in twice)) throw twice;
      await goThere(twice.data.elicitations[0]);
      expect(textOf(await agent.callTool(order, true))).toBe(connected);
      await expectOne(order, before);
      await untilAllSettled();
    },
  );
});

test('a person who has connected in one client is not asked in another', async () => {
  const { order, before } = begin();
  const first = await (unable['no elicitation'] as Way)(patient, () => {});
  const pending = await first.callTool(order);
  const { url = '' } = pendingOf(pending) as unknown as { url?: string };
  await goThere({ url, message: textOf(pending) });
  stored += 1;
  for (const kind of Object.keys(able)) {
    const agent = await (able[kind] as Way)(patient, () => {});
    expect(textOf(await agent.callTool(randomUUID()))).toBe(connected);
    expect(agent.requests).toEqual([]);
  }
  expect(sessions()).toEqual(oneMoreThan(before));
});

test('a call goes on with what another call has connected again meanwhile, and asks nothing', async () => {
  const { order } = begin();
  let open = (): void => {};
  gate = new Promise((resolve) => (open = resolve));
  const client = await patient.first.connect();
  const call = () => callTool(client, 'later');
  const first = await call();
  const { url = '' } = pendingOf(first) as unknown as { url?: string };
  await goThere({ url, message: textOf(first) });
  const result = call();
  await until(() => effects.length > 0);
  const other = await (unable['no elicitation'] as Way)(patient, () => {});
  const wider = await other.callTool(order);
  const { url: another = '' } = pendingOf(wider) as unknown as { url?: string };
  await goThere({ url: another, message: textOf(wider) });
  expect(textOf(await other.callTool(order))).toBe(connected);
  open();
  expect(textOf(await result)).toBe('200 again');
});

test('while a person goes to the provider, the call waits and nothing runs', async () => {
  const { order } = begin();
  let request: Asked | undefined;
  const agent = await (able['2025 on the first SDK'] as Way)(patient, (next) => void (request = next));
  const state = { isOver: false };
  const result = agent.callTool(order).finally(() => (state.isOver = true));
  const { url, message } = await until(() => request);
  const visitor = newVisitor();
  const back = await provider.visit(await leaveBy(visitor, url, codeIn(message)));
  expect((await newVisitor().get(back.href)).status).toBe(403);
  expect([state.isOver, effects]).toEqual([false, []]);
  await visitor.get(back.href);
  expect(textOf(await result)).toBe(connected);
});
