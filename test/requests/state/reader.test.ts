import { afterAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import type { ElicitationId } from '#platform/model/id';
import type { ElicitationRow } from '#requests/state/store/row';
import { callEntryOf, changeOf, openingOf, openTestStore } from '../../support/databases/rows.ts';

const store = await openTestStore();
afterAll(() => store.close());

const rowOf = async (id: ElicitationId): Promise<ElicitationRow> => (await store.reader.elicitation(id))!;

const padded = (name: string): Buffer => Buffer.from(name.padEnd(32));

test('each of many who read at once gets its own row, and null where there is none', async () => {
  const openings = Array.from({ length: 70 }, () => openingOf({ serverId: store.serverId }));
  await Promise.all(openings.map(store.transactor.open));
  const ids = openings.flatMap(({ elicitation }) => [elicitation.id, newId('elicitation'), elicitation.id]);
  const rows = await Promise.all(ids.map(store.reader.elicitation));
  expect(rows.map((row) => row?.id ?? null)).toEqual(ids.map((id, at) => (at % 3 === 1 ? null : id)));
});

test('a call is found by any of its names, with its questions in order, until it is settled', async () => {
  const first = openingOf({ serverId: store.serverId, name: 'call-a', openedAt: 1000 });
  await store.transactor.open(first);
  const { id: _id, toolCallId } = first.elicitation;
  const second = openingOf({ serverId: store.serverId, call: toolCallId, step: '1', openedAt: 2000 });
  await store.transactor.open(second);
  const names = [padded('unknown'), padded('call-a')];
  const call = await store.reader.callByName(store.serverId, names);
  expect(call).toMatchObject({ id: toolCallId, elicitations: [{ step: '0' }, { step: '1' }] });
  const entry = callEntryOf(toolCallId, first.elicitation.id);
  const result = await store.toolCalls.find(toolCallId);
  const settled = { state: 'settled', attempt: 'a', claimedAt: null, result: null } as const;
  expect(await store.toolCalls.move(result!, call!.elicitations, settled, entry)).toBe(true);
  expect(await store.reader.callByName(store.serverId, names)).toBeNull();
});

test('the same name at another server is another call', async () => {
  await store.transactor.open(openingOf({ serverId: store.serverId, name: 'call-b' }));
  const other = await store.newServer('other');
  expect(await store.reader.callByName(other, [padded('call-b')])).toBeNull();
  expect(await store.transactor.open(openingOf({ serverId: other, name: 'call-b' }))).toBe(true);
});

test("what is open in a session is the requester's, of this server, and not closed", async () => {
  const sessionHash = randomBytes(32);
  const other = await store.newServer('third');
  const terms = { serverId: store.serverId, sessionHash, audience: 'requester' as const };
  const open = openingOf(terms);
  const closed = openingOf(terms);
  const all = [
    open,
    closed,
    openingOf({ ...terms, audience: 'approvers' }),
    openingOf({ ...terms, serverId: other }),
    openingOf({ ...terms, sessionHash: randomBytes(32) }),
    openingOf({ ...terms, sessionHash: null }),
  ];
  await Promise.all(all.map(store.transactor.open));
  await store.transactor.change(changeOf(closed.elicitation, { type: 'answer', action: 'accept', at: Date.now() }));
  const rows = await store.reader.openInSession(store.serverId, [randomBytes(32), sessionHash]);
  expect(rows.map(({ id }) => id)).toEqual([open.elicitation.id]);
});

test('the history is oldest first, and of this elicitation only', async () => {
  const opening = openingOf({ serverId: store.serverId, openedAt: 1_000_000 });
  const { elicitation, entry } = opening;
  await store.transactor.open(opening);
  const gone = changeOf(await rowOf(elicitation.id), { type: 'caller', state: 'gone', at: 1_000_500 });
  await store.transactor.change(gone);
  const back = changeOf(await rowOf(elicitation.id), { type: 'caller', state: 'waiting', at: 1_001_000 });
  await store.transactor.change(back);
  const bodies = await store.reader.history(elicitation.id);
  expect(bodies.map((body) => readEntry(body).id)).toEqual([entry, gone.entry, back.entry].map(({ id }) => id));
});
