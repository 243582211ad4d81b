import { afterAll, expect, test } from '@jest/globals';
import { Prisma } from '#platform/database/generated/prisma/client';
import { anyOf } from '#platform/database/sql';
import { openDatabase } from '#platform/database/database';
import { missingSettings, createStatementNames } from '#platform/database/connection';
import { freshDatabase } from '../../support/databases/database.ts';

const fresh = await freshDatabase();
const database = openDatabase(fresh.url, { poolSize: 1 });
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

test('a statement has one name and no other has it, until there are too many', () => {
  const nameOf = createStatementNames(2);
  const [first, second] = [nameOf({ sql: 'SELECT 1' }), nameOf({ sql: 'SELECT 2' })];
  expect(new Set([first, second, '']).size).toBe(3);
  expect(nameOf({ sql: 'SELECT 3' })).toBe('');
  expect(nameOf({ sql: 'SELECT 1' })).toBe(first);
});

test('a connection keeps the plan of a statement, whatever its values', async () => {
  const echo = (value: number) => database.prisma.$queryRaw`SELECT ${value}::int AS echoed`;
  expect([await echo(1), await echo(2)]).toEqual([[{ echoed: 1 }], [{ echoed: 2 }]]);
  const { rows } = await database.pool.query(
    `SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%AS echoed'`,
  );
  expect(rows).toEqual([{ statement: 'SELECT $1::int AS echoed' }]);
});

test('a statement that looks rows up by a list is not planned each time', async () => {
  await database.pool.query(`CREATE TEMP TABLE listed AS SELECT n::text AS id FROM generate_series(1, 5000) n;
    CREATE INDEX ON listed (id); ANALYZE listed`);
  const find = (ids: string[]) =>
    database.query(Prisma.sql`SELECT id FROM listed WHERE id = ${anyOf(Prisma.sql`${ids}::text[]`)}`);
  for (let times = 0; times < 10; times += 1)
    expect(await find([`${times}`, '1234', 'absent'])).toHaveLength(times > 0 ? 2 : 1);
  const { rows } = await database.pool.query(
    `SELECT generic_plans::int AS kept, custom_plans::int AS made FROM pg_prepared_statements WHERE statement LIKE '%FROM listed%'`,
  );
  expect(rows).toEqual([{ kept: 5, made: 5 }]);
});

test('behind a pooler no connection keeps a statement, and a login is told which settings it lacks', async () => {
  const pooled = openDatabase(fresh.url, { poolSize: 1, isPooled: true });
  try {
    await pooled.prisma.$queryRaw`SELECT ${1}::int AS echoed`;
    await pooled.query(Prisma.sql`SELECT ${1}::int AS echoed`);
    expect((await pooled.pool.query('SELECT FROM pg_prepared_statements')).rowCount).toBe(0);
    expect(await missingSettings(database.prisma)).toEqual([]);
    const statements = (await missingSettings(pooled.prisma)).join(' ');
    expect(statements).toMatch(/SET enable_seqscan = 'off'; .*SET jit = 'off'; .*SET statement_timeout = '5000';/);
  } finally {
    await pooled.close();
  }
});

test('a plan made while a table is empty goes by its index, as it must when the table has grown', async () => {
  const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(
    `EXPLAIN (COSTS OFF) UPDATE elicitation AS e SET caller = i.caller
       FROM jsonb_to_recordset('[]') AS i(id text, caller text) WHERE e.id = i.id`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using elicitation_pkey');
  expect(plan).not.toContain('Seq Scan');
});
