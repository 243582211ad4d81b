import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '#platform/database/database';
import { outboxPage } from '#requests/asking/store/opening';
import { createStore } from '#platform/database/store';
import type { CommittedEvent } from '#platform/database/transactor';
import { watchStatements } from '../../bench/statement-watch.ts';
import { testEvidence } from '../../support/audit/evidence.ts';
import { lockWaits } from '../../support/databases/lock-waits.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';
import { until } from '../../support/poll.ts';
import { openingOf, openTestStore, type TestStore } from '../../support/databases/rows.ts';
import { runs } from '../../support/runs.ts';

let store: TestStore;
const clients: pg.Client[] = [];
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await store.close();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  clients.push(client);
  return client;
}

const insert = `
  WITH head AS (UPDATE outbox_head SET place = place + $2::int RETURNING place - $2::int AS before)
  INSERT INTO outbox (place, topic, elicitation_id, server_id, at)
  SELECT before + n, 'changed', $1 || n, 'srv', now() FROM head, generate_series(1, $2::int) AS n`;
const write = (client: pg.Client, name: string, count = 1) => client.query(insert, [name, count]);
const namesFrom = async (place: number): Promise<string[]> =>
  (await store.outbox.readFrom(place)).map(({ elicitationId }) => elicitationId);
const open = () => store.transactor.open(openingOf({ serverId: store.serverId }));

test('what commits after the head was taken is read, in its place', async () => {
  await open();
  const from = await store.outbox.head();
  const opening = openingOf({ serverId: store.serverId });
  await store.transactor.open(opening);
  const { keys, users } = await store.epochs.read();
  const event = { place: from + 1, topic: 'opened', elicitationId: opening.elicitation.id, serverId: store.serverId };
  expect(await store.outbox.readFrom(from)).toEqual([{ ...event, keys, users }]);
  expect(await store.outbox.readFrom(from + 1)).toEqual([]);
});

test('who writes while another one commits comes after it, without a gap', async () => {
  const slow = await connect();
  const from = await store.outbox.head();
  await slow.query('BEGIN');
  await write(slow, 'slow');
  const opening = openingOf({ serverId: store.serverId });
  const opened = store.transactor.open(opening);
  await until(async () => (await store.query(lockWaits))[0] === 1);
  expect(await namesFrom(from)).toEqual([]);
  await slow.query('COMMIT');
  expect(await opened).toBe(true);
  expect(await namesFrom(from)).toEqual(['slow1', opening.elicitation.id]);
  expect(await store.outbox.head()).toBe(from + 2);
});

test('a transaction that rolls back leaves no gap', async () => {
  const [slow, quick] = [await connect(), await connect()];
  const from = await store.outbox.head();
  await slow.query('BEGIN');
  await write(slow, 'slow');
  await slow.query('ROLLBACK');
  await write(quick, 'quick');
  expect(await store.outbox.readFrom(from)).toMatchObject([{ place: from + 1, elicitationId: 'quick1' }]);
});

test('what is not stored takes no place', async () => {
  const opening = openingOf({ serverId: store.serverId });
  await store.transactor.open(opening);
  const from = await store.outbox.head();
  expect(await store.transactor.open(opening)).toBe(false);
  expect(await store.outbox.head()).toBe(from);
});

test('two nodes that write at once never show a reader a change before an earlier one', async () => {
  const committed: CommittedEvent[] = [];
  const other = openDatabase(nodeUrl(store.url));
  const parts = { evidence: testEvidence, onCommit: (events: CommittedEvent[]) => void committed.push(...events) };
  const nodes = [createStore(store.database, parts), createStore(other, parts)];
  const from = await store.outbox.head();
  const places: number[] = [];
  const rounds = Math.max(4, runs(20));
  let isDone = false;
  const reading = (async () => {
    for (let place = from; !isDone || place < (await store.outbox.head()); place = places.at(-1) ?? from) {
      places.push(...(await store.outbox.readFrom(place)).map((event) => event.place));
    }
  })();
  const writing = nodes.map(async (node) => {
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(
        Array.from({ length: 10 }, () => node.transactor.open(openingOf({ serverId: store.serverId }))),
      );
  });
  await Promise.all(writing);
  isDone = true;
  await reading;
  const all = Array.from({ length: 2 * 10 * rounds }, (_, at) => from + 1 + at);
  expect(places).toEqual(all);
  expect(committed.map(({ place }) => place).sort((first, second) => first - second)).toEqual(all);
  await other.close();
});

test('one read brings a page, and the next one goes on', async () => {
  const from = await store.outbox.head();
  await write(await connect(), 'many', outboxPage + 5);
  const page = await store.outbox.readFrom(from);
  expect(page).toHaveLength(outboxPage);
  expect(await namesFrom(page.at(-1)!.place)).toHaveLength(5);
});

test('old rows are forgotten once they are planned, younger ones stay', async () => {
  const client = await connect();
  const from = await store.outbox.head();
  await client.query(`INSERT INTO outbox (place, topic, elicitation_id, server_id, at) VALUES
    (1001, 'changed', 'old', 'srv', to_timestamp(1000)), (1002, 'changed', 'young', 'srv', to_timestamp(2000))`);
  await client.query(`UPDATE outbox_reader SET place = 1000`);
  await store.outbox.prune(2_000_000);
  expect(await namesFrom(from)).toEqual(['old', 'young']);
  await client.query(`UPDATE outbox_reader SET place = 1002`);
  expect(await store.outbox.prune(2_000_000)).toBe(1);
  expect(await namesFrom(from)).toEqual(['young']);
});

test('a young row in front keeps no old one, and a table of young rows is read in part alone', async () => {
  const client = await connect();
  await client.query('DELETE FROM outbox');
  const add = (first: number, last: number, seconds: number) =>
    client.query(`INSERT INTO outbox (place, topic, elicitation_id, server_id, at)
      SELECT n, 'changed', 'row', 'srv', to_timestamp(${seconds}) FROM generate_series(${first}, ${last}) AS n`);
  const counts = async () =>
    (
      await client.query(
        `SELECT count(*) FILTER (WHERE at < to_timestamp(2000))::int AS old, count(*)::int AS all FROM outbox`,
      )
    ).rows;
  await client.query(`UPDATE outbox_reader SET place = 1000000`);
  // A node that was ahead wrote these, then others in their own time.
  await add(2_001, 22_000, 9_000);
  await add(22_001, 47_000, 1_000);
  await add(47_001, 47_010, 3_000);
  expect(await store.outbox.prune(2_000_000)).toBe(25_000);
  expect(await counts()).toEqual([{ old: 0, all: 20_010 }]);
  await add(50_001, 170_000, 3_000);
  await add(170_001, 170_001, 1_000);
  const statements = watchStatements();
  expect(await store.outbox.prune(2_000_000)).toBe(0);
  expect(statements().filter(({ text }) => text.includes('DELETE FROM outbox'))).toHaveLength(10);
  await client.query('DELETE FROM outbox');
});

test('what is stored tells whether another node is there to hear of it', async () => {
  const heard: boolean[] = [];
  const onCommit = (_: CommittedEvent[], hasOthers: boolean) => void heard.push(hasOthers);
  const { transactor, nodes } = createStore(store.database, { evidence: testEvidence, onCommit });
  const node = { kids: [], activeKid: 'kid' };
  const act = async () => expect(await transactor.open(openingOf({ serverId: store.serverId }))).toBe(true);
  await nodes.heartbeat({ id: 'first', ...node });
  await act();
  await nodes.heartbeat({ id: 'second', ...node });
  await act();
  await (await connect()).query(`UPDATE node SET seen_at = now() - interval '31 seconds' WHERE id = 'second'`);
  await act();
  await nodes.heartbeat({ id: 'second', ...node });
  await nodes.leave('second');
  await act();
  expect(heard).toEqual([false, true, false, false]);
});
