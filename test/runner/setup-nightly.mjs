import { execFileSync } from 'node:child_process';
import setUpWhole from './setup-whole.mjs';

/** MCP's suites need a newer Node.js than the project, and others the coding agents; both are installed by this run. */
export default async function setUpNightly() {
  for (const script of ['scripts/install-node22.mjs', 'scripts/install-agents.mjs'])
    execFileSync(process.execPath, [script], { stdio: 'inherit' });
  await setUpWhole();
}
