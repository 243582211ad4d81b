import { afterAll, expect, test } from '@jest/globals';
import { Prisma } from '#platform/database/generated/prisma/client';
import { openDatabase } from '#platform/database/database';
import { freshDatabase } from '../../support/databases/database.ts';

const fresh = await freshDatabase();
const database = openDatabase(fresh.url);
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const bytes = [Buffer.of(0, 1, 255), Buffer.from('ä')];
const everyType = Prisma.sql`
  SELECT ${'text'} AS text, ${null}::text AS nothing, ${42}::int AS int, ${2n ** 62n}::bigint AS bigint, true AS yes,
    ${bytes[0]}::bytea AS bytes, ${new Date(1234)}::timestamptz AS at, ${'{"b":1,"a":[null]}'}::jsonb AS json,
    ${['a,"b', '{}']}::text[] AS texts, ${bytes[1]}::bytea = ANY(${bytes}::bytea[]) AS found`;

test('gives the same values as Prisma gives', async () => {
  const plain = ([row]: { bytes: Uint8Array }[]) => row && { ...row, bytes: [...row.bytes] };
  const results = await database.query<{ bytes: Uint8Array }>(everyType);
  expect(plain(results)).toEqual(plain(await database.prisma.$queryRaw<{ bytes: Uint8Array }[]>(everyType)));
  expect(results[0]).toMatchObject({ bigint: 2n ** 62n, at: new Date(1234), found: true, nothing: null });
});

test('shares its prepared statements with Prisma, whichever is first', async () => {
  const [first, second] = [Prisma.sql`SELECT ${1}::int AS a`, Prisma.sql`SELECT ${1}::int AS b`];
  for (let round = 0; round < 12; round += 1) {
    expect(await Promise.all([database.query(first), database.prisma.$queryRaw(first)])).toEqual([
      [{ a: 1 }],
      [{ a: 1 }],
    ]);
    expect(await Promise.all([database.prisma.$queryRaw(second), database.query(second)])).toEqual([
      [{ b: 1 }],
      [{ b: 1 }],
    ]);
  }
});

test('says of a fault what it is', async () => {
  await expect(database.query(Prisma.sql`SELECT pg_terminate_backend(pg_backend_pid())`)).rejects.toThrowProblem(
    'database-unavailable',
  );
  await expect(database.query(Prisma.sql`SELECT 1 / 0`)).rejects.toMatchObject({ code: '22012' });
  const closed = openDatabase(fresh.url);
  await closed.close();
  await expect(closed.query(Prisma.sql`SELECT 1`)).rejects.toThrowProblem('database-unavailable');
});

test('statements of one piece of work commit together or not at all, and leave the connection usable', async () => {
  const single = openDatabase(fresh.url, { poolSize: 1 });
  await single.pool.query('CREATE TABLE kept (value int PRIMARY KEY)');
  const keep = (value: number) => Prisma.sql`INSERT INTO kept VALUES (${value}) RETURNING value`;
  const work = single.transact(async (query) => [...(await query(keep(1))), ...(await query(keep(2)))]);
  expect(await work).toEqual([{ value: 1 }, { value: 2 }]);
  const failing = (failure: () => unknown) =>
    single.transact(async (query) => {
      await query(keep(3));
      await failure();
    });
  await expect(failing(() => Promise.reject(new TypeError('dies here')))).rejects.toThrow('dies here');
  await expect(single.transact((query) => query(keep(2)))).rejects.toMatchObject({ code: '23505' });
  const lost = single.transact((query) => query(Prisma.sql`SELECT pg_terminate_backend(pg_backend_pid())`));
  await expect(lost).rejects.toThrowProblem('database-unavailable');
  expect(await single.query(Prisma.sql`SELECT value FROM kept ORDER BY value`)).toEqual([{ value: 1 }, { value: 2 }]);
  await single.close();
  await expect(single.transact((query) => query(keep(4)))).rejects.toThrowProblem('database-unavailable');
});
