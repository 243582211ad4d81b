import { execFileSync } from 'node:child_process';
import setUpWhole from './setup-whole.mjs';

/** MCP's suites need a newer Node.js than the project; it is installed by the run that needs it. */
export default async function setUpNightly() {
  execFileSync(process.execPath, ['scripts/install-node22.mjs'], { stdio: 'inherit' });
  await setUpWhole();
}
