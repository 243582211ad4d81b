import { describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { findServerAccount } from '#platform/embedded/process';
import {
  isDown,
  keep,
  killHard,
  leave,
  open,
  openInOtherProcess,
  pidFile,
  place,
  query,
  serverPid,
  useEmbeddedDirectory,
} from '../../support/databases/embedded.ts';
import { until } from '../../support/poll.ts';

useEmbeddedDirectory();

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
    await until(() => isDown(pid)); // it removes its pid file, on which a stop waits, before it ends
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

  test('the server stays while anyone uses it, and goes with the last', async () => {
    const first = await openInOtherProcess();
    const second = await open();
    await leave(first);
    expect(await query(second.url(), 'SELECT 1')).toEqual([1]);
    const pid = serverPid();
    await second.stop();
    await until(() => isDown(pid)); // it removes its pid file, on which a stop waits, before it ends
  });

  test('three that start at once on a new directory share one server', async () => {
    const fresh = place('race');
    const [first, second, ours] = await Promise.all([
      openInOtherProcess(fresh),
      openInOtherProcess(fresh),
      open(fresh),
    ]);
    expect([first.owned, second.owned, ours.owned].filter(Boolean)).toHaveLength(1);
    const started = 'SELECT pg_postmaster_start_time()::text';
    const times = await Promise.all([first.url, second.url, ours.url()].map((url) => query(url, started)));
    expect(new Set(times.flat()).size).toBe(1);
    await Promise.all([leave(first), leave(second)]);
    await ours.stop({ remove: true });
  });
});
