import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { listen, type Listening } from '#platform/database/notifier';
import { freshDatabase } from '../../support/databases/database.ts';
import { until } from '../../support/poll.ts';

const CHANNEL = 'Odd "channel"';

let listening: Listening | undefined;
let heard: string[];
let ups: number;
let errors: Error[];

const database = await freshDatabase();
const client = new pg.Client({ connectionString: database.url });
afterAll(async () => {
  await client.end();
  await database.drop();
});
await client.connect();
beforeEach(() => {
  heard = [];
  ups = 0;
  errors = [];
});
afterEach(() => listening?.close());

async function start(): Promise<Listening> {
  listening = await listen(database.url, CHANNEL, {
    onPayload: (payload) => heard.push(payload),
    onUp: () => ups++,
    onError: (error) => errors.push(error),
  });
  return listening;
}

const notify = (payload: string) => client.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]);
const LISTENERS = `FROM pg_stat_activity WHERE application_name = 'assentry listen' AND datname = current_database()`;

async function countListeners(): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int ${LISTENERS}`);
  return rows[0]?.count ?? 0;
}

/** From outside: a session may not close its own database. */
async function allowConnections(allowed: boolean): Promise<void> {
  const url = new URL(database.url);
  const name = pg.escapeIdentifier(url.pathname.slice(1));
  url.pathname = '/postgres';
  const outside = new pg.Client({ connectionString: url.href });
  await outside.connect();
  await outside.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
  await outside.end();
}

test('what is sent to the channel is heard, in order', async () => {
  await start();
  await notify('one');
  await notify('two');
  await until(() => heard.length === 2);
  expect(heard).toEqual(['one', 'two']);
  expect(ups).toBe(1);
});

test('a killed connection is made again, says so, and hears what comes next', async () => {
  await start();
  await client.query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`);
  await until(() => ups === 2);
  await notify('after');
  await until(() => heard.includes('after'));
  expect(errors).not.toHaveLength(0);
  expect(await countListeners()).toBe(1);
});

test('it keeps trying while the database refuses, and comes back when it takes connections again', async () => {
  await start();
  await allowConnections(false);
  await client.query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`);
  await until(() => errors.length >= 3);
  expect(ups).toBe(1);
  await allowConnections(true);
  await until(() => ups === 2);
});

test('closed, it hears no more and leaves no connection', async () => {
  const it = await start();
  await it.close();
  await until(async () => (await countListeners()) === 0);
  await notify('too late');
  await client.query('SELECT 1');
  expect(heard).toEqual([]);
  expect(ups).toBe(1);
});

test('closed while it waits to connect again, it stays closed', async () => {
  const it = await start();
  await client.query(`SELECT pg_terminate_backend(pid) ${LISTENERS}`);
  await until(() => errors.length > 0);
  await it.close();
  await until(async () => (await countListeners()) === 0);
  expect(ups).toBe(1);
});

test('a database that cannot be reached at first is reported at once', async () => {
  const start = listen('postgresql://127.0.0.1:1/none', CHANNEL, { onPayload: () => {} });
  await expect(start).rejects.toThrowProblem('database-unavailable');
});
