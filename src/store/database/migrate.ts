import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { Problem } from '../../model/problem.ts';
import { connectClient } from './connect-client.ts';
import { describeError } from './system-error.ts';

export interface Migration {
  name: string;
  sql: string;
}

interface AppliedMigration {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

// Prisma Migrate's own lock, table and checksums: `prisma migrate deploy` continues from here, and the two never run at
// once.
const PRISMA_LOCK = 72707369;
const PRISMA_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
const INSERT = 'INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, now())';
const FINISH = 'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1';

/**
 * Applies the missing migrations in order and returns their names. Each is applied completely or not at all. If several
 * runners start at once, one applies and the others wait. Throws `migration-failed`, and `database-unavailable` if
 * there is no connection.
 */
export async function migrateDatabase(
  url: string,
  migrations: readonly Migration[],
  { onApplied = () => {}, finish = async () => {}, patience = 60_000 }: MigrationOptions = {},
): Promise<string[]> {
  const connection = { connectionString: url, application_name: 'assentry migrate' };
  const holder = await connectClient(connection);
  try {
    await lockMigrations(holder, patience);
    const client = await connectClient(connection);
    try {
      const applied = await applyPending(client, migrations, onApplied);
      await finish(client);
      return applied;
    } finally {
      await client.end();
    }
  } finally {
    await holder.end(); // and with it the transaction
  }
}

export interface MigrationOptions {
  onApplied?: (name: string) => void;
  /** Runs under the lock, even if there was nothing to apply. */
  finish?: (client: pg.Client) => Promise<void>;
  /** Milliseconds to wait for another runner. */
  patience?: number;
}

/**
 * A transaction holds the lock, because behind a pooler a session may never end. Short statements ask for it
 * repeatedly, because CREATE INDEX CONCURRENTLY waits for every transaction that keeps a snapshot.
 */
async function lockMigrations(holder: pg.Client, patience: number): Promise<void> {
  const deadline = Date.now() + patience;
  await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  while (!(await tryLock(holder))) {
    if (Date.now() < deadline) await sleep(50);
    else throw failed(heldFor(patience));
  }
}

async function tryLock(holder: pg.Client): Promise<boolean> {
  const { rows } = await holder.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${PRISMA_LOCK}) AS free`);
  return rows[0]?.free === true;
}

const heldFor = (patience: number): string =>
  `Try again when the other migration is done: it has held the lock for ${patience / 1000} s. If none runs, end the session that pg_locks names for the advisory lock ${PRISMA_LOCK}.`;

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
  onApplied: (name: string) => void,
): Promise<string[]> {
  await client.query(PRISMA_TABLE);
  const pending = selectPending(migrations, await readApplied(client));
  for (const migration of pending) {
    await applyMigration(client, migration);
    onApplied(migration.name);
  }
  return pending.map(({ name }) => name);
}

/** The migrations of a directory in Prisma's layout, oldest first. */
export async function readMigrations(directory: string = migrationsDirectory()): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const read = (name: string) => readFile(path.join(directory, name, 'migration.sql'), 'utf8');
  return Promise.all(names.sort().map(async (name) => ({ name, sql: await read(name) })));
}

/** The package's migrations; the path is the same from `src` and from `dist`. */
export function migrationsDirectory(): string {
  return fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
}

/** Names of the migrations that a database lacks, as its login sees it. */
export async function pendingMigrations(tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<string[]> {
  const [row] = await tx.$queryRaw<[{ isThere: boolean }]>`
    SELECT coalesce(has_table_privilege(to_regclass('public._prisma_migrations'), 'SELECT'), false) AS "isThere"`;
  const migrations = await readMigrations();
  if (!row.isThere) return migrations.map(({ name }) => name);
  const applied = await tx.$queryRaw<AppliedMigration[]>`
    SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL`;
  return selectPending(migrations, applied).map(({ name }) => name);
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

function selectPending(migrations: readonly Migration[], applied: AppliedMigration[]): Migration[] {
  const half = applied.find(({ finished_at }) => finished_at === null);
  if (half) {
    throw failed(
      `Migration ${half.migration_name} did not finish. Repair the database, then mark the migration with "prisma migrate resolve".`,
    );
  }
  const checksums = new Map(applied.map(({ migration_name, checksum }) => [migration_name, checksum]));
  const changed = migrations.find(({ name, sql }) => {
    const checksum = checksums.get(name);
    return checksum !== undefined && !possibleChecksums(sql).includes(checksum);
  });
  if (changed)
    throw failed(`Migration ${changed.name} was changed after it had been applied. Put the file back as it was.`);
  return migrations.filter(({ name }) => !checksums.has(name));
}

/** Git may change line ends, so Prisma accepts any of the three forms. */
const possibleChecksums = (sql: string): string[] =>
  [sql, sql.replaceAll('\r\n', '\n'), sql.replaceAll('\n', '\r\n')].map(digest);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const alone = /^--\s*no-transaction\b/m.test(migration.sql);
  try {
    await (alone ? applyAlone(client, migration) : applyInTransaction(client, migration));
  } catch (cause) {
    throw failed(`Migration ${migration.name} could not be applied: ${describeError(cause)}.`, cause);
  }
}

async function applyInTransaction(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN');
  try {
    await client.query(INSERT, [id, digest(sql), name]);
    await client.query(sql); // a query without parameters can be a whole script, so SQL is never split here
    await client.query(FINISH, [id]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // the first error is the one to report
    throw error;
  }
}

/** For one statement that refuses a transaction, such as CREATE INDEX CONCURRENTLY. */
async function applyAlone(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query(INSERT, [id, digest(sql), name]);
  try {
    await client.query(sql);
  } catch (error) {
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, describeError(error)]);
    throw error;
  }
  await client.query(FINISH, [id]);
}

const failed = (detail: string, cause?: unknown): Problem => new Problem('migration-failed', { detail, cause });
