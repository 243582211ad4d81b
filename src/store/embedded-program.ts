import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServerAccount } from './embedded-account.ts';
import type { EmbeddedBinaries } from './embedded-binaries.ts';
import type { EmbeddedDirectory } from './embedded-directory.ts';

const run = promisify(execFile);

export interface ServerCommands {
  binaries: EmbeddedBinaries;
  account: ServerAccount;
  env: NodeJS.ProcessEnv;
}

/** Runs one of PostgreSQL's programs to its end, as PostgreSQL's account. */
export async function runProgram(
  home: EmbeddedDirectory,
  { account, env }: ServerCommands,
  program: string,
  parameters: string[],
): Promise<void> {
  await run(program, parameters, { ...account, env: chooseEnvironment(env), cwd: home.run, windowsHide: true });
}

const PASSED_ON = new Set(['PATH', 'LD_LIBRARY_PATH', 'SYSTEMROOT', 'COMSPEC', 'TEMP', 'TMP', 'TMPDIR']);

/** PostgreSQL outlives us and runs as another user: it must not carry our secrets, nor obey somebody's PGDATA. */
function chooseEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(([name]) => PASSED_ON.has(name.toUpperCase()));
  return { ...Object.fromEntries(passed), LC_ALL: 'C', TZ: 'UTC' };
}
