import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findServerAccount } from '../../src/store/embedded-account.ts';
import { startEmbeddedDatabase, type EmbeddedDatabase } from '../../src/store/embedded-database.ts';
import { isReachable } from '../../src/store/embedded-directory.ts';
import { findProcess } from '../../src/store/embedded-process.ts';
import { until } from '../support/poll.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const OWNER_SCRIPT = path.resolve('test/support/embedded-owner.ts');

let base: string;
let directory: string; // one cluster for all tests; each leaves it stopped
const opened: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];

beforeAll(() => {
  base = mkdtempSync(path.join(process.env.TEST_DIRECTORY ?? os.tmpdir(), 'embedded-'));
  chmodSync(base, 0o755);
  directory = path.join(base, 'data');
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(killHard));
  await Promise.all(opened.splice(0).map((database) => database.stop()));
});
afterAll(async () => {
  await (await open()).stop({ remove: true });
  rmSync(base, { recursive: true, force: true });
});

async function open(at = directory, env: NodeJS.ProcessEnv = process.env): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ directory: at, env });
  opened.push(database);
  return database;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const result = await client.query({ text: sql, rowMode: 'array' });
    return result.rows.flat();
  } finally {
    await client.end();
  }
}

function keep(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

interface OtherProcess {
  child: ChildProcess;
  url: string;
  owned: boolean;
}

async function openInOtherProcess(at = directory, uid?: number): Promise<OtherProcess> {
  const parameters = ['--import', 'tsx', OWNER_SCRIPT, at, ...(uid === undefined ? [] : [String(uid)])];
  const child = keep(spawn(process.execPath, parameters, { stdio: ['pipe', 'pipe', 'inherit'], detached: true }));
  const [line] = (await Promise.race([
    once(child.stdout ?? child, 'data'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the other process ended with ${String(code)}`))),
  ])) as [Buffer];
  return { child, ...(JSON.parse(line.toString()) as { url: string; owned: boolean }) };
}

async function leave({ child }: OtherProcess): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

const pidFile = (): string => path.join(directory, 'postgres', 'data', 'postmaster.pid');
const serverPid = (): number => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);
const isDown = async (pid: number): Promise<boolean> => (await findProcess(pid)) === undefined;

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
    const odd = path.join(base, `it's a "data" directory of $HOME`);
    const database = await open(odd);
    expect(await query(database.url(), 'SELECT 1')).toEqual([1]);
    await database.stop({ remove: true });
    expect(statSync(odd, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a path too long for a socket is served on the loopback address', async () => {
    const long = path.join(base, 'long'.repeat(25));
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
    expect(statSync(path.join(directory, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(directory, 'postgres', 'run')).mode & 0o777).toBe(0o700);
  });

  test("PostgreSQL gets neither our secrets nor somebody's PG variables", async () => {
    const { PATH } = process.env;
    const database = await open(directory, {
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
    const log = readFileSync(path.join(directory, 'postgres', 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('whispered');
  });
});

describe('after a violent end', () => {
  test('a killed owner leaves the server running, and the next start owns it', async () => {
    const other = await openInOtherProcess();
    await query(other.url, 'CREATE TABLE IF NOT EXISTS kept_running AS SELECT 7 AS n');
    const pid = serverPid();
    await killHard(other.child);

    const database = await open();
    expect(database.owned).toBe(true);
    expect(serverPid()).toBe(pid);
    expect(await query(database.url(), 'SELECT n FROM kept_running')).toEqual([7]);
    await database.stop();
    expect(await isDown(pid)).toBe(true);
  });

  test("a Ctrl-C in the owner's terminal does not reach the server", async () => {
    const other = await openInOtherProcess();
    process.kill(-(other.child.pid ?? 0), 'SIGINT'); // to its whole process group, as a terminal does
    await once(other.child, 'exit');
    expect(await query(other.url, 'SELECT 1')).toEqual([1]);
    await open(); // takes over, and stops it
  });

  test('a killed server is started again with what had been committed', async () => {
    const first = await open();
    await query(first.url(), 'CREATE TABLE committed AS SELECT 8 AS n');
    const pid = serverPid();
    process.kill(pid, 'SIGKILL');
    await until(() => isDown(pid));
    await first.stop();

    const second = await open();
    expect(serverPid()).not.toBe(pid);
    expect(await query(second.url(), 'SELECT n FROM committed')).toEqual([8]);
    await query(second.url(), 'DROP TABLE committed');
  });

  test('a pid file whose number now belongs to another process is put aside', async () => {
    const stale = await readPidFileOfStopped();
    const account = findServerAccount();
    const stranger = keep(spawn('sleep', ['60'], { ...account, stdio: 'ignore' }));
    await once(stranger, 'spawn');
    writeStale(stale, stranger.pid);

    const database = await open();
    expect(await query(database.url(), 'SELECT 1')).toEqual([1]);
    expect(stranger.exitCode).toBeNull();
  });

  test('a pid file whose number belongs to a zombie is put aside', async () => {
    const stale = await readPidFileOfStopped();
    // The shell becomes a sleep that never asks after its child, which then ends and stays a zombie.
    const parent = keep(
      spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
        ...findServerAccount(),
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    const [line] = (await once(parent.stdout ?? parent, 'data')) as [Buffer];
    const zombie = Number(line.toString());
    await until(() => isDown(zombie));
    expect(process.kill(zombie, 0)).toBe(true);
    writeStale(stale, zombie);

    const database = await open();
    expect(await query(database.url(), 'SELECT 1')).toEqual([1]);
  });

  async function readPidFileOfStopped(): Promise<string> {
    const database = await open();
    const content = readFileSync(pidFile(), 'utf8');
    await database.stop();
    return content;
  }

  function writeStale(content: string, pid: number | undefined): void {
    writeFileSync(pidFile(), content.replace(/^\d+/, String(pid)), { mode: 0o600 });
    const account = findServerAccount();
    if (account) chownSync(pidFile(), account.uid, account.gid);
  }
});

describe('several processes', () => {
  test('a second one uses the server of the first and does not stop it', async () => {
    const first = await openInOtherProcess();
    const second = await open();
    expect([first.owned, second.owned]).toEqual([true, false]);
    await second.stop();
    expect(await query(first.url, 'SELECT 1')).toEqual([1]);
  });

  test('the server stays while anybody uses it, and goes with the last', async () => {
    const first = await openInOtherProcess();
    const second = await open();
    await leave(first);
    expect(await query(second.url(), 'SELECT 1')).toEqual([1]);
    const pid = serverPid();
    await second.stop();
    expect(await isDown(pid)).toBe(true);
  });

  test('three that start at once on a new directory share one server', async () => {
    const fresh = path.join(base, 'race');
    const [one, two, ours] = await Promise.all([openInOtherProcess(fresh), openInOtherProcess(fresh), open(fresh)]);
    expect([one.owned, two.owned, ours.owned].filter(Boolean)).toHaveLength(1);
    const started = 'SELECT pg_postmaster_start_time()::text';
    const times = await Promise.all([one.url, two.url, ours.url()].map((url) => query(url, started)));
    expect(new Set(times.flat()).size).toBe(1);
    await Promise.all([leave(one), leave(two)]);
    await ours.stop({ remove: true });
  });
});

if (isRoot) {
  describe('as root', () => {
    test('PostgreSQL runs as an ordinary user and may write only what is its own', async () => {
      await open();
      const server = statSync(`/proc/${serverPid()}`, { throwIfNoEntry: false });
      expect(server?.uid).toBe(findServerAccount()?.uid);
      expect(statSync(directory).uid).toBe(0);
      expect(statSync(path.join(directory, 'postgres')).uid).toBe(0);
    });

    test('a directory closed to that user is refused, with advice', async () => {
      const closed = path.join(base, 'closed');
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
    const own = path.join(base, 'ordinary');
    mkdirSync(own, { mode: 0o700 });
    chownSync(own, NOBODY, NOBODY);
    const other = await openInOtherProcess(path.join(own, 'data'), NOBODY);
    expect(await query(other.url, 'SELECT current_database()')).toEqual(['assentry']);
    expect(statSync(path.join(own, 'data')).mode & 0o777).toBe(0o700);
    await leave(other);
  });
}
