import { execFile } from 'node:child_process';
import { readFile, chmod, chown, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasErrorCode, Problem } from '../model/problem.ts';
import { existsSync, statSync, readFileSync } from 'node:fs';
import path from 'node:path';

const run = promisify(execFile);

/** A running process, identified by number and start, because numbers are reused. */
interface RunningProcess {
  startedAt: string;
  /** The command line; undefined if the system does not provide it. */
  command: string | undefined;
}

/** A line that identifies a process: its number, and when it started. */
export async function identifyProcess(pid: number = process.pid): Promise<string> {
  return `${pid} ${(await findProcess(pid))?.startedAt ?? ''}`;
}

/** Is the process of this line alive? */
export async function isSameProcess(identity: string): Promise<boolean> {
  const pid = Number(identity.split(' ')[0]);
  return (await findProcess(pid)) !== undefined && (await identifyProcess(pid)) === identity;
}

/** The living process of this number. A zombie counts as dead, although it can receive signals. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (!Number.isInteger(pid) || pid <= 0 || !takesSignals(pid)) return undefined;
  if (process.platform === 'linux') return readProc(pid);
  if (process.platform === 'win32') return { startedAt: '', command: undefined };
  return askPs(pid);
}

function takesSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM'); // it is alive and belongs to another user
  }
}

async function readProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    // The name in brackets may contain spaces and brackets; the state is the next field, the start the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return { startedAt: fields[19] ?? '', command: command.replaceAll('\0', ' ') };
  } catch {
    return undefined; // it ended while we looked
  }
}

async function askPs(pid: number): Promise<RunningProcess | undefined> {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'stat=,lstart=,args=', '-p', String(pid)], {
      env: { LC_ALL: 'C' },
    });
    const [, state, startedAt, command] = /^(\S+)\s+(.{24})\s+(.*)$/s.exec(stdout.trim()) ?? [];
    if (state === undefined || state.startsWith('Z')) return undefined;
    return { startedAt: startedAt ?? '', command };
  } catch {
    return undefined; // ps ends with an error if there is no such process
  }
}

/** The paths of a data directory. Only `data` and `run` belong to PostgreSQL's account; it can write nowhere else. */
export interface EmbeddedDirectory {
  root: string;
  postgres: string;
  data: string;
  run: string;
  log: string;
  password: string;
  settings: string;
  users: string;
  lock: string;
}

/** Root's default if other users cannot reach its home directory: every user can reach this one. */
export const SYSTEM_DIRECTORY = '/var/lib/assentry';

/** Can every user reach this path, or the part of it that exists? */
export function isReachable(directory: string): boolean {
  const here = path.resolve(directory);
  const parent = path.dirname(here);
  const open = !existsSync(here) || (statSync(here).mode & 0o001) !== 0;
  return open && (parent === here || isReachable(parent));
}

/** Prepares the directory for PostgreSQL, so that no one else can read it. */
export async function openDirectory(directory: string, account: ServerAccount): Promise<EmbeddedDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (account) await allowTraversal(directory);
  const home = await layOut(directory);
  if (account && !isReachable(home.root)) throw unreachable(home.root, account.uid);
  await mkdir(home.postgres, { recursive: true });
  await chmod(home.postgres, account ? 0o711 : 0o700);
  await mkdir(home.users, { recursive: true, mode: 0o700 });
  await mkdir(home.run, { recursive: true, mode: 0o700 });
  await giveTo(account, home.run);
  return home;
}

/** Other users can pass through the directory but not read it. */
export async function allowTraversal(directory: string): Promise<void> {
  await chmod(directory, (await stat(directory)).mode | 0o011);
}

async function layOut(directory: string): Promise<EmbeddedDirectory> {
  const root = await realpath(directory);
  const postgres = path.join(root, 'postgres');
  const run = path.join(postgres, 'run');
  return {
    root,
    postgres,
    data: path.join(postgres, 'data'),
    run,
    log: path.join(postgres, 'postgres.log'),
    password: path.join(postgres, 'password'),
    settings: path.join(postgres, 'settings.conf'),
    users: path.join(postgres, 'users'),
    lock: path.join(root, 'postgres.lock'),
  };
}

export async function giveTo(account: ServerAccount, file: string): Promise<void> {
  if (account) await chown(file, account.uid, account.gid);
}

export async function removeDirectory(home: EmbeddedDirectory): Promise<void> {
  await rm(home.root, { recursive: true, force: true, maxRetries: 3 });
}

const unreachable = (directory: string, uid: number): Problem =>
  new Problem('database-unavailable', {
    detail:
      `Assentry runs as root, so PostgreSQL runs as user ${uid}, which may not walk to ${directory}. ` +
      'Set ASSENTRY_DATA_DIR to a directory that every user may reach, or set DATABASE_URL.',
  });

/** The system user that PostgreSQL runs as; undefined means the user of this process. */
export type ServerAccount = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root, and initdb needs a user with a name: this takes one that most systems have. */
export function findServerAccount(): ServerAccount {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  throw new Problem('database-unavailable', {
    detail:
      'PostgreSQL does not run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Start Assentry as an ordinary user, or set DATABASE_URL.',
  });
}
