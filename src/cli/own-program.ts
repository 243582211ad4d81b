import path from 'node:path';

/** How this program is started again: by npx, if npx keeps it where it may disappear. */
export function ownProgram(): [string, ...string[]] {
  const program = ownScript();
  return program.includes(`${path.sep}_npx${path.sep}`) ? ['npx', '-y', 'assentry'] : [process.execPath, program];
}

/** The file that this process runs. */
export const ownScript = (): string => path.resolve(process.argv[1] ?? '');
