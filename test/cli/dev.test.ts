import { afterAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../support/poll.ts';
import { discardDirectory, findDatabase, newDataDirectory } from './data-directory.ts';
import { freePort } from '../support/nodes/free-port.ts';

const directory = newDataDirectory('dev');
afterAll(() => discardDirectory(directory));

test.each(['SIGTERM', 'SIGINT'] as const)(
  'npm run dev leaves no database running if all its processes get %s at once',
  async (signal) => {
    const port = await freePort(2);
    const dev = spawn(process.execPath, ['scripts/dev.mjs'], {
      detached: true, // a group of its own, as in a terminal
      stdio: 'ignore',
      env: { PATH: process.env.PATH ?? '', ASSENTRY_DATA_DIR: directory, ASSENTRY_PORT: String(port) },
    });
    const ended = once(dev, 'exit');
    const isReady = () =>
      fetch(`http://127.0.0.1:${port + 1}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isReady);
    expect(await findDatabase(directory)).toBeGreaterThan(0);
    process.kill(-(dev.pid ?? 0), signal);
    await ended;
    await until(async () => !(await findDatabase(directory)));
  },
);
