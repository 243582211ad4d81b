import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import { Problem } from '#protocol/model/problem';
import { packageRoot } from '../../package/package-root.ts';
import { connectClient } from './connect-client.ts';
import { describeError, hasErrorCode } from '#protocol/model/system-error';

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
 * runners start at once, one applies and the others wait. A migration gives up a lock that it waits for, and asks for it
 * again, so that requests do not queue behind it. Throws `migration-failed`, and `database-unavailable` if there is no
 * connection.
 */
export async function migrateDatabase(
  url: string,
  migrations: readonly Migration[],
  { finish = async () => {}, timeoutMs, ...progress }: MigrationOptions = {},
): Promise<string[]> {
  const work = async (client: pg.Client): Promise<string[]> => {
    const applied = await applyPending(client, migrations, progress);
    await finish(client);
    return applied;
  };
  return holdingMigrations(url, work, timeoutMs);
}

interface MigrationOptions extends MigrationProgress {
  /** Runs under the lock, even if there was nothing to apply. */
  finish?: (client: pg.Client) => Promise<void>;
  /** How long to wait for another runner. */
  timeoutMs?: number;
}

export interface MigrationProgress {
  onApplied?: (name: string) => void;
  /** Called each time a table is in use by these sessions, which the migration waits for. */
  onWaiting?: (name: string, sessions: string) => void;
  /** How long a migration may wait in all for tables that others use; 10 minutes by default. */
  maxWaitMs?: number;
}

/** Does the work while no migration runs, on a connection of the owner. */
export async function holdingMigrations<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  timeoutMs = 60_000,
): Promise<T> {
  const connection = { connectionString: url, application_name: 'assentry migrate' };
  const holder = await connectClient(connection);
  try {
    await lockMigrations(holder, timeoutMs);
    const client = await connectClient(connection);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await holder.end(); // and with it the transaction
  }
}

/**
 * A transaction holds the lock, because behind a pooler a session may never end. Short statements ask for it
 * repeatedly, because CREATE INDEX CONCURRENTLY waits for every transaction that keeps a snapshot.
 */
async function lockMigrations(holder: pg.Client, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  while (!(await tryLock(holder))) {
    if (Date.now() < deadline) await sleep(50);
    else throw failed(heldFor(timeoutMs));
  }
}

async function tryLock(holder: pg.Client): Promise<boolean> {
  const { rows } = await holder.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${PRISMA_LOCK}) AS free`);
  return rows[0]?.free === true;
}

const heldFor = (timeoutMs: number): string =>
  `Try again when the other migration is done: it has held the lock for ${timeoutMs / 1000} s. If none runs, end the session that pg_locks names for the advisory lock ${PRISMA_LOCK}.`;

async function applyPending(
  client: pg.Client,
  migrations: readonly Migration[],
  progress: MigrationProgress,
): Promise<string[]> {
  await client.query(PRISMA_TABLE);
  const pending = selectPending(migrations, await readApplied(client));
  for (const migration of pending) {
    await applyMigration(client, migration, progress);
    progress.onApplied?.(migration.name);
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

/** The package's migrations. */
export function migrationsDirectory(): string {
  return fileURLToPath(new URL('prisma/migrations', packageRoot));
}

/** Names of the migrations that a database lacks, as its login sees it. */
export async function pendingMigrations(tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<string[]> {
  const [row] = await tx.$queryRaw<[{ isThere: boolean }]>`
    SELECT coalesce(has_table_privilege(to_regclass('public._prisma_migrations'), 'SELECT'), false) AS "isThere"`;
  const migrations = await readMigrations();
  if (!row.isThere) return migrations.map(({ name }) => name);
  const applied = await tx.$queryRaw<AppliedMigration[]>`
    SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY id`;
  return selectPending(migrations, applied).map(({ name }) => name);
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY id`,
  );
  return rows;
}

function selectPending(migrations: readonly Migration[], applied: AppliedMigration[]): Migration[] {
  const half = applied.find(({ finished_at }) => finished_at === null);
  if (half) {
    throw failed(
      `Migration ${half.migration_name} did not finish. Take back what it has done, as with "DROP INDEX IF EXISTS" for an index that it names, then run "DELETE FROM _prisma_migrations WHERE migration_name = '${half.migration_name}';" and migrate again.`,
    );
  }
  const checksums = new Map(applied.map(({ migration_name, checksum }) => [migration_name, checksum]));
  const changed = migrations.find(({ name, sql }) => {
    const checksum = checksums.get(name);
    return checksum !== undefined && !possibleChecksums(sql).includes(checksum);
  });
  if (changed)
    throw failed(`Migration ${changed.name} was changed after it had been applied. Put the file back as it was.`);
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = applied.find(({ migration_name }) => !names.has(migration_name));
  if (unknown)
    throw failed(
      `Use the version of Assentry that migrated this database, or a later one: this one does not have the migration ${unknown.migration_name}.`,
    );
  return migrations.filter(({ name }) => !checksums.has(name));
}

/** Git may change line ends, so Prisma accepts any of the three forms. */
const possibleChecksums = (sql: string): string[] =>
  [sql, sql.replaceAll('\r\n', '\n'), sql.replaceAll('\n', '\r\n')].map(digest);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

async function applyMigration(client: pg.Client, migration: Migration, progress: MigrationProgress): Promise<void> {
  const alone = /^--\s*no-transaction\b/m.test(migration.sql);
  try {
    await (alone ? applyAlone(client, migration) : applyWithRetries(client, migration, progress));
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw failed(`Migration ${migration.name} could not be applied: ${describeError(cause)}.`, cause);
  }
}

/** Statements of nodes wait behind a migration that waits for a table. A node gives up after two seconds. */
const lockTimeoutMs = 1_000;
const firstPauseMs = 1_000;
const maxPauseMs = 15_000;
const defaultMaxWaitMs = 600_000;

/** Gives way to the statements that have queued behind it, and asks again after a pause that grows. */
async function applyWithRetries(
  client: pg.Client,
  migration: Migration,
  { onWaiting, maxWaitMs = defaultMaxWaitMs }: MigrationProgress,
): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, maxPauseMs)) {
    try {
      return await applyInTransaction(client, migration);
    } catch (error) {
      if (!hasErrorCode(error, lockNotAvailable)) throw error;
      const sessions = await longestTransactions(client);
      if (Date.now() + pause > deadline)
        throw failed(
          `Wait for these sessions or end them, then migrate again: ${sessions}. They use a table that ${migration.name} changes.`,
          error,
        );
      onWaiting?.(migration.name, sessions);
      await sleep(pause);
    }
  }
}

const lockNotAvailable = '55P03';

/** The sessions whose transactions have been open longest: a backup, or a transaction that someone forgot. */
async function longestTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ session: string }>(
    `SELECT format('process %s (%s, since %s)', pid, coalesce(nullif(application_name, ''), usename), xact_start) AS session
       FROM pg_stat_activity
      WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
        AND application_name <> 'assentry migrate' ORDER BY xact_start LIMIT 3`,
  );
  return rows.map(({ session }) => session).join(', ') || 'none that this login can see';
}

async function applyInTransaction(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await client.query(
      `SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL statement_timeout = 0; SET LOCAL search_path = public, pg_temp`,
    );
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
