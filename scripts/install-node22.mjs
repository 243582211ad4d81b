// `npm ci` runs this: where the running Node.js is too old for MCP's own tools, the tests get a second one. It is
// installed next to them and not as a dependency of the project, whose scripts would find its `node` before their own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const directory = 'test/support/node22';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 19);
const isThere = existsSync(`${directory}/node_modules/node22/bin/node`);
// An image or a consumer has no tests, and there is a second one for Linux on x64 alone.
const isWanted = existsSync(directory) && process.platform === 'linux' && process.arch === 'x64';
if (isNewEnough || isThere || !isWanted) process.exit(0);

const npm = process.env.npm_execpath;
const [program, ...words] = npm ? [process.execPath, npm] : ['npm'];
const { status, stdout, stderr } = spawnSync(program, [...words, 'ci', '--ignore-scripts'], {
  cwd: directory,
  encoding: 'utf8',
});
if (status !== 0) process.stderr.write(stdout + stderr);
process.exit(status ?? 1);
