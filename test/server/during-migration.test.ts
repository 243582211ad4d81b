import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { startAs } from '../support/nodes/server.ts';

const database = await freshDatabase();
const runner = new pg.Client({ connectionString: database.url });
await runner.connect();
afterAll(async () => {
  await runner.end();
  await database.drop();
});

const last = `(SELECT max(migration_name) FROM _prisma_migrations)`;
const begin = () => runner.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${last}`);
const finish = () =>
  runner.query('UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL; COMMIT');
/** As the runner that migrates, whose transaction holds the lock. */
const lock = () => runner.query('BEGIN; SELECT pg_advisory_xact_lock(72707369)');

/** Starts a node, and resolves when it says what it waits for. */
function startWaiting(options = {}) {
  const waited = new Promise<string>((resolve, reject) => {
    started = startAs(nodeUrl(database.url), { onProgress: resolve, ...options });
    started.catch(reject);
  });
  return waited;
}
let started: ReturnType<typeof startAs>;

describe('a node that starts while a migration runs', () => {
  test('waits for its end, and serves', async () => {
    await begin();
    await lock();
    expect(await startWaiting()).toBe('Waiting for the migration of this database, which runs now.');
    await finish();
    const server = await started;
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
  });

  test('waits as well if it does not know the migration, and is told which version to use', async () => {
    await runner.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('later', 'x', '2099_later')`,
    );
    await lock();
    await startWaiting();
    await finish();
    await expect(started).rejects.toThrow(/^Use the version of Assentry that migrated this database, or a later one/);
    await runner.query(`DELETE FROM _prisma_migrations WHERE id = 'later'`);
  });

  test('starts at once if it needs nothing that runs', async () => {
    await lock();
    const server = await startAs(nodeUrl(database.url));
    await server.stop();
    await runner.query('COMMIT');
  });

  test('ends its wait on demand', async () => {
    await begin();
    await lock();
    const ending = new AbortController();
    await startWaiting({ signal: ending.signal });
    ending.abort();
    await expect(started).rejects.toThrowProblem('migration-failed');
    await finish();
  });
});

test('a node that finds an interrupted migration says what to run, and names no SQL', async () => {
  await begin();
  const error = await startAs(nodeUrl(database.url)).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'migration-failed',
    message: expect.stringMatching(/^Run "assentry migrate" with/),
  });
  expect(String(error)).not.toMatch(/DELETE|DROP/);
  await finish().catch(() => {});
});
