// Installs the coding agents in the versions that the hook was tried with, next to the packages of this repository and in none of
// its lock files. The nightly tests drive them by a mock model.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const agents = { '@anthropic-ai/claude-code': '2.1.197', '@openai/codex': '0.169.0' };
const folder = path.resolve('node_modules', '.cache', 'agents');
const manifest = path.join(folder, 'package.json');
const wanted = JSON.stringify({ private: true, dependencies: agents });
if (existsSync(manifest) && readFileSync(manifest, 'utf8') === wanted) process.exit(0);

mkdirSync(folder, { recursive: true });
const isWindows = process.platform === 'win32';
const words = [
  'install',
  '--no-audit',
  '--no-fund',
  '--prefix',
  folder,
  ...Object.entries(agents).map((agent) => agent.join('@')),
];
const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: isWindows });
if (status === 0) writeFileSync(manifest, wanted);
process.exit(status ?? 1);
