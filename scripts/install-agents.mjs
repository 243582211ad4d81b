// Installs the coding agents in the versions that the hook was tried with, next to the packages of this repository and in none of
// its lock files; with `newest`, in their newest versions, in a folder of their own. The nightly tests drive both by a mock model.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const pinned = {
  '@anthropic-ai/claude-code': '2.1.332',
  '@github/copilot': '1.0.102',
  '@google/gemini-cli': '0.61.0',
  '@openai/codex': '0.171.0',
  'opencode-ai': '1.18.33',
};
const isNewest = process.argv[2] === 'newest';
const folder = path.resolve('node_modules', '.cache', isNewest ? 'agents-newest' : 'agents');
const manifest = path.join(folder, 'package.json');
// Their own scripts put their programs for this platform in place; no other package runs one.
const allowScripts = {
  '@anthropic-ai/claude-code': true,
  'opencode-ai': true,
  '@github/keytar': false,
  'node-pty': false,
};
const wanted = JSON.stringify({ private: true, dependencies: isNewest ? {} : pinned, allowScripts });
const isInstalled = existsSync(path.join(folder, 'node_modules', '.package-lock.json'));
if (isInstalled && !isNewest && readFileSync(manifest, 'utf8') === wanted) process.exit(0);

mkdirSync(folder, { recursive: true });
writeFileSync(manifest, wanted);
const newest = isNewest ? Object.keys(pinned).map((name) => `${name}@latest`) : [];
const words = ['install', '--no-audit', '--no-fund', '--prefix', folder, ...newest];
const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' });
process.exit(status ?? 1);
