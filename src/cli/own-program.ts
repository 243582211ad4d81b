import path from 'node:path';

/** How this program is started again: by npx, if npx keeps it where it may disappear. */
export function ownProgram(): [string, ...string[]] {
  const program = path.resolve(process.argv[1] ?? '');
  return program.includes(`${path.sep}_npx${path.sep}`) ? ['npx', '-y', 'assentry'] : [process.execPath, program];
}
