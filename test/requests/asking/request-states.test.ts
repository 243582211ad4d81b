import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer, testSecrets } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const binding = {
  principal: { subject: 'alice', verified: true },
  method: 'tools/call',
  tool: 'transfer_funds',
  argumentsDigest: 'a'.repeat(64),
};

const server = await startTestServer();
const other = await startTestServer({ databaseUrl: server.databaseUrl });
afterAll(async () => {
  await other.stop();
  await server.stop();
});
const mine = askingAt(server.url, await server.newServerKey('states'));

const ask = (parts: Record<string, unknown> = {}) =>
  mine.open({ audience: 'requester', session: randomUUID(), supersede: 'none', ...parts });

async function seal(toolCall: string): Promise<string> {
  const response = await mine.call('POST', '/v1/states', { toolCall, binding });
  expect(response.status).toBe(201);
  return (await json<{ state: string }>(response)).state;
}

const redeem = async (state: string, parts: Partial<typeof binding> = {}, asking = mine) => {
  const sent = { state, binding: { ...binding, ...parts } };
  const response = await asking.call('POST', '/v1/states/redeem', sent);
  return { status: response.status, body: await json<Record<string, unknown>>(response) };
};

const refused = { status: 400, body: expect.objectContaining({ code: 'token-invalid' }) };

test('a request state leads back to its tool call and session, at any node', async () => {
  const session = randomUUID();
  const { toolCall } = await ask({ session });
  const state = await seal(toolCall);
  expect(await redeem(state, {}, mine.at(other.url))).toEqual({ status: 200, body: { toolCall, session } });
});

test('a state reveals nothing to its bearer', async () => {
  const session = randomUUID();
  const { toolCall, id } = await ask({ session });
  const state = await seal(toolCall);
  const readable = state + state.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  for (const secret of [session, toolCall, id, 'alice', 'transfer_funds']) expect(readable).not.toContain(secret);
});

describe('MT-01 one and the same refusal', () => {
  test.each([
    ['another principal', { principal: { subject: 'bob', verified: true } }],
    ['the same name, unverified', { principal: { subject: 'alice', verified: false } }],
    ['another tool', { tool: 'transfer_fund' }],
    ['other arguments', { argumentsDigest: 'b'.repeat(64) }],
    ['another method', { method: 'prompts/get' }],
  ])('for %s, which leaves the state usable', async (_name, parts) => {
    const state = await seal((await ask()).toolCall);
    expect(await redeem(state, parts)).toEqual(refused);
    expect((await redeem(state)).status).toBe(200);
  });

  test('for another server', async () => {
    const state = await seal((await ask()).toolCall);
    const foreign = askingAt(server.url, await server.newServerKey(randomUUID()));
    expect(await redeem(state, {}, foreign)).toEqual(refused);
  });

  test('for every other text', async () => {
    const state = await seal((await ask()).toolCall);
    const flip = (at: number) => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);
    const step = Math.ceil(state.length / 40);
    const flipped = Array.from({ length: 40 }, (_, index) => flip(Math.min(index * step, state.length - 1)));
    for (const text of ['', 'state', `${state}A`, state.slice(0, -1), 'x'.repeat(10_000), ...flipped]) {
      expect(await redeem(text)).toEqual(refused);
    }
    expect((await redeem(state)).status).toBe(200);
  });

  test('for a token of another purpose', async () => {
    const session = randomUUID();
    const { id } = await ask({ session, mode: 'url', schema: undefined, url: 'https://example.com/' });
    const response = await mine.call('POST', '/v1/tokens', { session, elicitation: id, purpose: 'callback' });
    expect(await redeem((await json<{ token: string }>(response)).token)).toEqual(refused);
  });

  test('for a state whose time is over', async () => {
    let now = Date.now();
    const late = await startTestServer({ databaseUrl: server.databaseUrl, now: () => now });
    try {
      const state = await seal((await ask({ ttl: 60_000 })).toolCall);
      now = Date.now() + 61_000;
      expect(await redeem(state, {}, mine.at(late.url))).toEqual(refused);
    } finally {
      await late.stop();
    }
  });
});

test('MT-02 of many calls that return one state at two nodes, one succeeds', async () => {
  const state = await seal((await ask()).toolCall);
  const nodes = [mine, mine.at(other.url)];
  const all = await Promise.all(Array.from({ length: 16 }, (_, index) => redeem(state, {}, nodes[index % 2])));
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(400)]);
});

test('MT-03 a state outlasts the rotation of its key', async () => {
  const state = await seal((await ask()).toolCall);
  const next = { kid: 'next', secret: 'another-secret-for-tests-of-enough-characters' };
  const rotated = await startTestServer({ databaseUrl: server.databaseUrl, secrets: [next, ...testSecrets] });
  try {
    expect((await redeem(state, {}, mine.at(rotated.url))).status).toBe(200);
  } finally {
    await rotated.stop();
  }
});

test('there is no request state for another server’s call, a question to approvers, or a call without an open question', async () => {
  const foreign = askingAt(server.url, await server.newServerKey(randomUUID()));
  const { toolCall, id } = await ask();
  expect((await foreign.call('POST', '/v1/states', { toolCall, binding })).status).toBe(404);
  const approvers = await mine.open();
  expect((await mine.call('POST', '/v1/states', { toolCall: approvers.toolCall, binding })).status).toBe(409);
  await mine.call('POST', `/v1/elicitations/${id}/cancel`, {});
  expect((await mine.call('POST', '/v1/states', { toolCall, binding })).status).toBe(409);
});
