import { setTimeout as sleep } from 'node:timers/promises';
import { refuseVariable } from '#platform/config/config';
import type { Pooling } from '#platform/config/serving';
import { Problem } from '#platform/model/problem';
import { connectClient } from '#platform/database/connection';
import type { Database } from '#platform/database/database';
import { excessOfLogin } from '#platform/database/rights';
import { isMigrating, pendingMigrations } from '#platform/database/migrate';
import { missingProtections } from '#platform/database/rights';
import { missingRights } from '#platform/database/rights';
import { missingSettings, startOptions } from '#platform/database/connection';
import { describeError } from '#platform/model/problem';
import { unfitServer } from '#platform/database/connection';

/**
 * Prevents reading, signing or sealing in a database that is not up to date or lacks its protection, or under a login
 * that owns it. Problem `database-unavailable` says why there is no connection; `config-invalid` or `migration-failed`
 * says what is missing and how to repair it.
 */
export async function checkDatabase(
  { prisma }: Pick<Database, 'prisma'>,
  url: string,
  pooling: Pick<Pooling, 'isPooled' | 'connections'>,
  wait: MigrationWait = {},
): Promise<void> {
  await tryConnection(url, pooling);
  await awaitMigration(prisma, wait);
  const excess = await excessOfLogin(prisma);
  if (excess !== null) throw refuseVariable('DATABASE_URL', excess, giveNodeLogin);
  await checkSettings(prisma, pooling);
  const unfit = await unfitServer(prisma, pooling.connections + ownConnections);
  if (unfit !== null) throw refuseVariable(unfit.variable, unfit.finding, unfit.cure);
  const unmigrated = await findUnmigrated(prisma);
  if (unmigrated !== null) throw unmigrated;
  const [missing] = await missingProtections(prisma);
  if (missing !== undefined) throw refuse('', `${missing} ${putBack}`);
}

/** Why a node could store nothing now: no new connection, a right or a protection that is missing; null if it could. */
export async function findStoreFault(
  { prisma }: Pick<Database, 'prisma'>,
  url: string,
  pooling: Pick<Pooling, 'isPooled'>,
): Promise<Problem | null> {
  try {
    await tryConnection(url, pooling);
    const rights = await missingRights(prisma);
    if (rights.length > 0) return unable(`${runMigrate}${rights.join(' ')}`);
    const [missing] = await missingProtections(prisma);
    return missing === undefined ? null : unable(`${missing} ${putBack}`);
  } catch (error) {
    if (error instanceof Problem) return unable(error.message, error);
    throw error;
  }
}

const unable = (detail: string, cause?: unknown): Problem => new Problem('database-unavailable', { detail, cause });

/** Why this version cannot serve from the schema that the database has; null if it can. */
async function findUnmigrated(prisma: Database['prisma']): Promise<Problem | null> {
  try {
    const [pending] = await pendingMigrations(prisma);
    if (pending !== undefined) return refuse(runMigrate, `The migration ${pending} is not applied yet.`);
    const rights = await missingRights(prisma);
    return rights.length > 0 ? refuse(runMigrate, rights.join(' ')) : null;
  } catch (error) {
    if (error instanceof Problem && error.code === 'migration-failed') return error;
    throw error;
  }
}

interface MigrationWait {
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
  onProgress?: ((sentence: string) => void) | undefined;
}

/** Resolves when no migration runs that this version needs or does not know. A node that starts meanwhile waits for its end. */
async function awaitMigration(prisma: Database['prisma'], { signal, onProgress }: MigrationWait): Promise<void> {
  let isTold = false;
  // The lock is looked at first: a migration that ends between the two is seen as applied.
  while (!signal?.aborted && (await isMigrating(prisma)) && (await findUnmigrated(prisma)) !== null) {
    if (!isTold) onProgress?.('Waiting for the migration of this database, which runs now.');
    isTold = true;
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
}

/** Next to the pool, one listens and one asks for `/readyz`. */
const ownConnections = 2;

/** Throws with the reason if there is no connection. */
async function tryConnection(url: string, { isPooled }: Pick<Pooling, 'isPooled'>): Promise<void> {
  const options = isPooled ? {} : { options: startOptions() };
  const client = await connectClient({ connectionString: url, ...options }).catch((error: unknown) => {
    if (!isPooled && /unsupported startup parameter/.test(describeError(error)))
      throw refuseVariable(
        'ASSENTRY_DB_POOLER',
        'off, and a pooler that refuses the settings of a connection',
        setPooler,
      );
    throw error;
  });
  await client.end();
}

async function checkSettings(prisma: Database['prisma'], { isPooled }: Pick<Pooling, 'isPooled'>): Promise<void> {
  const statements = await missingSettings(prisma);
  if (statements.length === 0) return;
  if (!isPooled)
    throw refuseVariable('ASSENTRY_DB_POOLER', 'off, and something that drops the settings of a connection', setPooler);
  throw refuseVariable(
    'ASSENTRY_DB_POOLER',
    'a login without settings of its own',
    `run "${statements.join(' ')}", and restart the pooler, whose connections keep the settings they began with`,
  );
}

const setPooler =
  'set it to on, with ASSENTRY_DB_LISTEN, if DATABASE_URL leads to PgBouncer or another pooler; else take "options" out of DATABASE_URL';
const giveNodeLogin =
  'run "assentry migrate" with it, and give the address that it prints: nodes and commands run under a login that owns nothing';
const runMigrate = 'Run "assentry migrate" with the DATABASE_URL of the login that owns the database. ';
const putBack =
  'Restore it from prisma/migrations, and run "assentry audit verify": changes made meanwhile may not be in the log.';

const refuse = (remedy: string, fault: string): Problem =>
  new Problem('migration-failed', { detail: `${remedy}${fault}` });
