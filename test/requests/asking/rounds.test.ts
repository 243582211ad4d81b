import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { askingAt } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const binding = {
  principal: { subject: 'alice', verified: true },
  method: 'tools/call',
  tool: 'transfer_funds',
  argumentsDigest: 'a'.repeat(64),
};
const content = JSON.stringify({ approved: { amount: 4_000_000 } });

const server = await startTestServer();
const other = await startTestServer({ databaseUrl: server.databaseUrl });
afterAll(async () => {
  await other.stop();
  await server.stop();
});
const mine = askingAt(server.url, await server.newServerKey('rounds'));

async function seal(parts: Partial<typeof binding> = {}): Promise<string> {
  const response = await mine.call('POST', '/v1/rounds', { binding: { ...binding, ...parts }, content });
  expect(response.status).toBe(201);
  return (await json<{ state: string }>(response)).state;
}

const redeem = async (state: string, parts: Partial<typeof binding> = {}, asking = mine) => {
  const sent = { state, binding: { ...binding, ...parts } };
  const response = await asking.call('POST', '/v1/rounds/redeem', sent);
  return { status: response.status, body: await json<Record<string, unknown>>(response) };
};

const redeemed = { status: 200, body: { content } };
const refused = { status: 400, body: expect.objectContaining({ code: 'token-invalid' }) };

test('a round gives its content back at any node, once, and reveals nothing to its bearer', async () => {
  const state = await seal();
  const readable = state + Buffer.from(state, 'base64url').toString('latin1');
  for (const secret of ['4000000', 'alice', 'transfer_funds']) expect(readable).not.toContain(secret);
  expect(await redeem(state, {}, mine.at(other.url))).toEqual(redeemed);
  expect(await redeem(state)).toEqual(refused);
});

test('of many calls that return one round at two nodes, one succeeds', async () => {
  const state = await seal();
  const nodes = [mine, mine.at(other.url)];
  const all = await Promise.all(Array.from({ length: 16 }, (_, index) => redeem(state, {}, nodes[index % 2])));
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(15).fill(400)]);
});

describe('one and the same refusal', () => {
  test.each([
    ['another principal', { principal: { subject: 'bob', verified: true } }],
    ['the same name, unverified', { principal: { subject: 'alice', verified: false } }],
    ['another tool', { tool: 'transfer_fund' }],
    ['other arguments', { argumentsDigest: 'b'.repeat(64) }],
    ['another method', { method: 'assentry/credentials' }],
  ])('for %s, which leaves the round usable', async (_name, parts) => {
    const state = await seal();
    expect(await redeem(state, parts)).toEqual(refused);
    expect(await redeem(state)).toEqual(redeemed);
  });

  test('for another server', async () => {
    const foreign = askingAt(server.url, await server.newServerKey(randomUUID()));
    expect(await redeem(await seal(), {}, foreign)).toEqual(refused);
  });

  test('for every other text', async () => {
    const state = await seal();
    const flip = (at: number) => state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);
    const step = Math.ceil(state.length / 40);
    const flipped = Array.from({ length: 40 }, (_, index) => flip(Math.min(index * step, state.length - 1)));
    for (const text of ['', 'state', `${state}A`, `${state}=`, state.slice(0, -1), 'x'.repeat(10_000), ...flipped]) {
      expect(await redeem(text)).toEqual(refused);
    }
    expect(await redeem(state)).toEqual(redeemed);
  });

  test('for the state of a question, and no question takes a round', async () => {
    const { toolCall } = await mine.open({ audience: 'requester', session: randomUUID(), supersede: 'none' });
    const { state } = await json<{ state: string }>(mine.call('POST', '/v1/states', { toolCall, binding }));
    expect(await redeem(state)).toEqual(refused);
    const sent = { state: await seal(), binding };
    expect((await mine.call('POST', '/v1/states/redeem', sent)).status).toBe(400);
  });

  test('for a round whose day is over', async () => {
    let now = Date.now();
    const late = await startTestServer({ databaseUrl: server.databaseUrl, now: () => now });
    try {
      const [first, second] = [await seal(), await seal()];
      now += 86_300_000;
      expect(await redeem(first, {}, mine.at(late.url))).toEqual(redeemed);
      now += 200_000;
      expect(await redeem(second, {}, mine.at(late.url))).toEqual(refused);
    } finally {
      await late.stop();
    }
  });
});

test('a stopped tool goes on with no round until the stop is lifted', async () => {
  const [admin, second] = [await server.newUser('admin'), await server.newUser('admin')];
  const state = await seal({ tool: 'halted' });
  const stop = await json<{ id: string }>(admin.call('POST', '/api/stops', { reason: 'We look.', tool: 'halted' }));
  expect(await redeem(state, { tool: 'halted' })).toMatchObject({ status: 403, body: { code: 'stopped' } });
  expect((await second.call('POST', `/api/stops/${stop.id}/lift`)).ok).toBe(true);
  expect(await redeem(state, { tool: 'halted' })).toEqual(redeemed);
});

test('a key seals and reads rounds of its own tools only', async () => {
  const admin = await server.newUser('admin');
  const created = await json<{ key: string }>(
    admin.call('POST', '/api/keys', { server: 'rounds', tools: ['refund_*'] }),
  );
  const narrow = askingAt(server.url, created.key);
  expect(await redeem(await seal(), {}, narrow)).toEqual(refused);
  const response = await narrow.call('POST', '/v1/rounds', { binding, content });
  expect([response.status, await response.json()]).toMatchObject([403, { refusal: { code: 'other-tools' } }]);
  expect((await narrow.call('POST', '/v1/rounds', { binding: { ...binding, tool: 'refund_a' }, content })).status).toBe(
    201,
  );
});

test('content that is too long is refused with its path', async () => {
  const response = await mine.call('POST', '/v1/rounds', { binding, content: 'x'.repeat(500_001) });
  expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ path: ['content'] }] }]);
});
