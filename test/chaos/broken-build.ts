import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { copySources, putFault } from '../mutation/copy-sources.ts';
import type { Fault } from '../mutation/fault.ts';

/** The claim no longer asks whether the call is as it was read: two processes that claim at once both get it. */
export const brokenClaim: Fault = {
  file: 'src/requests/claims/store.ts',
  text: `WHERE id = \${id} AND state = \${call.state} AND attempt IS NOT DISTINCT FROM \${call.attempt}
       AND claimed_at IS NOT DISTINCT FROM \${moment(call.claimedAt)}`,
  becomes: 'WHERE id = ${id}',
  tests: ['test/chaos/chaos.test.ts'],
};

/** Runs the suite with these parameters in a copy of the sources that has the fault; true if the checker saw it. */
export function isBrokenBuildCaught(parameters: string[]): boolean {
  const root = copySources();
  try {
    putFault(root, brokenClaim);
    const run = spawnSync(process.execPath, ['test/chaos/start.mjs', ...parameters], { cwd: root, stdio: 'inherit' });
    return run.status === 1;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
