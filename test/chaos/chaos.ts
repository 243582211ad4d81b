import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isBrokenBuildCaught } from './broken-build.ts';
import { faultKinds, type FaultKind } from './faults.ts';
import { describeRun, isHeld } from './report.ts';
import { poolModes } from './pgbouncer.ts';
import { runChaos } from './run.ts';

// npm run chaos -- --lifecycles 1000 --seconds 300 --seed 7    load under faults, and a table of what was found
// npm run chaos -- --faults kill,restart                        only these kinds
// npm run chaos -- --pgbouncer transaction                      behind a pooler of this machine, in this mode
// npm run chaos -- --broken                                     that a broken build is caught

const { values } = parseArgs({
  options: {
    lifecycles: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: faultKinds.join(',') },
    pgbouncer: { type: 'string' },
    broken: { type: 'boolean', default: false },
  },
});

async function main(): Promise<boolean> {
  const { lifecycles, seconds, seed, faults } = values;
  if (values.broken) {
    const isCaught = isBrokenBuildCaught(['--lifecycles', lifecycles, '--seconds', seconds, '--faults', faults]);
    process.stdout.write(isCaught ? 'The broken build is caught.\n' : 'The broken build is not caught.\n');
    return isCaught;
  }
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'chaos-')), 'history.jsonl');
  process.stderr.write(`The history is in ${file}\n`);
  const options = { lifecycles: Number(lifecycles), seconds: Number(seconds), seed: Number(seed), file };
  const poolMode = poolModes.find((mode) => mode === values.pgbouncer);
  if (values.pgbouncer !== undefined && !poolMode) throw new TypeError('Give --pgbouncer session or transaction.');
  const result = await runChaos({ ...options, poolMode, faults: faults.split(',') as FaultKind[] });
  process.stdout.write(describeRun(result));
  return isHeld(result);
}

/** What a broken promise ends with, and a run that could not be made. */
const [violated, failed] = [1, 2];
const code = await main().then(
  (isRight) => (isRight ? 0 : violated),
  (error: unknown) => (console.error(error), failed),
);
process.exit(code);
