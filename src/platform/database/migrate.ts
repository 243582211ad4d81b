import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Prisma } from './generated/prisma/client.ts';
import { Problem, describeError, hasErrorCode } from '../model/problem.ts';
import { packageRoot } from '../process/package.ts';
import { connectClient } from './connection.ts';

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
const TAKE_UP = `UPDATE _prisma_migrations SET started_at = now(), logs = NULL, checksum = $1
  WHERE migration_name = $2 AND finished_at IS NULL AND rolled_back_at IS NULL RETURNING id`;
const FINISH = 'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1';

/**
 * Applies the missing migrations in order and returns their names. Each is applied completely or not at all, and a run
 * that was interrupted is taken up by the next one. If several runners start at once, one applies and the others wait. A
 * migration gives up a lock that it waits for, and asks for it again, so that requests do not queue behind it. Throws
 * `migration-failed`, and `database-unavailable` if there is no connection.
 */
export async function migrateDatabase(
  url: string,
  migrations: readonly Migration[],
  { finish = async () => {}, timeoutMs, ...progress }: MigrationOptions = {},
): Promise<string[]> {
  const work = async (client: pg.Client): Promise<string[]> => {
    const observer = await connectClient({ connectionString: url, application_name });
    try {
      const applied = await applyPending({ client, observer, progress }, migrations);
      await finish(client);
      return applied;
    } finally {
      await observer.end();
    }
  };
  return holdingMigrations(url, work, timeoutMs);
}

interface MigrationOptions extends MigrationProgress {
  /** Runs under the lock, even if no migration was missing. */
  finish?: (client: pg.Client) => Promise<void>;
  /** Milliseconds to wait for another runner. */
  timeoutMs?: number;
}

export interface MigrationProgress {
  onStarted?: (name: string) => void;
  onApplied?: (name: string) => void;
  /** Called when the migration waits for these sessions, and each time they change. */
  onWaiting?: (name: string, sessions: string) => void;
  /** Total time a migration may wait for tables in use; 10 minutes by default. */
  maxWaitMs?: number;
}

/** One run: `client` migrates, and `observer` watches the sessions it waits for. */
interface Run {
  client: pg.Client;
  observer: pg.Client;
  progress: MigrationProgress;
}

/** Does the work while no migration runs, on a connection of the owner. */
export async function holdingMigrations<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  timeoutMs = 60_000,
): Promise<T> {
  const connection = { connectionString: url, application_name };
  const holder = await connectClient(connection);
  try {
    await holder.query(ownSettings);
    await lockMigrations(holder, timeoutMs);
    const client = await connectClient(connection);
    try {
      await client.query(ownSettings);
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    await holder.end(); // and with it the transaction
  }
}

/**
 * Settings that a login, database or server may change. With another isolation the transaction that holds the lock would keep a
 * snapshot, which CREATE INDEX CONCURRENTLY waits for.
 */
const ownSettings = `SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
  SET search_path = public, pg_temp; SET statement_timeout = 0; SET lock_timeout = 0;
  SET idle_in_transaction_session_timeout = 0`;

const application_name = 'assentry migrate';

/**
 * A transaction holds the lock, because behind a pooler a session may never end. CREATE INDEX CONCURRENTLY waits for the
 * end of every transaction that had a snapshot while it looked: the one with the lock runs no statement, and each try for
 * the lock is a transaction of its own.
 */
async function lockMigrations(holder: pg.Client, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await tryLock(holder))) {
    if (Date.now() < deadline) await sleep(50);
    else throw failed(heldFor(timeoutMs));
  }
}

async function tryLock(holder: pg.Client): Promise<boolean> {
  await holder.query('BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 0');
  const { rows } = await holder.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${PRISMA_LOCK}) AS free`);
  if (rows[0]?.free === true) return true;
  await holder.query('ROLLBACK');
  return false;
}

const heldFor = (timeoutMs: number): string =>
  `Try again when the other migration is done: it has held the lock for ${timeoutMs / 1000} s. If none runs, end the session that pg_locks names for the advisory lock ${PRISMA_LOCK}.`;

async function applyPending(run: Run, migrations: readonly Migration[]): Promise<string[]> {
  await run.client.query(PRISMA_TABLE);
  const pending = selectPending(migrations, await readApplied(run.client));
  for (const migration of pending) {
    run.progress.onStarted?.(migration.name);
    await applyMigration(run, migration);
    run.progress.onApplied?.(migration.name);
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

/** Names of the migrations that a database lacks, seen by its login. */
export async function pendingMigrations(tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<string[]> {
  const [row] = await tx.$queryRaw<[{ isThere: boolean }]>`
    SELECT coalesce(has_table_privilege(to_regclass('public._prisma_migrations'), 'SELECT'), false) AS "isThere"`;
  const migrations = await readMigrations();
  if (!row.isThere) return migrations.map(({ name }) => name);
  const applied = await tx.$queryRaw<AppliedMigration[]>`
    SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY id`;
  return selectPending(migrations, applied).map(({ name }) => name);
}

/** Does a runner, ours or Prisma's, hold the lock on migrations of this database? Every login sees it. */
export async function isMigrating(tx: Pick<Prisma.TransactionClient, '$queryRaw'>): Promise<boolean> {
  const [row] = await tx.$queryRaw<[{ isHeld: boolean }]>`
    SELECT EXISTS (SELECT FROM pg_locks
       WHERE locktype = 'advisory' AND classid = 0 AND objid = ${PRISMA_LOCK}::oid AND objsubid = 1 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS "isHeld"`;
  return row.isHeld;
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY id`,
  );
  return rows;
}

/** Migrations without a row, and those whose run was interrupted. */
function selectPending(migrations: readonly Migration[], applied: AppliedMigration[]): Migration[] {
  const rows = new Map(applied.map((row) => [row.migration_name, row]));
  const changed = migrations.find(({ name, sql }) => {
    const row = rows.get(name);
    return row?.finished_at && !possibleChecksums(sql).includes(row.checksum);
  });
  if (changed)
    throw failed(`Migration ${changed.name} was changed after it had been applied. Put the file back as it was.`);
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = applied.find(({ migration_name }) => !names.has(migration_name));
  if (unknown) throw failed(unknownMigration(unknown));
  return migrations.filter(({ name }) => !rows.get(name)?.finished_at);
}

const unknownMigration = ({ migration_name: name, finished_at }: AppliedMigration): string =>
  finished_at
    ? `Use the version of Assentry that migrated this database, or a later one: this one does not have the migration ${name}.`
    : `Run "assentry migrate" of the version of Assentry that began the migration ${name}, or of a later one: it takes up what was interrupted. This one does not have it.`;

/** Checksums that Prisma accepts, with any of three line ends, because Git may change them. */
const possibleChecksums = (sql: string): string[] =>
  [sql, sql.replaceAll('\r\n', '\n'), sql.replaceAll('\n', '\r\n')].map(digest);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

async function applyMigration(run: Run, migration: Migration): Promise<void> {
  const alone = /^--\s*no-transaction\b/m.test(migration.sql);
  try {
    await (alone ? applyAlone(run, migration) : applyWithRetries(run, migration));
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw failed(`Migration ${migration.name} could not be applied: ${describeError(cause)}.`, cause);
  }
}

/** Longest wait of a migration for a table, because statements of nodes wait behind it. A node gives up after two seconds. */
const lockTimeoutMs = 1_000;
const firstPauseMs = 1_000;
const maxPauseMs = 15_000;
const defaultMaxWaitMs = 600_000;

/** Applies a migration; gives way to statements queued behind it, and tries again after a growing pause. */
async function applyWithRetries(run: Run, migration: Migration): Promise<void> {
  const { onWaiting, maxWaitMs = defaultMaxWaitMs } = run.progress;
  const deadline = Date.now() + maxWaitMs;
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, maxPauseMs)) {
    const watch = watchBlockers(run.observer, await backendOf(run.client));
    try {
      await applyInTransaction(run.client, migration);
      await watch.stop();
      return;
    } catch (error) {
      const sessions = await watch.stop();
      if (!hasErrorCode(error, lockNotAvailable)) throw error;
      if (Date.now() + pause > deadline) throw failed(stillInUse(migration.name, sessions), error);
      onWaiting?.(migration.name, sessions);
      await sleep(pause);
    }
  }
}

const lockNotAvailable = '55P03';

const stillInUse = (name: string, sessions: string): string =>
  `Wait for these sessions or end them, then migrate again: ${sessions}. They use a table that ${name} changes.`;

async function applyInTransaction(client: pg.Client, { name, sql }: Migration): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await client.query(
      `SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL statement_timeout = 0; SET LOCAL search_path = public, pg_temp`,
    );
    const { id } = await begin(client, { name, sql });
    await client.query(sql); // a query without parameters can be a whole script, so SQL is never split here
    await client.query(FINISH, [id]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // the first error is the one to report
    throw error;
  }
}

/** Takes up the row of an interrupted run, or makes one. */
async function begin(client: pg.Client, { name, sql }: Migration): Promise<{ id: string; wasBegun: boolean }> {
  const { rows } = await client.query<{ id: string }>(TAKE_UP, [digest(sql), name]);
  if (rows[0]) return { id: rows[0].id, wasBegun: true };
  const id = randomUUID();
  await client.query(INSERT, [id, digest(sql), name]);
  return { id, wasBegun: false };
}

/**
 * Applies the one statement that refuses a transaction: CREATE INDEX CONCURRENTLY. An index built by a former run is taken as
 * done; an invalid one is dropped and built again. A session whose snapshot is older than the index is waited for, and named.
 */
async function applyAlone({ client, observer, progress }: Run, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  const { id, wasBegun } = await begin(client, migration);
  const watch = watchBlockers(observer, await backendOf(client), {
    tell: (sessions) => progress.onWaiting?.(name, sessions),
    maxWaitMs: progress.maxWaitMs ?? defaultMaxWaitMs,
  });
  try {
    if (!(await isBuilt(client, sql, wasBegun))) await client.query(sql);
    await watch.stop();
  } catch (error) {
    const sessions = await watch.stop();
    if (hasErrorCode(error, queryCanceled)) throw failed(stillInUse(name, sessions), error);
    // A foreign index has the name: the next run must not take it for the one that this migration builds.
    if (hasErrorCode(error, duplicateTable) && !wasBegun)
      await client.query('DELETE FROM _prisma_migrations WHERE id = $1', [id]);
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, describeError(error)]);
    throw error;
  }
  await client.query(FINISH, [id]);
}

const queryCanceled = '57014';
const duplicateTable = '42P07';

const failed = (detail: string, cause?: unknown): Problem => new Problem('migration-failed', { detail, cause });

/** Milliseconds between two checks, so that a wait for a lock of one second is seen. */
const pauseMs = 300;
const noSession = 'none that this login can see';

interface Watch {
  /** Ends the watch; resolves with the last sessions it waited for. */
  stop(): Promise<string>;
}

/** The PostgreSQL process of this connection. */
async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

interface WatchOptions {
  /** Called when the backend waits for different sessions, and once a minute. */
  tell?: ((sessions: string) => void) | undefined;
  /** Total wait in milliseconds after which the backend's statement is cancelled. */
  maxWaitMs?: number;
}

/** Watches on a second connection the sessions that this backend waits for. */
function watchBlockers(observer: pg.Client, pid: number, { tell, maxWaitMs = Infinity }: WatchOptions = {}): Watch {
  const ending = new AbortController();
  let last = noSession;
  let toldAt = -Infinity;
  let waitedMs = 0;
  const look = async (): Promise<void> => {
    const sessions = await blockersOf(observer, pid);
    if (sessions === null) return;
    const isNew = sessions !== last || performance.now() > toldAt + 60_000;
    last = sessions;
    waitedMs += pauseMs;
    if (waitedMs > maxWaitMs) await observer.query('SELECT pg_cancel_backend($1)', [pid]);
    else if (isNew) {
      toldAt = performance.now();
      tell?.(sessions);
    }
  };
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      if (!ending.signal.aborted) await look().catch(() => {}); // a lost connection ends the work itself
    }
  })();
  return {
    async stop() {
      ending.abort();
      await watching;
      return last;
    },
  };
}

/** Sessions that block the backend. Every login sees the locks, but not the statements of another login. */
async function blockersOf(observer: pg.Client, pid: number): Promise<string | null> {
  const { rows } = await observer.query<{ session: string }>(
    `SELECT format('process %s (%s%s)', b.pid, coalesce(nullif(a.application_name, ''), a.usename::text, 'a prepared transaction'),
                   ', since ' || a.xact_start) AS session
       FROM unnest(pg_blocking_pids($1)) AS b(pid) LEFT JOIN pg_stat_activity a USING (pid)
      ORDER BY a.xact_start NULLS LAST LIMIT 3`,
    [pid],
  );
  return rows.length === 0 ? null : rows.map(({ session }) => session).join(', ');
}

const statement = /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+"?(\w+)"?\s+ON\s/i;

/** The index that a one-statement migration builds; null if it does something else. */
export function indexBuiltBy(sql: string): string | null {
  return statement.exec(sql.replaceAll(/^--.*$/gm, ''))?.[1] ?? null;
}

/**
 * Has an interrupted run built the index? Drops an invalid one. A backend outlives the program that asked it to build, so this
 * waits until none builds it any longer.
 */
async function isBuilt(client: pg.Client, sql: string, wasBegun: boolean): Promise<boolean> {
  const name = indexBuiltBy(sql);
  if (name === null) return false;
  while (await isBeingBuilt(client, name)) await sleep(1_000);
  const { rows } = await client.query<{ isValid: boolean }>(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [pg.escapeIdentifier(name)],
  );
  if (rows[0]?.isValid === false) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${pg.escapeIdentifier(name)}`);
  return wasBegun && rows[0]?.isValid === true;
}

async function isBeingBuilt(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query(
    'SELECT FROM pg_stat_progress_create_index WHERE datname = current_database() AND index_relid = to_regclass($1)::oid',
    [pg.escapeIdentifier(name)],
  );
  return rows.length > 0;
}
