import { afterAll, expect, test } from '@jest/globals';
import type { ElicitationId, ToolCallId } from '#platform/model/id';
import type { ToolCallRow, NextCall } from '#requests/claims/store';
import { callEntryOf, openingOf, openTestStore } from '../../support/databases/rows.ts';

let call: ToolCallId;
let subject: ElicitationId;
const store = await openTestStore();
afterAll(() => store.close());

async function newCall(): Promise<void> {
  const { elicitation } = openingOf({ serverId: store.serverId });
  await store.transactor.open(openingOf({ serverId: store.serverId }));
  await store.transactor.open({ ...openingOf({ ...elicitation }), elicitation });
  [call, subject] = [elicitation.toolCallId, elicitation.id];
}

const free: NextCall = { state: 'open', attempt: null, claimedAt: null, result: null };
const heldBy = (attempt: string): NextCall => ({ state: 'claimed', attempt, claimedAt: 5_000, result: null });

/** From what is stored now. */
async function move(next: NextCall, entry = callEntryOf(call, subject)): Promise<boolean> {
  const [result, questions] = [await store.toolCalls.find(call), await store.reader.callElicitations(call)];
  return store.toolCalls.move(result!, questions, next, entry);
}

const countEntries = async (): Promise<unknown> =>
  (await store.query('SELECT count(*)::int FROM audit_entry WHERE elicitation_id = $1', [subject]))[0];

test('of many that move the call on at once one does, with one audit entry', async () => {
  await newCall();
  const before = await countEntries();
  const [result, questions] = [await store.toolCalls.find(call), await store.reader.callElicitations(call)];
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      store.toolCalls.move(result!, questions, heldBy(`attempt ${at}`), callEntryOf(call, subject, 5_000)),
    ),
  );
  expect(results.filter(Boolean)).toHaveLength(1);
  expect(await countEntries()).toBe((before as number) + 1);
  const attempt = `attempt ${results.indexOf(true)}`;
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'claimed', attempt, claimedAt: 5_000 });
});

test('a call that is another than the one read stays as it is, and leaves no entry', async () => {
  await newCall();
  const [result, questions] = [await store.toolCalls.find(call), await store.reader.callElicitations(call)];
  const from = (read: Partial<ToolCallRow>) =>
    store.toolCalls.move({ ...result!, ...read }, questions, free, callEntryOf(call, subject, 5_000));
  expect(await move(heldBy('mine'))).toBe(true);
  const before = await countEntries();
  expect(await from({})).toBe(false);
  expect(await from({ state: 'claimed', attempt: 'other', claimedAt: 5_000 })).toBe(false);
  expect(await from({ state: 'completed', attempt: 'mine', claimedAt: 5_000 })).toBe(false);
  expect(await from({ state: 'claimed', attempt: 'mine', claimedAt: 4_000 })).toBe(false);
  expect(await countEntries()).toBe(before);
  expect(await from({ state: 'claimed', attempt: 'mine', claimedAt: 5_000 })).toBe(true);
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'open', attempt: null, claimedAt: null });
});

test('a question other than the one read leaves the call as it is', async () => {
  await newCall();
  const [result, questions] = [await store.toolCalls.find(call), await store.reader.callElicitations(call)];
  const after = (read: typeof questions) =>
    store.toolCalls.move(result!, read, heldBy('mine'), callEntryOf(call, subject, 5_000));
  expect(await after(questions.map((row) => ({ ...row, version: row.version + 1 })))).toBe(false);
  expect(await after([])).toBe(false);
  const later = openingOf({ serverId: store.serverId, call, step: 'later' });
  await store.transactor.open(later);
  expect(await after(questions)).toBe(false);
  expect(await after(await store.reader.callElicitations(call))).toBe(true);
});

test('an entry that cannot be written undoes the move', async () => {
  await newCall();
  const twice = callEntryOf(call, subject);
  expect(await move(heldBy('a'), twice)).toBe(true);
  expect(await move(free)).toBe(true);
  await expect(move(heldBy('b'), twice)).rejects.toThrow();
  expect(await store.toolCalls.find(call)).toMatchObject({ state: 'open', attempt: null });
});

test('an unknown call is null', async () => {
  expect(await store.toolCalls.find('call_0000000000000000000000')).toBeNull();
});
