// Installs the coding agents in the versions that the hook was tried with, next to the packages of this repository and in none of
// its lock files. The nightly tests drive them by a mock model.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const agents = {
  '@anthropic-ai/claude-code': '2.1.197',
  '@github/copilot': '1.0.102',
  '@google/gemini-cli': '0.61.0',
  '@openai/codex': '0.169.0',
  'opencode-ai': '1.18.33',
};
const folder = path.resolve('node_modules', '.cache', 'agents');
const manifest = path.join(folder, 'package.json');
// Their own scripts put their programs for this platform in place; no other package runs one.
const allowScripts = { '@anthropic-ai/claude-code': true, 'opencode-ai': true };
const wanted = JSON.stringify({ private: true, dependencies: agents, allowScripts });
const isInstalled = existsSync(path.join(folder, 'node_modules', '.package-lock.json'));
if (isInstalled && readFileSync(manifest, 'utf8') === wanted) process.exit(0);

mkdirSync(folder, { recursive: true });
writeFileSync(manifest, wanted);
const words = ['install', '--no-audit', '--no-fund', '--prefix', folder];
const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' });
process.exit(status ?? 1);
