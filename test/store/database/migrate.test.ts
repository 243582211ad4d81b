import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrateDatabase, migrationsDirectory, readMigrations, type Migration } from '#server/store/database/migrate';
import { freshDatabase, type FreshDatabase } from '../../support/databases/database.ts';

const first: Migration = { name: '20260101000000_first', sql: 'CREATE TABLE first (n int);\n' };
const second: Migration = {
  name: '20260102000000_second',
  sql: `CREATE FUNCTION count_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.n := NEW.n + 1; RETURN NEW; END $$;
CREATE TRIGGER counted BEFORE INSERT ON first FOR EACH ROW EXECUTE FUNCTION count_up();
`,
};

let database: FreshDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await freshDatabase({ template: 'template0' });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const migrate = (migrations: Migration[], onApplied?: (name: string) => void) =>
  migrateDatabase(database.url, migrations, { ...(onApplied && { onApplied }) });

async function select(sql: string): Promise<unknown[]> {
  return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
}

describe('what is missing is applied', () => {
  test('once, in order, and told one by one', async () => {
    const messages: string[] = [];
    expect(await migrate([first], (name) => messages.push(name))).toEqual([first.name]);
    expect(await migrate([first, second], (name) => messages.push(name))).toEqual([second.name]);
    expect(await migrate([first, second], (name) => messages.push(name))).toEqual([]);
    expect(messages).toEqual([first.name, second.name]);
    expect(await select('INSERT INTO first VALUES (1) RETURNING n')).toEqual([2]);
  });

  test('of three runners at once, one applies and the others find it done', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate([first, second])));
    expect(applied.filter((names) => names.length === 2)).toHaveLength(1);
    expect(applied.flat()).toHaveLength(2);
    expect(await select('SELECT count(*)::int FROM _prisma_migrations')).toEqual([2]);
  });

  test('a statement that refuses transactions runs outside of one', async () => {
    const alone: Migration = {
      name: '20260103000000_index',
      sql: '-- no-transaction\nCREATE INDEX CONCURRENTLY first_n ON first (n);\n',
    };
    expect(await migrate([first, alone])).toEqual([first.name, alone.name]);
    expect(await select(`SELECT indexname FROM pg_indexes WHERE tablename = 'first'`)).toEqual(['first_n']);
  });
});

describe('what is wrong stops it', () => {
  test('a file that was changed after it had been applied is refused, and nothing new is applied', async () => {
    await migrate([first]);
    const run = migrate([{ ...first, sql: 'CREATE TABLE first (n bigint);\n' }, second]);
    await expect(run).rejects.toThrowProblem('migration-failed');
    await expect(run).rejects.toThrow(first.name);
    expect(await select('SELECT count(*)::int FROM _prisma_migrations')).toEqual([1]);
  });

  test.each([
    ['\\r\\n', first.sql.replaceAll('\n', '\r\n')],
    ['\\n', first.sql],
  ])('ends of lines that git changed to %s are no change', async (_name, sql) => {
    await migrate([{ ...first, sql: sql.includes('\r') ? first.sql : first.sql.replaceAll('\n', '\r\n') }]);
    expect(await migrate([{ ...first, sql }])).toEqual([]);
  });

  test('one that fails leaves nothing behind, and is tried again when mended', async () => {
    const broken: Migration = {
      name: '20260104000000_broken',
      sql: 'CREATE TABLE half (n int);\nSELECT no_such_thing();\n',
    };
    const run = migrate([first, broken]);
    await expect(run).rejects.toThrowProblem('migration-failed');
    await expect(run).rejects.toThrow('no_such_thing');
    expect(await select(`SELECT to_regclass('half')::text`)).toEqual([null]);
    expect(await select('SELECT migration_name FROM _prisma_migrations')).toEqual([first.name]);

    const mended = { ...broken, sql: 'CREATE TABLE half (n int);\n' };
    expect(await migrate([first, mended])).toEqual([broken.name]);
  });

  test('one that was begun outside of a transaction and failed stops every later run', async () => {
    const half: Migration = {
      name: '20260105000000_half',
      sql: '-- no-transaction\nCREATE INDEX CONCURRENTLY x ON nothing (n);\n',
    };
    await expect(migrate([half])).rejects.toThrowProblem('migration-failed');
    expect(await select('SELECT logs FROM _prisma_migrations')).toEqual([expect.stringContaining('nothing')]);
    const again = migrate([half, first]);
    await expect(again).rejects.toThrowProblem('migration-failed');
    await expect(again).rejects.toThrow(`DELETE FROM _prisma_migrations WHERE migration_name = '${half.name}';`);
    expect(await select(`SELECT to_regclass('first')::text`)).toEqual([null]);
  });

  test('a version without a migration that the database has is refused', async () => {
    await migrate([first, second]);
    await expect(migrate([first])).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(
        /^Use the version of Assentry that migrated this database, or a later one: .*_second/,
      ),
    });
  });

  test('a table in use is asked for again and again, and those who read it meanwhile do not queue', async () => {
    await migrate([first]);
    const reader = new pg.Client({ connectionString: database.url, application_name: 'pg_dump' });
    await reader.connect();
    await reader.query('BEGIN; SELECT FROM first');
    const waits: string[] = [];
    const change: Migration = { name: '20260106000000_change', sql: 'ALTER TABLE first ADD COLUMN m int;\n' };
    const onWaiting = async (name: string, sessions: string): Promise<void> => {
      waits.push(`${name}: ${sessions}`);
      expect(await select('SELECT count(*)::int FROM first')).toEqual([0]); // no one waits for a lock that waits
      await reader.query('ROLLBACK');
    };
    expect(await migrateDatabase(database.url, [first, change], { onWaiting })).toEqual([change.name]);
    expect(waits).toEqual([expect.stringMatching(/^20260106000000_change: process \d+ \(pg_dump, since /)]);
    await reader.end();
  });

  test('a table that stays in use is named with its sessions, and nothing is half done', async () => {
    await migrate([first]);
    await client.query('BEGIN; SELECT FROM first');
    const change: Migration = { name: '20260106000000_change', sql: 'CREATE TABLE more (n int);\nDROP TABLE first;\n' };
    const run = migrateDatabase(database.url, [first, change], { maxWaitMs: 0 });
    await expect(run).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(/^Wait for these sessions or end them, then migrate again: process \d+/),
    });
    await client.query('ROLLBACK');
    expect(await select(`SELECT to_regclass('more')::text`)).toEqual([null]);
  });

  test('one that an operator marked as rolled back is applied again', async () => {
    await migrate([first]);
    await client.query('DROP TABLE first; UPDATE _prisma_migrations SET rolled_back_at = now(), finished_at = NULL');
    expect(await migrate([first])).toEqual([first.name]);
  });

  test('a lock that is held for too long is reported, with what to do, and no one keeps waiting', async () => {
    await client.query('SELECT pg_advisory_lock(72707369)');
    await expect(migrateDatabase(database.url, [first], { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(/^Try again when the other migration is done/),
    });
    await client.query('SELECT pg_advisory_unlock(72707369)');
    expect(await migrate([first])).toEqual([first.name]);
    const lockCount = `SELECT count(*)::int FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE locktype = 'advisory' AND datname = current_database()`;
    expect(await select(lockCount)).toEqual([0]);
  });

  test('a database that cannot be reached is reported as such, without its password', async () => {
    const run = migrateDatabase('postgresql://someone:hidden-word@127.0.0.1:1/none', [first]);
    await expect(run).rejects.toThrowProblem('database-unavailable');
    await expect(run).rejects.toThrow(expect.not.stringContaining('hidden-word'));
  });
});

describe('Prisma can go on from here', () => {
  test("the table has Prisma's own columns", async () => {
    await migrate([]);
    const { rows } = await client.query(
      `SELECT column_name, data_type, character_maximum_length AS length, is_nullable, column_default
       FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
    );
    const text = 'character varying';
    const instant = 'timestamp with time zone';
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['id', text, 36, 'NO', null],
      ['checksum', text, 64, 'NO', null],
      ['finished_at', instant, null, 'YES', null],
      ['migration_name', text, 255, 'NO', null],
      ['logs', 'text', null, 'YES', null],
      ['rolled_back_at', instant, null, 'YES', null],
      ['started_at', instant, null, 'NO', 'now()'],
      ['applied_steps_count', 'integer', null, 'NO', '0'],
    ]);
  });

  test('a row says what Prisma would say: one step, the SHA-256 of the file, a start before the finish', async () => {
    await migrate([{ name: '20260101000000_known', sql: 'SELECT 1;\n' }]);
    const { rows } = await client.query(
      'SELECT checksum, applied_steps_count, logs, finished_at >= started_at AS ordered FROM _prisma_migrations',
    );
    const checksum = 'b4e0497804e46e0a0b0b8c31975b062152d551bac49c3c2e80932567b4085dcd';
    expect(rows).toEqual([{ checksum, applied_steps_count: 1, logs: null, ordered: true }]);
  });
});

describe('reading migrations', () => {
  test('folders are read in the order of their names, files next to them are not', async () => {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'assentry-migrations-'));
    for (const { name, sql } of [second, first]) {
      mkdirSync(path.join(directory, name));
      writeFileSync(path.join(directory, name, 'migration.sql'), sql);
    }
    writeFileSync(path.join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
    expect(await readMigrations(directory)).toEqual([first, second]);
    rmSync(directory, { recursive: true });
  });

  test("the package's own directory is found, and its migrations apply to an empty database", async () => {
    expect(realpathSync(migrationsDirectory())).toBe(path.resolve('prisma/migrations'));
    const own = await readMigrations();
    expect(own.length).toBeGreaterThan(0);
    expect(await migrate(own)).toEqual(own.map(({ name }) => name));
  });
});
