// The nightly run runs this: MCP's Inspector and its conformance suite need a newer Node.js than the project, so the tests
// get all three here. They are installed next to the tests and not as dependencies of the project, whose scripts would find
// this `node` before their own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const directory = 'test/support/node22';
const isThere = ['inspector', 'conformance'].every((name) =>
  existsSync(`${directory}/node_modules/@modelcontextprotocol/${name}`),
);
const isWanted = existsSync(directory); // an image or a consumer has no tests
if (isThere || !isWanted) process.exit(0);

const npm = process.env.npm_execpath;
const [program, ...words] = npm ? [process.execPath, npm] : ['npm'];
const { status, stdout, stderr } = spawnSync(program, [...words, 'ci', '--ignore-scripts'], {
  cwd: directory,
  encoding: 'utf8',
});
if (status !== 0) process.stderr.write(stdout + stderr);
process.exit(status ?? 1);
