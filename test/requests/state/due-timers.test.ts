import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { ElicitationId } from '#platform/model/id';
import type { ElicitationRow } from '#requests/state/store/row';
import { openDatabase } from '#platform/database/database';
import { createDueTimers } from '#requests/asking/store/reader';
import type { Opening } from '#requests/asking/store/opening';
import { changeOf, openingOf, openTestStore } from '../../support/databases/rows.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';

type Take = (...where: [now: number, leaseUntil: number, limit: number]) => Promise<ElicitationId[]>;
const store = await openTestStore();
const second = openDatabase(nodeUrl(store.url));
afterAll(async () => {
  await second.close();
  await store.close();
});
/** Take what is due, on two connections. */
const own: Take = async (...where) => (await store.dueTimers.take(...where)).ids;
const other: Take = async (...where) => (await createDueTimers(second).take(...where)).ids;

let clock = 1_000_000;
const farAway = 8_000_000_000_000;

/** Opens some that are due from `at` on; what earlier tests opened is leased away for good. */
async function openDueAt(at: number, count: number): Promise<ElicitationId[]> {
  await store.dueTimers.take(farAway, farAway + 1, 1000);
  const openings = Array.from({ length: count }, () =>
    openingOf({ serverId: store.serverId, openedAt: at - 1000, deadlineAt: at }),
  );
  await Promise.all(openings.map(store.transactor.open));
  return openings.map(({ elicitation }) => elicitation.id).sort();
}

test('what is due is taken, once, and what is not yet due is left', async () => {
  const at = (clock += 1_000_000);
  const ids = await openDueAt(at, 3);
  expect(await own(at - 1, at + 30_000, 100)).toEqual([]);
  expect((await own(at, at + 30_000, 100)).sort()).toEqual(ids);
  expect(await own(at, at + 30_000, 100)).toEqual([]);
});

test('what is not yet due is told with what is taken', async () => {
  const at = (clock += 1_000_000);
  await openDueAt(at, 1);
  const [first, second] = [at + 500, at + 700].map((deadlineAt) =>
    openingOf({ serverId: store.serverId, openedAt: at - 1000, deadlineAt }),
  );
  for (const opening of [second, first]) await store.transactor.open(opening as Opening);
  expect(await store.dueTimers.take(at, at + 30_000, 100)).toMatchObject({ nextAt: at + 500 });
  expect(await store.dueTimers.take(at + 500, at + 30_000, 100)).toMatchObject({ nextAt: at + 700 });
  expect(await store.dueTimers.take(at + 700, at + 30_000, 100)).toMatchObject({ nextAt: at + 30_000 });
});

test('two takers at once share what is due, and nothing is taken twice', async () => {
  const at = (clock += 1_000_000);
  const ids = await openDueAt(at, 60);
  const takers = [own, other, own, other, own, other];
  const nexts = (await Promise.all(takers.map((taker) => taker(at, at + 30_000, 20)))).flat();
  expect(new Set(nexts).size).toBe(nexts.length);
  const rest = (await Promise.all([own, other].map((taker) => taker(at, at + 30_000, 60)))).flat();
  expect([...nexts, ...rest].sort()).toEqual(ids);
});

test('what another is working on is skipped without waiting', async () => {
  const at = (clock += 1_000_000);
  const [pendingCall, ...free] = await openDueAt(at, 3);
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM elicitation WHERE id = $1 FOR UPDATE', [pendingCall]);
  expect((await other(at, at + 30_000, 100)).sort()).toEqual(free);
  await client.query('ROLLBACK');
  await client.end();
  expect(await other(at, at + 30_000, 100)).toEqual([pendingCall]);
});

test('a taker that died leaves it due again when its lease ends, not before', async () => {
  const at = (clock += 1_000_000);
  const ids = await openDueAt(at, 2);
  await own(at, at + 30_000, 100);
  expect(await other(at + 29_999, at + 60_000, 100)).toEqual([]);
  expect((await other(at + 30_000, at + 60_000, 100)).sort()).toEqual(ids);
});

test('a change in between puts the timers of the new state in the place of the lease', async () => {
  const at = (clock += 1_000_000);
  const [id] = await openDueAt(at, 1);
  await own(at, at + 30_000, 100);
  const row = (await store.reader.elicitation(id as ElicitationId)) as ElicitationRow;
  const later = { type: 'extend', deadlineAt: at + 5_000, at } as const;
  expect(await store.transactor.change(changeOf(row, later))).toBe(true);
  expect(await other(at + 4_999, at + 90_000, 100)).toEqual([]);
  expect(await other(at + 5_000, at + 90_000, 100)).toEqual([id]);
});

test('a closed elicitation is never due', async () => {
  const at = (clock += 1_000_000);
  const [id] = await openDueAt(at, 1);
  const row = (await store.reader.elicitation(id as ElicitationId)) as ElicitationRow;
  await store.transactor.change(changeOf(row, { type: 'cancel', cause: 'admin', at: at - 10 }));
  expect(await own(at + 1_000_000, at + 2_000_000, 100)).not.toContain(id);
});
