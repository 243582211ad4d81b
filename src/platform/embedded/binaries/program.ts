import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ServerAccount } from '../process/account.ts';
import type { EmbeddedBinaries } from './binaries.ts';
import type { EmbeddedDirectory } from '../process/directory.ts';

const run = promisify(execFile);

export interface ServerCommands {
  binaries: EmbeddedBinaries;
  account: ServerAccount;
  env: NodeJS.ProcessEnv;
}

/** Runs one of PostgreSQL's programs to its end, under PostgreSQL's account. */
export async function runProgram(
  home: EmbeddedDirectory,
  { account, env }: ServerCommands,
  program: string,
  parameters: string[],
): Promise<void> {
  await run(program, parameters, { ...account, env: chooseEnvironment(env), cwd: home.run, windowsHide: true });
}

/** Starts a program that outlives this process, in a separate session, so that Ctrl-C reaches only this process. */
export async function launchProgram(
  home: EmbeddedDirectory,
  { account, env }: ServerCommands,
  program: string,
  parameters: string[],
): Promise<ChildProcess> {
  const log = await open(home.log, 'a', 0o600);
  try {
    const options = { ...account, env: chooseEnvironment(env), cwd: home.run, detached: true };
    const child = spawn(program, parameters, { ...options, stdio: ['ignore', log.fd, log.fd] });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

const PASSED_ON = new Set(['PATH', 'LD_LIBRARY_PATH', 'SYSTEMROOT', 'COMSPEC', 'TEMP', 'TMP', 'TMPDIR']);

/** PostgreSQL outlives this process and runs as another user, so it must not get Assentry's secrets or a PGDATA. */
function chooseEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(([name]) => PASSED_ON.has(name.toUpperCase()));
  return { ...Object.fromEntries(passed), LC_ALL: 'C', TZ: 'UTC' };
}
