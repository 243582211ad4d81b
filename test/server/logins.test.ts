import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrateInstallation } from '#server/installation';
import { urlOf } from '#server/database';
import { askingAt } from '../support/nodes/asking.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeLogin, nodeUrl } from '../support/databases/node-login.ts';
import { startTestServer, startAs } from '../support/nodes/server.ts';

const ownerPassword = 'the-password-of-the-owner';
const name = (): string => new URL(database.url).pathname.slice(1);
/** An empty database that belongs to a login that is no superuser, and may make roles. */
const database = await freshDatabase({ template: 'template0' });
const superuser = new pg.Client({ connectionString: database.url });
await superuser.connect();
const owner = `owner_of_${name()}`;
await superuser.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${ownerPassword}'`);
await superuser.query(`GRANT assentry_app TO ${owner} WITH ADMIN OPTION`);
await superuser.query(`ALTER DATABASE ${name()} OWNER TO ${owner}`);
const ownerUrl = urlOf(database.url, owner, ownerPassword);
afterAll(async () => {
  await superuser?.end();
  await database?.drop();
  const cluster = await connect(urlInCluster('postgres'));
  for (const role of ['node', 'friend']) await cluster.query(`DROP ROLE IF EXISTS ${name()}_${role}`);
  await cluster.query(`DROP ROLE IF EXISTS owner_of_${name()}`);
  await cluster.end();
});

function urlInCluster(other: string): string {
  const url = new URL(database.url);
  url.pathname = `/${other}`;
  return url.href;
}

const settings = { dataDirectory: null, databasePort: null };
const migrate = (login = {}, databaseUrl = ownerUrl) => migrateInstallation({ ...settings, databaseUrl }, login);

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

describe('two logins', () => {
  let url = '';

  test('before the owner has migrated, no node starts, and the refusal says what to run', async () => {
    await expect(startAs(ownerUrl)).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(/^Run "assentry migrate" with the DATABASE_URL of the login that owns/),
    });
  });

  test('the owner migrates and makes the login of nodes, which is told once; its password is no text of any statement', async () => {
    const first = await migrate();
    expect(first).toMatchObject({ login: `${name()}_node`, url: expect.stringContaining(`${name()}_node:`) });
    expect(first.migrated).not.toEqual([]);
    url = first.url ?? '';
    expect(await migrate()).toEqual({ migrated: [], login: first.login, url: null });
    const { rows } = await superuser.query<{ rolpassword: string }>(
      `SELECT rolpassword FROM pg_authid WHERE rolname = '${first.login}'`,
    );
    expect(rows[0]?.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
  });

  test('a node runs under it, asks and signs, and owns nothing', async () => {
    const server = await startAs(url);
    await askingAt(server.url, await server.createServerKey('payments')).open();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
    const node = await connect(url);
    const { rows } = await node.query(
      `SELECT count(*)::int AS owned FROM pg_class WHERE relowner = current_user::regrole`,
    );
    expect(rows).toEqual([{ owned: 0 }]);
    for (const forbidden of [
      `UPDATE vote SET action = 'accept'`,
      'DELETE FROM audit_entry',
      'TRUNCATE elicitation',
      'ALTER TABLE elicitation DISABLE TRIGGER ALL',
      'CREATE TABLE mine (n int)',
      'SET session_replication_role = replica',
      `SET ROLE owner_of_${name()}`,
      `COPY app_user TO PROGRAM 'cat'`,
      'CREATE ROLE another',
    ]) {
      await expect(node.query(forbidden)).rejects.toMatchObject({ code: '42501' });
    }
    await node.end();
  });

  test.each([
    ['the owner', () => ownerUrl, /owns the table/],
    ['a superuser', () => database.url, /is a superuser/],
  ])('no node and no command starts as %s', async (_who, address, result) => {
    await expect(startAs(address())).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(result),
    });
    await expect(startAs(address())).rejects.toThrow(/^DATABASE_URL: .*run "assentry migrate" with it/);
  });

  test('a login that is a member of the owner is an owner', async () => {
    const friend = `${name()}_friend`;
    await superuser.query(`CREATE ROLE ${friend} LOGIN PASSWORD '${ownerPassword}' IN ROLE owner_of_${name()}`);
    await expect(startAs(urlOf(ownerUrl, friend, ownerPassword))).rejects.toThrow(/owns the table/);
  });

  test('rights that are missing are named, and given again by the owner', async () => {
    await superuser.query('REVOKE INSERT ON vote FROM assentry_app');
    await expect(startAs(url)).rejects.toThrow(
      `Run "assentry migrate" with the DATABASE_URL of the login that owns the database. The login ${name()}_node lacks the right to INSERT in the table vote.`,
    );
    await migrate();
    await (await startAs(url)).stop();
  });

  test('a new password replaces the one before, and one that is given is taken', async () => {
    const again = await migrate({ isReset: true });
    await expect(connect(url)).rejects.toMatchObject({ code: '28P01' });
    await (await connect(again.url ?? '')).end();
    await migrate({ password: 'a-password-that-was-given' });
    await (await connect(urlOf(ownerUrl, `${name()}_node`, 'a-password-that-was-given'))).end();
  });

  test('a login that owns something, or may more than a node, is not made one of nodes', async () => {
    await expect(migrate({ name: `owner_of_${name()}` })).rejects.toMatchObject({
      code: 'already-exists',
      message: expect.stringMatching(/^Give another name: the login/),
    });
  });

  test('who may not make roles is told the statement that someone else runs', async () => {
    await superuser.query(`ALTER ROLE owner_of_${name()} NOCREATEROLE`);
    await expect(migrate({ name: `${name()}_other` })).rejects.toMatchObject({
      code: 'migration-failed',
      message: expect.stringMatching(
        /^Have an administrator of the database server run "CREATE ROLE "?\w+_other"? LOGIN PASSWORD '…';"/,
      ),
    });
    await superuser.query(`ALTER ROLE owner_of_${name()} CREATEROLE`);
  });
});

test('several owners at once make one login', async () => {
  const other = await freshDatabase();
  const databases = await Promise.all([1, 2, 3].map(() => migrate({ name: nodeLogin.name }, other.url)));
  expect(databases.map(({ url }) => url)).toEqual([null, null, null]);
  const server = await startTestServer({ databaseUrl: nodeUrl(other.url) });
  await server.stop();
  await other.drop();
});
