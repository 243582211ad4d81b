import { afterAll, expect, test } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { assertTls } from '#server/options';
import { judgeServer } from '#platform/database/connection';
import { openBrowser } from '../support/nodes/console.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeLogin, nodeUrl } from '../support/databases/node-login.ts';
import { askingAt } from '../support/nodes/asking.ts';
import { startAs, startTestServer } from '../support/nodes/server.ts';

const name = (): string => new URL(database.url).pathname.slice(1);
const database = await freshDatabase();
const superuser = new pg.Client({ connectionString: database.url });
afterAll(async () => {
  await superuser.end();
  await database.drop();
});
await superuser.connect();

test('what the database is set to changes nothing: a request is opened, decided and heard of', async () => {
  for (const setting of [
    'jit = on',
    'jit_above_cost = 0',
    'plan_cache_mode = force_custom_plan',
    'default_transaction_isolation = serializable',
    `datestyle = 'German, DMY'`,
    'extra_float_digits = -15',
    `timezone = 'America/New_York'`,
    'search_path = pg_catalog',
    'enable_indexscan = off',
    'max_parallel_workers_per_gather = 4',
    'work_mem = 64',
    `bytea_output = 'escape'`,
    `idle_session_timeout = '100ms'`,
    `idle_in_transaction_session_timeout = '100ms'`,
    'lock_timeout = 1',
  ])
    await superuser.query(`ALTER DATABASE ${name()} SET ${setting}`);
  const server = await startTestServer({ databaseUrl: database.url });
  const asking = askingAt(server.url, await server.createServerKey('payments'));
  const approver = await openBrowser(server);
  for (let times = 0; times < 3; times += 1) {
    const { id, digest } = await asking.open({ tool: { name: 'pay', annotations: { destructiveHint: true } } });
    const heard = asking.call('GET', `/v1/elicitations/${id}?wait=20`);
    const vote = { action: 'accept', digest, content: {} };
    expect((await approver.call('POST', `/api/elicitations/${id}/vote`, vote)).status).toBe(200);
    expect(await (await heard).json()).toMatchObject({ status: 'accepted' });
  }
  await server.stop();
});

test('a start behind a pooler that refuses the settings of a connection names the setting', async () => {
  const pooler = createServer((socket) => socket.once('data', () => socket.end(refusal)));
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const { port } = pooler.address() as AddressInfo;
  await expect(startAs(`postgresql://node:secret@127.0.0.1:${port}/assentry`)).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/^ASSENTRY_DB_POOLER: found off, and a pooler that refuses .*; set it to on/),
  });
  pooler.close();
});

/** As PgBouncer says it. */
const refusal = ((): Buffer => {
  const text = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
  const size = Buffer.alloc(5);
  size.write('E');
  size.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([size, Buffer.from(text)]);
})();

test('a start whose connections do not get their settings names the setting', async () => {
  const url = new URL(nodeUrl(database.url));
  url.searchParams.set('options', '-c statement_timeout=1000');
  await expect(startAs(url.href)).rejects.toThrow(/^ASSENTRY_DB_POOLER: found off, and something that drops/);
});

test('a database that is set to read only stops the start with the statement that allows writing', async () => {
  await superuser.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
  await expect(startAs(nodeUrl(database.url))).rejects.toThrow(
    `run "ALTER ROLE ${nodeLogin.name} IN DATABASE ${name()} SET default_transaction_read_only = off;"`,
  );
  await superuser.query(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);
});

const fit = {
  login: 'node',
  database: 'assentry',
  version: 150_018,
  encoding: 'UTF8',
  isReadOnly: false,
  connections: 97,
};

test.each([
  ['a version that is too old', { version: 140_012 }, 'PostgreSQL 14', 'PostgreSQL 15 or later'],
  ['an encoding without all characters', { encoding: 'SQL_ASCII' }, 'SQL_ASCII', 'CREATE DATABASE assentry_utf8'],
  ['too few connections', { connections: 8 }, '12 connections, where PostgreSQL allows 8', 'max_connections'],
])('%s is refused with its cure', (_what, change, finding, cure) => {
  expect(judgeServer(fit, 12)).toBeNull();
  expect(judgeServer({ ...fit, ...change }, 12)).toMatchObject({
    finding: expect.stringContaining(finding),
    cure: expect.stringContaining(cure),
  });
});

test('migrating gives the login what its connections need behind a pooler', async () => {
  const { rows } = await superuser.query<{ setting: string }>(
    `SELECT unnest(setconfig) AS setting FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
      WHERE rolname = $1 AND setdatabase = (SELECT oid FROM pg_database WHERE datname = 'template_assentry')`,
    [nodeLogin.name],
  );
  const settings = rows.map(({ setting }) => setting);
  expect(settings).toContain('jit=off');
  expect(settings).toContain('search_path=public, pg_temp');
});

test('a trial is refused on a database that has served as production, whatever runs meanwhile', async () => {
  const production = await startTestServer({ environment: 'production' });
  const trial = { databaseUrl: production.databaseUrl, environment: 'trial' };
  const refusal = /^ASSENTRY_ENVIRONMENT: found "trial"; this database has served as "production"/;
  await expect(startTestServer(trial)).rejects.toThrow(refusal);
  const another = await startTestServer({ ...trial, environment: 'production' });
  await another.stop();
  await expect(startTestServer(trial)).rejects.toThrow(refusal);
  await production.stop();
});

test('a trial becomes production by its setting', async () => {
  const trial = await startTestServer({ environment: 'trial' });
  const production = await startTestServer({ databaseUrl: trial.databaseUrl, environment: 'production' });
  await production.stop();
  await trial.stop();
});

test.each([
  ['http://approvals.example.com', 'production', false],
  ['http://localhost.example.com', 'staging', false],
  ['https://approvals.example.com', 'production', true],
  ['http://127.0.0.1:4700', 'production', true],
  ['http://approvals.example.com', 'trial', true],
])('the public address %s serves in %s: %s', (publicUrl, environment, serves) => {
  const check = (): void => assertTls({ publicUrl, environment, databaseUrl: null });
  if (serves) expect(check).not.toThrow();
  else expect(check).toThrow(/^ASSENTRY_PUBLIC_URL: found "http:/);
});
