import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { ElicitationId, ToolCallId } from '../../../src/model/id.ts';
import type { CallEnding } from '../../../src/store/elicitation/tool-calls.ts';
import type { ToolCallRow } from '../../../src/store/elicitation/call-row.ts';
import { callEntryOf, openingOf, openTestStore, type TestStore } from '../../support/rows.ts';

let store: TestStore;
let call: ToolCallId;
let subject: ElicitationId;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

async function newCall(): Promise<void> {
  const { elicitation } = openingOf({ serverId: store.serverId });
  await store.transactor.open(openingOf({ serverId: store.serverId }));
  await store.transactor.open({ ...openingOf({ ...elicitation }), elicitation });
  [call, subject] = [elicitation.toolCallId, elicitation.id];
}

const found = async (): Promise<ToolCallRow> => (await store.toolCalls.find(call))!;

const claim = async (attempt: string) =>
  store.toolCalls.claim(await found(), attempt, callEntryOf(call, subject, 5_000));
const release = async (attempt: string) => store.toolCalls.release(await found(), attempt, callEntryOf(call, subject));
const complete = async (attempt: string, ending: CallEnding) =>
  store.toolCalls.complete(await found(), attempt, ending, callEntryOf(call, subject));
const countEntries = async (): Promise<unknown> =>
  (await store.query('SELECT count(*)::int FROM audit_entry WHERE elicitation_id = $1', [subject]))[0];

const kept = { state: 'completed', result: Buffer.from('sealed') } as const;
const settled = { state: 'settled', result: null } as const;

test('of many claims at once one gets the execution, with one audit entry', async () => {
  await newCall();
  const before = await countEntries();
  const results = await Promise.all(Array.from({ length: 40 }, (_, at) => claim(`attempt ${at}`)));
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await countEntries()).toBe((before as number) + 1);
  const attempt = `attempt ${results.indexOf(true)}`;
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'claimed', attempt, claimedAt: 5_000 });
});

test('only the attempt that holds it gives it back or keeps a result; refused ones leave no entry', async () => {
  await newCall();
  await claim('mine');
  const before = await countEntries();
  expect(await release('other')).toBe(false);
  expect(await complete('other', kept)).toBe(false);
  expect(await countEntries()).toBe(before);
  expect(await release('mine')).toBe(true);
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'open', attempt: null, claimedAt: null });
  expect(await claim('other')).toBe(true);
  expect(await complete('other', kept)).toBe(true);
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'completed', result: kept.result });
});

test('a kept result is not overwritten, and goes when the call is settled', async () => {
  await newCall();
  await claim('mine');
  await complete('mine', kept);
  expect(await complete('mine', { state: 'completed', result: randomBytes(3) })).toBe(false);
  expect(await claim('again')).toBe(false);
  expect(await complete('another', settled)).toBe(true);
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'settled', result: null });
});

test('a settled call stays settled', async () => {
  await newCall();
  await complete('mine', settled);
  const before = await countEntries();
  expect([
    await claim('a'),
    await release('mine'),
    await complete('mine', kept),
    await complete('mine', settled),
  ]).toEqual([false, false, false, false]);
  expect(await countEntries()).toBe(before);
});

test('an entry that cannot be written undoes the claim', async () => {
  await newCall();
  const twice = callEntryOf(call, subject);
  expect(await store.toolCalls.claim(await found(), 'a', twice)).toBe(true);
  expect(await release('a')).toBe(true);
  await expect(store.toolCalls.claim(await found(), 'b', twice)).rejects.toThrow();
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'open', attempt: null });
});

test('an unknown call is null', async () => {
  expect(await store.toolCalls.find('call_0000000000000000000000')).toBeNull();
});
