import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The oldest Node.js that MCP's own tools start on. */
const oldest = [22, 19] as const;
const bundled = path.resolve('test/support/node22/node_modules/node22/bin/node');

/** A Node.js that MCP's own tools start on: the one at work, else the one that `npm ci` installs next to the tests. */
export function findNode22(running = process.versions.node, second = bundled): string {
  if (isNewEnough(running)) return process.execPath;
  if (existsSync(second)) return second;
  throw new TypeError(
    `MCP's own tools need Node.js ${oldest.join('.')}; this is ${running}, and npm has a second one for Linux on x64 alone. ` +
      'Run the tests on a newer Node.js, or run npm ci again where its scripts or optional packages were left out.',
  );
}

export const versionOf = (program: string): string =>
  spawnSync(program, ['-p', 'process.versions.node']).stdout.toString().trim();

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}
