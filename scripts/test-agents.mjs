// Installs the coding agents in the versions that the hook was tried with, next to the packages of this repository and in none of
// its lock files, and runs the tests that drive them: `npm run test:agents`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const agents = { '@anthropic-ai/claude-code': '2.1.197', '@openai/codex': '0.169.0' };
const folder = path.resolve('node_modules', '.cache', 'agents');

mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: agents }));
run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder], {});
run('npm', ['run', '--silent', 'test:all', '--', 'test/gateway/harness/real-agents'], { ASSENTRY_TEST_AGENTS: folder });

function run(command, words, env) {
  const options = { stdio: 'inherit', env: { ...process.env, ...env }, shell: process.platform === 'win32' };
  const { status } = spawnSync(command, words, options);
  if (status !== 0) process.exit(status ?? 1);
}
