import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { addressOf, startProxy, type Proxy } from '../../chaos/proxy.ts';
import { freshDatabase } from '../../support/databases/database.ts';
import { connectClient, endIfSilent } from '#platform/database/connection';
import { openDatabase, type Database } from '#platform/database/database';

/** Milliseconds; statements that end at all are faster. */
const maxSilenceMs = 1_000;

let network: Proxy;
let url: string;
let database: Database;
const fresh = await freshDatabase();
afterAll(() => fresh.drop());
beforeEach(async () => {
  network = await startProxy([addressOf(fresh.url)]);
  const { username, password, pathname } = new URL(fresh.url);
  url = `postgresql://${username}:${password}@127.0.0.1:${network.port}${pathname}`;
  database = openDatabase(url, { poolSize: 1, maxSilenceMs });
  await database.pool.query('SELECT 1');
});
afterEach(async () => {
  await database.close();
  network.stop();
});

const unavailable = { name: 'Problem', code: 'database-unavailable' };
const selectOne = async (): Promise<unknown> => (await database.prisma.$queryRaw<unknown[]>`SELECT 1 AS one`)[0];

test('a statement on a connection that went silent fails as a fault, and the next one gets another connection', async () => {
  network.freeze();
  const lost = selectOne();
  await expect(lost).rejects.toMatchObject(unavailable);
  network.thaw();
  expect(await selectOne()).toEqual({ one: 1 });
});

test('so does a transaction in which the connection went silent', async () => {
  const lost = database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1`;
    network.freeze();
    await tx.$queryRaw`SELECT 2`;
  });
  await expect(lost).rejects.toMatchObject(unavailable);
  network.thaw();
  expect(await selectOne()).toEqual({ one: 1 });
});

test('a transaction that set its own limit is waited for; afterwards its connection is not', async () => {
  await database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL statement_timeout = 60000`;
    await tx.$queryRaw`SELECT pg_sleep(2)::text`;
  });
  network.freeze();
  await expect(selectOne()).rejects.toMatchObject(unavailable);
  network.thaw();
});

test('a connection of its own ends although the other side went silent', async () => {
  const client = await connectClient({ connectionString: url });
  endIfSilent(client, maxSilenceMs);
  network.freeze();
  await client.end();
  network.thaw();
});
