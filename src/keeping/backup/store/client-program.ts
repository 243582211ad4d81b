import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Problem } from '#platform/model/problem/problem';

/** PostgreSQL's own programs for backups. */
type ProgramName = 'pg_dump' | 'pg_restore';

/** The database that a program works on, and the environment in which it is found. */
export interface Target {
  ownerUrl: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Problem `config-invalid` unless the program is on this machine and not older than the database; it says what to
 * install.
 */
export async function requireProgram(name: ProgramName, { env }: Pick<Target, 'env'>, server: number): Promise<void> {
  const version = await versionOf(name, env);
  if (version !== null && version >= server) return;
  const finding = version === null ? `there is no ${name} on PATH` : `the ${name} on PATH is of version ${version}`;
  const remedy = `Install PostgreSQL's client programs of version ${server} or later, such as Debian's package postgresql-client-${server}, and put them on PATH`;
  throw new Problem('config-invalid', { detail: `${remedy}: ${finding}.` });
}

/** Runs the program on the database to its end. Its standard input is this open file, if one is given. */
export async function runProgram(
  name: ProgramName,
  { ownerUrl, env }: Target,
  parameters: string[],
  input?: number,
): Promise<void> {
  const url = new URL(ownerUrl);
  const password = decodeURIComponent(url.password);
  url.password = ''; // other users of the machine may read the words of a command
  const program = spawn(name, [...parameters, `--dbname=${url.href}`], {
    env: { ...env, PGPASSWORD: password, PGAPPNAME: 'assentry', LC_ALL: 'C' },
    stdio: [input ?? 'ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  const [message, [code]] = await Promise.all([
    text(program.stderr as Readable),
    once(program, 'close') as Promise<[number | null]>,
  ]);
  if (code === 0) return;
  throw new Problem('database-unavailable', {
    detail: `Correct what ${name} says, and try again. ${firstLine(message)}`,
  });
}

/** Its main version; null if it is not there. */
async function versionOf(name: ProgramName, env: NodeJS.ProcessEnv): Promise<number | null> {
  const { stdout } = await run(name, ['--version'], { env, windowsHide: true }).catch(() => ({ stdout: '' }));
  const version = / (\d+)[.\w]* ?/.exec(stdout)?.[1];
  return version === undefined ? null : Number(version);
}

const run = promisify(execFile);

const firstLine = (message: string): string =>
  message.split('\n').find((line) => line.trim() !== '') ?? 'It says nothing.';
