import { afterAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readConfig } from '#platform/config/config';
import { readSecrets } from '#platform/config/secrets';
import { openOperator } from '#server/open-operator';
import { freshDatabase } from '../support/databases/database.ts';
import { nodeUrl } from '../support/databases/node-login.ts';
import { until } from '../support/poll.ts';
import { ask } from './asking.ts';
import { killProcesses, runAssentry, sentencesOf, serveAssentry } from './assentry-process.ts';
import { shippedProgram } from '../support/compiled.ts';

const database = await freshDatabase();
afterAll(async () => {
  await killProcesses();
  await database.drop();
});
const env: Record<string, string> = {
  DATABASE_URL: nodeUrl(database.url),
  ASSENTRY_SECRET: 'a-secret-for-tests-of-enough-characters',
};
const operator = await openOperator({ ...readConfig(env), secrets: readSecrets(env) });
const key = await operator.createServerKey('payments').finally(() => operator.close());

const workersOf = (pid: number | undefined): number[] => {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return processes.flatMap(([worker = 0, parent]) => (parent === pid ? [worker] : []));
};
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('workers share a port, are replaced when they die and in turn on SIGHUP, and end together', async () => {
  const server = await serveAssentry(env, [shippedProgram], ['--workers', '2']);
  const { pid } = server.child;
  const started = workersOf(pid);
  expect(started).toHaveLength(2);
  expect(server.said.stdout).toBe(`Assentry is ready at ${server.url}\n`);
  await until(() => server.said.stderr.includes('No one can sign in yet'));
  expect(server.said.stderr.match(/No one can sign in yet/g)).toHaveLength(1);
  const command = /^No one can sign in yet\. .*: assentry user add EMAIL --role admin$/; // without a directory for the link
  expect(sentencesOf(server.said.stderr)).toContainEqual(expect.stringMatching(command));
  expect(server.said.stderr).not.toContain('link=');

  process.kill(started[0] ?? 0, 'SIGKILL');
  await until(() => server.said.stderr.includes('A worker has died and is replaced'));
  await until(() => workersOf(pid).length === 2);
  expect((await ask(server.url, key)).id).toMatch(/^eli_/);

  const before = workersOf(pid);
  let isRenewed = false;
  let answers = 0;
  const asking = Array.from({ length: 4 }, async () => {
    while (!isRenewed) {
      const { ok } = await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } });
      expect(ok).toBe(true); // no connection is refused meanwhile
      answers += 1;
    }
  });
  server.child.kill('SIGHUP');
  await until(() => server.said.stderr.includes('Each worker has been replaced.'));
  isRenewed = true;
  await Promise.all(asking);
  expect(answers).toBeGreaterThan(10);
  const after = workersOf(pid);
  expect(after).toHaveLength(2);
  expect(after.filter((worker) => before.includes(worker))).toEqual([]);

  expect((await server.end('SIGTERM')).code).toBe(0);
  expect(after.filter(isAlive)).toEqual([]);
});

test('metrics are of all workers, whichever answers', async () => {
  const token = 'a-token-for-metrics-of-enough-characters';
  const server = await serveAssentry({ ...env, ASSENTRY_METRICS_TOKEN: token }, [shippedProgram], ['--workers', '2']);
  const read = async (): Promise<string[]> => {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    return (await (await fetch(`${server.url}/metrics`, { headers })).text()).split('\n');
  };
  const starts = (lines: string[]) => lines.filter((line) => line.startsWith('process_start_time_seconds')).sort();
  await Promise.all(Array.from({ length: 9 }, () => fetch(`${server.url}/api/elicitations`))); // 401, by either worker
  const scrapes = await Promise.all(Array.from({ length: 6 }, read));
  const [first] = scrapes;
  expect(starts(first ?? [])).toEqual(['1', '2'].map((name) => expect.stringContaining(`{worker="${name}"}`)));
  for (const lines of scrapes) {
    expect(starts(lines)).toEqual(starts(first ?? []));
    const refused = lines.filter((line) => /^assentry_problems_total\{.*unauthenticated/.test(line));
    expect(refused.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)).toBe(9);
    expect(lines.filter((line) => line.startsWith('assentry_outbox_untold'))).toEqual(['assentry_outbox_untold 0']);
  }
  await server.end('SIGTERM');
});

test('workers whose starter was killed stop by themselves', async () => {
  const server = await serveAssentry(env, [shippedProgram], ['--workers', '2']);
  const workers = workersOf(server.child.pid);
  expect(workers).toHaveLength(2);
  server.child.kill('SIGKILL');
  await until(() => !workers.some(isAlive));
});

test.each([
  [['--workers', '0'], 'Give a number from 1 to 64, or auto: 0 is neither.'],
  [['--workers', 'many'], 'Give a number from 1 to 64, or auto: many is neither.'],
])('serve %j is refused', async (words, sentence) => {
  const ended = await runAssentry(['serve', ...words], { env });
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

test('what is wrong with every worker is said once', async () => {
  const ended = await runAssentry(['serve', '--workers', '2'], { env: { ...env, ASSENTRY_HOST: '192.0.2.1' } });
  expect(ended.code).toBe(2);
  expect(ended.stderr.match(/ASSENTRY_HOST/g)).toHaveLength(1);
});
