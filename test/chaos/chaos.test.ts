import { execFile } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { compiled } from '../support/compiled.ts';

/** The program's exit code, and what it printed. */
const runChaos = (...parameters: string[]): Promise<{ code: unknown; table: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [compiled('test/chaos/chaos.ts'), ...parameters], (error, stdout) =>
      resolve({ code: error ? error.code : 0, table: stdout }),
    );
  });

test('a hundred lifecycles keep every promise while nodes are killed and the network and the database fail', async () => {
  const { code, table } = await runChaos('--lifecycles', '100', '--seconds', '12');
  expect([code, table]).toEqual([0, expect.stringMatching(/^100 requests in/)]);
}, 240_000);

test('a standby that takes over has all that was acknowledged, and callers see a delay', async () => {
  const { code, table } = await runChaos('--lifecycles', '40', '--seconds', '5', '--faults', 'failover');
  expect([code, table]).toEqual([0, expect.stringMatching(/failover without a word +1\nfailover +1\n/)]);
}, 240_000);

test('a build whose claim lost its condition is caught', async () => {
  const { code, table } = await runChaos('--broken', '--lifecycles', '24', '--seconds', '3', '--faults', 'wake-ups');
  expect([code, table]).toEqual([0, expect.stringContaining('call_')]);
  expect(table).toMatch(/at most one execution, and only if approved:\n {2}call_\S+ ran 2 times/);
}, 240_000);
