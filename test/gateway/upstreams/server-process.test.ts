import { expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { startProcess } from '#gateway/upstreams/stdio';
import { until } from '../../support/poll.ts';

test('what a server said before it ended is there for who reads it later, and only then it has ended', async () => {
  const script = 'console.log(process.pid); process.stderr.write("no token"); process.exitCode = 3';
  const server = await startProcess({ command: process.execPath, args: ['-e', script], env: process.env });
  const first = server.stdout[Symbol.asyncIterator]();
  const pid = Number(String((await first.next()).value));
  await until(() => !isAlive(pid));
  let code: number | null = null;
  void server.ended.then((ended) => (code = ended));
  await new Promise((resolve) => setImmediate(resolve));
  expect(code).toBeNull();
  expect(await text(server.stderr)).toBe('no token');
  expect((await first.next()).done).toBe(true);
  expect(await server.ended).toBe(3);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
