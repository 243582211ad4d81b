import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrateDatabase, migrationsDirectory, readMigrations, type Migration } from '#platform/database/migrate';
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

  test('runners that wait for the lock do not hold up an index that is built without one', async () => {
    const own = await readMigrations();
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(own)));
    expect(applied.flat()).toHaveLength(own.length);
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

  test('a version that lacks an interrupted migration points to the version that has it, and names no SQL', async () => {
    await migrate([first, second]);
    await client.query(
      `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '20260102000000_second'`,
    );
    const error = await migrate([first]).catch((reason: Error) => reason);
    expect(error).toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(/^Run "assentry migrate" of /),
    });
    expect(String(error)).not.toMatch(/DELETE|DROP/);
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

describe('what was interrupted is taken up by the next run', () => {
  const index: Migration = {
    name: '20260103000000_index',
    sql: '-- no-transaction\nCREATE INDEX CONCURRENTLY "first_n" ON "first"("n");\n',
  };
  const unfinished = `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'of-the-run', '${index.name}')`;
  const validity = `SELECT indisvalid FROM pg_index WHERE indexrelid = 'first_n'::regclass`;
  const openRows = 'SELECT count(*)::int FROM _prisma_migrations WHERE finished_at IS NULL';

  test('an index that was not begun is built', async () => {
    await migrate([first]);
    await client.query(unfinished);
    expect(await migrate([first, index])).toEqual([index.name]);
    expect(await select(validity)).toEqual([true]);
    expect(await select(openRows)).toEqual([0]);
    expect(await migrate([first, index])).toEqual([]);
  });

  test('an index that PostgreSQL finished after its runner died is taken as it is', async () => {
    await migrate([first]);
    await client.query(`${unfinished}; CREATE INDEX "first_n" ON first (n)`);
    const [before] = await select(`SELECT 'first_n'::regclass::oid::text`);
    await migrate([first, index]);
    expect(await select(`SELECT 'first_n'::regclass::oid::text`)).toEqual([before]);
  });

  test('an invalid index is dropped and built again', async () => {
    await migrate([first]);
    await client.query('INSERT INTO first VALUES (1), (1)');
    await client.query(unfinished);
    // A unique index over equal values fails and stays behind as invalid.
    await client.query('CREATE UNIQUE INDEX CONCURRENTLY "first_n" ON first (n)').catch(() => {});
    expect(await select(validity)).toEqual([false]);
    await migrate([first, index]);
    expect(await select(validity)).toEqual([true]);
    expect(await select('SELECT indisunique FROM pg_index WHERE indexrelid = $$first_n$$::regclass')).toEqual([false]);
  });

  test('a killed runner needs no SQL by hand, while a reader still holds its snapshot and after it', async () => {
    await migrate([first]);
    const reader = new pg.Client({ connectionString: database.url, application_name: 'report' });
    await reader.connect();
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM first');
    let killed = Promise.resolve();
    const wait = await new Promise<[string, string]>((resolve) => {
      const run = migrateDatabase(database.url, [first, index], { onWaiting: (...args) => resolve(args) });
      killed = expect(run).rejects.toThrow();
    });
    expect(wait).toEqual([index.name, expect.stringMatching(/^process \d+ \(report, since /)]);
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'assentry migrate' AND datname = current_database()`);
    await killed;
    await reader.query('ROLLBACK');
    await reader.end();
    expect(await migrate([first, index])).toEqual([index.name]);
    expect(await select(validity)).toEqual([true]);
  });

  test('a wait for others ends after its limit, names them, and the next run goes on', async () => {
    await migrate([first]);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM first');
    const run = migrateDatabase(database.url, [first, index], { maxWaitMs: 0 });
    await expect(run).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(/^Wait for these sessions or end them, then migrate again: process \d+/),
    });
    await client.query('ROLLBACK');
    expect(await migrate([first, index])).toEqual([index.name]);
  });

  test('a migration that Prisma began and that failed is applied', async () => {
    await migrate([first]);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('1', 'x', '${second.name}', 'failed')`,
    );
    expect(await migrate([first, second])).toEqual([second.name]);
    expect(await select(`SELECT logs FROM _prisma_migrations WHERE migration_name = '${second.name}'`)).toEqual([null]);
  });

  test("someone else's index of the same name stops every run, and is never taken for ours", async () => {
    await migrate([first]);
    await client.query('CREATE INDEX first_n ON first ((n + 1))');
    for (const _ of [1, 2]) await expect(migrate([first, index])).rejects.toThrow('"first_n" already exists');
    await client.query('DROP INDEX first_n');
    expect(await migrate([first, index])).toEqual([index.name]);
  });
});

describe('settings of the login, database or server do not reach a migration', () => {
  test.each([
    ['default_transaction_isolation', 'repeatable read'],
    ['default_transaction_isolation', 'serializable'],
    ['default_transaction_read_only', 'on'],
    ['search_path', 'nowhere, public'],
    ['statement_timeout', '1'],
    ['lock_timeout', '1'],
    ['idle_in_transaction_session_timeout', '1'],
  ])('%s = %s', async (name, value) => {
    const set = value.includes(',') ? value : `'${value}'`;
    const own = new URL(database.url).pathname.slice(1);
    await client.query(`ALTER DATABASE ${own} SET ${name} = ${set}`);
    const all = await readMigrations();
    expect(await migrate(all)).toEqual(all.map((migration) => migration.name));
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
