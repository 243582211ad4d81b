import { describe, expect, test } from '@jest/globals';
import { chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { findServerAccount, isReachable } from '#platform/embedded/process';
import {
  leave,
  open,
  openInOtherProcess,
  place,
  query,
  serverPid,
  useEmbeddedDirectory,
} from '../../support/databases/embedded.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

useEmbeddedDirectory();

describe('one process', () => {
  test('data outlives a stop and a start', async () => {
    const first = await open();
    await query(first.url(), 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await expect(query(first.url(), 'SELECT 1')).rejects.toThrow();

    const second = await open();
    expect(second.owned).toBe(true);
    expect(await query(second.url(), 'SELECT answer FROM kept')).toEqual([42]);
    await query(second.url(), 'DROP TABLE kept');
  });

  test("the connection string leads to Assentry's own database unless another is named", async () => {
    const database = await open();
    expect(await query(database.url(), 'SELECT current_database()')).toEqual(['assentry']);
    expect(await query(database.url('postgres'), 'SELECT current_database()')).toEqual(['postgres']);
  });

  test('stopping twice is the same as stopping once', async () => {
    const database = await open();
    await Promise.all([database.stop(), database.stop()]);
    await expect(database.stop()).resolves.toBeUndefined();
  });

  test('a path may hold spaces, quotes and signs that a shell would read', async () => {
    const odd = place(`it's a "data" directory of $HOME`);
    const database = await open(odd);
    expect(await query(database.url(), 'SELECT 1')).toEqual([1]);
    await database.stop({ remove: true });
    expect(statSync(odd, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a path too long for a socket is served on the loopback address', async () => {
    const long = place('long'.repeat(25));
    const database = await open(long);
    expect(new URL(database.url()).hostname).toBe('127.0.0.1');
    expect(await query(database.url(), 'SELECT host(inet_server_addr())')).toEqual(['127.0.0.1']);
    await database.stop({ remove: true });
  });
});

describe('what others may not do', () => {
  test('the password is asked for, and only its owner may read it', async () => {
    const database = await open();
    const wrong = new URL(database.url());
    wrong.password = 'guess';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(statSync(path.join(place(), 'postgres', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(place(), 'postgres', 'run')).mode & 0o777).toBe(0o700);
  });

  test("PostgreSQL gets neither our secrets nor someone's PG variables", async () => {
    const { PATH } = process.env;
    const database = await open(place(), {
      PATH,
      ASSENTRY_SECRET: 'do-not-pass-this-on',
      PGDATA: '/nowhere',
      PGPORT: '9',
    });
    const script = `CREATE TEMP TABLE environment (line text); COPY environment FROM PROGRAM 'env'`;
    const client = new pg.Client({ connectionString: database.url() });
    await client.connect();
    await client.query(script);
    const { rows } = await client.query<{ line: string }>('SELECT line FROM environment');
    await client.end();
    const environment = rows.map(({ line }) => line).join('\n');
    expect(environment).toContain('TZ=UTC');
    expect(environment).not.toContain('do-not-pass-this-on');
    expect(environment).not.toMatch(/^PGPORT=9$/m);
  });

  test('an error that quotes a row leaves no trace of it in the log', async () => {
    const database = await open();
    await query(database.url(), 'CREATE TABLE kept_once (word text PRIMARY KEY)');
    await query(database.url(), `INSERT INTO kept_once VALUES ('whispered')`);
    await expect(query(database.url(), `INSERT INTO kept_once VALUES ('whispered')`)).rejects.toThrow('duplicate key');
    await query(database.url(), 'DROP TABLE kept_once');
    const log = readFileSync(path.join(place(), 'postgres', 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('whispered');
  });
});

if (isRoot) {
  describe('as root', () => {
    test('PostgreSQL runs as an ordinary user and may write only what is its own', async () => {
      await open();
      const server = statSync(`/proc/${serverPid()}`, { throwIfNoEntry: false });
      expect(server?.uid).toBe(findServerAccount()?.uid);
      expect(statSync(place()).uid).toBe(0);
      expect(statSync(path.join(place(), 'postgres')).uid).toBe(0);
    });

    test('a directory closed to that user is refused, with advice', async () => {
      const closed = place('closed');
      mkdirSync(closed, { mode: 0o700 });
      const start = open(path.join(closed, 'data'));
      await expect(start).rejects.toThrowProblem('database-unavailable');
      await expect(start).rejects.toThrow('ASSENTRY_DATA_DIR');
    });
  });
}

// Where only root may walk to the project, no other user can run it.
if (isRoot && isReachable(process.cwd())) {
  test('an ordinary user needs nothing from the system', async () => {
    const own = place('ordinary');
    mkdirSync(own, { mode: 0o700 });
    chownSync(own, NOBODY, NOBODY);
    const other = await openInOtherProcess(path.join(own, 'data'), NOBODY);
    expect(await query(other.url, 'SELECT current_database()')).toEqual(['assentry']);
    expect(statSync(path.join(own, 'data')).mode & 0o777).toBe(0o700);
    await leave(other);
  });
}
