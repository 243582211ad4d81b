import { existsSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../../model/problem/problem.ts';
import type { ServerAccount } from './account.ts';

/** The paths. Only `data` and `run` belong to PostgreSQL's account; it can write nowhere else. */
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
