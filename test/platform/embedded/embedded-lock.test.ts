import { afterAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { withLock } from '#platform/embedded/database';

const base = mkdtempSync(path.join(os.tmpdir(), 'assentry-lock-'));
afterAll(() => rmSync(base, { recursive: true }));
const file = path.join(base, 'lock');

test('work under one lock never overlaps', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await turn();
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(file, work)));
  expect(most).toBe(1);
  expect(readdirSync(base)).toEqual([]);
});

test('the lock is free again after work that failed', async () => {
  const failure = new Error('as intended');
  await expect(withLock(file, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(existsSync(file)).toBe(false);
});

test('several waiters pass over a dead holder one at a time', async () => {
  const dead = spawnSync('true').pid;
  writeFileSync(file, `${dead} 1`);
  let inside = 0;
  const work = async () => {
    inside++;
    await turn();
    return inside--;
  };
  expect(await Promise.all(Array.from({ length: 5 }, () => withLock(file, work)))).toEqual([1, 1, 1, 1, 1]);
});

test('a holder whose number was given to another process is dead', async () => {
  writeFileSync(file, `${process.pid} started-long-ago`);
  expect(await withLock(file, () => Promise.resolve('in'))).toBe('in');
});
