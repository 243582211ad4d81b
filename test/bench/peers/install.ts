import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** Installs the packages of the peers next to them, unless they are there; says what npm said if it cannot. */
export function installPeers(say: (sentence: string) => void): void {
  const directory = path.resolve('test/bench/peers');
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) =>
    path.join(directory, name),
  );
  if (isNewer(installed, lock)) return;
  say('Installing the peers …');
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: directory, encoding: 'utf8' });
  if (status !== 0) say(stderr.split('\n').slice(0, 5).join('\n'));
}

const isNewer = (first = '', other = ''): boolean =>
  existsSync(first) && statSync(first).mtimeMs >= statSync(other).mtimeMs;
