import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { openingOf, openTestStore, type TestStore } from '../../support/rows.ts';

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

const insert = `INSERT INTO outbox (topic, elicitation_id, server_id, at)
  SELECT 'changed', $1 || n, 'srv', now() FROM generate_series(1, $2::int) AS n`;
const write = (client: pg.Client, name: string, count = 1) => client.query(insert, [name, count]);

/** What a reader hears who goes on from where it was, each event once. */
function createReader(position: string) {
  const visited = new Set<string>();
  return async (): Promise<string[]> => {
    const heard: string[] = [];
    const page = await store.outbox.readFrom(position);
    for (const { id, elicitationId } of page.events) {
      if (!visited.has(id)) heard.push(elicitationId);
      visited.add(id);
    }
    position = page.position;
    return heard;
  };
}

test('what commits after the head was taken is read, once', async () => {
  await store.transactor.open(openingOf({ serverId: store.serverId }));
  const read = createReader(await store.outbox.head());
  await read(); // what was there comes again while a transaction of any database in the cluster is older
  const opening = openingOf({ serverId: store.serverId });
  await store.transactor.open(opening);
  expect(await read()).toEqual([opening.elicitation.id]);
  expect(await read()).toEqual([]);
});

test('a transaction with an earlier id that commits later is not missed', async () => {
  const [slow, quick] = [await connect(), await connect()];
  const read = createReader(await store.outbox.head());
  await slow.query('BEGIN');
  await write(slow, 'slow');
  await write(quick, 'quick');
  expect(await read()).toEqual(['quick1']);
  expect(await read()).toEqual([]);
  await slow.query('COMMIT');
  expect(await read()).toEqual(['slow1']);
  expect(await read()).toEqual([]);
});

test('one that rolls back is never heard of, and holds no one up afterwards', async () => {
  const [slow, quick] = [await connect(), await connect()];
  const read = createReader(await store.outbox.head());
  await slow.query('BEGIN');
  await write(slow, 'slow');
  await write(quick, 'quick');
  expect(await read()).toEqual(['quick1']);
  await slow.query('ROLLBACK');
  await write(quick, 'next');
  expect(await read()).toEqual(['next1']);
});

test('more than a page is read whole, with an earlier transaction still running', async () => {
  const [slow, quick] = [await connect(), await connect()];
  const read = createReader(await store.outbox.head());
  await slow.query('BEGIN');
  await write(slow, 'slow');
  for (let round = 0; round < 5; round += 1) await write(quick, `quick${round}-`, 1000);
  expect(new Set(await read()).size).toBe(5000);
  await write(quick, 'late');
  expect(await read()).toEqual(['late1']);
  await slow.query('COMMIT');
  expect(await read()).toEqual(['slow1']);
});

test('from the place of any event on, all later ones are read, and those that were not there yet', async () => {
  const [first, second] = [await connect(), await connect()];
  const from = await store.outbox.head();
  const readNames = async (place: string): Promise<string[]> =>
    (await store.outbox.readFrom(place)).events.map(({ elicitationId }) => elicitationId);
  await write(second, 'zero', 2);
  await first.query('BEGIN');
  await write(first, 'one');
  await write(second, 'two', 2);
  const whileOpen = (await store.outbox.readFrom(from)).events;
  await first.query('COMMIT');
  await write(second, 'three');
  const all = ['zero1', 'zero2', 'one1', 'two1', 'two2', 'three1'];
  // Transactions of other databases may let a place lie earlier; it never lies later.
  const later = [all.slice(1), all.slice(2), all.slice(2), all.slice(2)];
  for (const [at, { place }] of whileOpen.entries()) {
    expect(await readNames(place)).toEqual(expect.arrayContaining(later[at] ?? []));
  }
  for (const [at, { place }] of (await store.outbox.readFrom(from)).events.entries()) {
    expect(await readNames(place)).toEqual(expect.arrayContaining(all.slice(at + 1)));
  }
});

test('old rows are forgotten, younger ones stay', async () => {
  const client = await connect();
  const from = await store.outbox.head();
  await client.query(`INSERT INTO outbox (topic, elicitation_id, server_id, at) VALUES
    ('changed', 'old', 'srv', to_timestamp(1000)), ('changed', 'young', 'srv', to_timestamp(2000))`);
  expect(await store.outbox.prune(2_000_000)).toBe(1);
  expect((await store.outbox.readFrom(from)).events).toMatchObject([{ elicitationId: 'young' }]);
});
