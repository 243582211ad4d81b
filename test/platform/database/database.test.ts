import { afterAll, expect, test } from '@jest/globals';
import { openDatabase } from '#platform/database/database';
import { freshDatabase } from '../../support/databases/database.ts';
import { until } from '../../support/poll.ts';

const errors: Error[] = [];

const fresh = await freshDatabase();
const database = openDatabase(fresh.url, { poolSize: 3, onError: (error) => errors.push(error) });
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

test('Prisma and our own SQL share one pool of the given size', async () => {
  const name = `SELECT application_name FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
  const both = [await database.prisma.$queryRawUnsafe(name), (await database.pool.query(name)).rows];
  expect(both).toEqual([[{ application_name: 'assentry' }], [{ application_name: 'assentry' }]]);

  const busy = Array.from({ length: 4 }, () => database.prisma.$queryRaw`SELECT pg_sleep(0.05)::text`);
  const queries = Array.from({ length: 4 }, () => database.pool.query('SELECT pg_sleep(0.05)'));
  await Promise.all([...busy, ...queries]);
  expect(database.pool.totalCount).toBe(3);
});

test('no statement and no lock is waited for without end', async () => {
  const { rows } = await database.pool.query(
    `SELECT name, setting::int FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout') ORDER BY name`,
  );
  expect(rows).toEqual([
    { name: 'lock_timeout', setting: 2000 },
    { name: 'statement_timeout', setting: 5000 },
  ]);
});

test('a time is read as the moment it is, whatever zone the database has', async () => {
  await database.pool.query(`ALTER DATABASE ${new URL(fresh.url).pathname.slice(1)} SET timezone = 'Asia/Tokyo'`);
  const other = openDatabase(fresh.url);
  const written = new Date('2026-11-22T12:00:00Z');
  const [row] = await other.prisma.$queryRaw<[{ read: Date; seconds: number }]>`
    SELECT at AS read, extract(epoch FROM at)::float8 AS seconds FROM (SELECT ${written}::timestamptz AS at) AS time`;
  expect(row).toEqual({ read: written, seconds: written.getTime() / 1000 });
  await other.close();
});

test('an idle connection that dies is reported and replaced', async () => {
  const other = openDatabase(fresh.url);
  await Promise.all([database.pool.query('SELECT 1'), other.pool.query('SELECT 1')]);
  await other.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'assentry' AND datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await until(() => database.pool.totalCount === 0);
  expect(errors).not.toHaveLength(0);
  const { rows } = await database.pool.query('SELECT 1 AS one');
  expect(rows).toEqual([{ one: 1 }]);
  await other.close();
});

test('closing leaves no connection behind', async () => {
  const other = openDatabase(fresh.url);
  await other.prisma.$queryRaw`SELECT 1`;
  await other.close();
  expect(other.pool.totalCount).toBe(0);
  await expect(other.pool.query('SELECT 1')).rejects.toThrow('after calling end');
});
