import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { Problem, describeError, hasErrorCode } from '../model/problem.ts';
import {
  findServerAccount,
  openDirectory,
  removeDirectory,
  type EmbeddedDirectory,
  giveTo,
  identifyProcess,
  isSameProcess,
  findProcess,
} from './process.ts';
import { findBinaries, type ServerCommands, runProgram, launchProgram } from './binaries.ts';
import pg from 'pg';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, writeFile, link, readdir, chmod } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:net';

interface EmbeddedDatabaseOptions {
  /** The data directory; PostgreSQL lives in its folder `postgres`. */
  directory: string;
  /** The process's environment; PostgreSQL gets only what it needs. */
  env: NodeJS.ProcessEnv;
  /** A port on 127.0.0.1; without it a Unix socket only (on Windows, any free port). */
  port?: number;
  /** Trades durability for speed. For tests only. */
  fast?: boolean;
  /** Settings of PostgreSQL, in the form of its configuration file. */
  settings?: Record<string, string | number>;
}

export interface EmbeddedDatabase {
  /** The connection string of one of its databases; Assentry's own by default. */
  url(database?: string): string;
  /** The password of one of Assentry's logins, the same at each start. Anyone who can read the owner's can read it. */
  passwordFor(login: string): string;
  /** False if another living process was already using the server. */
  owned: boolean;
  /** Releases the server. The last living process to do so stops it and, if requested, removes its data. */
  stop(options?: { remove?: boolean }): Promise<void>;
}

/**
 * Starts PostgreSQL on the data directory, or joins the one that already runs there, and makes sure that Assentry's
 * database exists. Repairs what a killed process left behind. Throws `database-unavailable`.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    const account = findServerAccount();
    const home = await openDirectory(options.directory, account);
    const binaries = await findBinaries(home, account);
    const commands: ServerCommands = { binaries, account, env: options.env };
    return await withLock(home.lock, () => joinServer(home, commands, options));
  } catch (error) {
    throw asProblem(error, options.directory);
  }
}

/** Stops servers of killed processes in a directory and removes their data, except what a living one uses. */
export async function discardEmbeddedDatabase(directory: string, env: NodeJS.ProcessEnv): Promise<void> {
  const account = findServerAccount();
  const home = await openDirectory(directory, account);
  const commands: ServerCommands = { binaries: await findBinaries(home, account), account, env };
  await withLock(home.lock, () => leaveServer(home, commands, true));
}

async function joinServer(
  home: EmbeddedDirectory,
  commands: ServerCommands,
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  const owned = !(await hasLivingUsers(home.users));
  const unregister = await registerUser(home.users);
  try {
    const password = await createCluster(home, commands, options.fast ?? false);
    const address = (await findServer(home)) ?? (await startServer(home, commands, options));
    const url = (database = 'assentry') => connectionString(address, password, database);
    await createApplicationDatabase(url('postgres'), 'assentry');
    const leave = (remove: boolean) =>
      withLock(home.lock, async () => {
        await unregister();
        await leaveServer(home, commands, remove);
      });
    let leaving: Promise<void> | undefined;
    const passwordFor = (login: string) => createHmac('sha256', password).update(login).digest('base64url');
    return { url, passwordFor, owned, stop: ({ remove = false } = {}) => (leaving ??= leave(remove)) };
  } catch (error) {
    await unregister();
    await leaveServer(home, commands, false).catch(() => {}); // the first error is the one to report
    throw error;
  }
}

async function leaveServer(home: EmbeddedDirectory, commands: ServerCommands, remove: boolean): Promise<void> {
  if (await hasLivingUsers(home.users)) return;
  await stopServer(home, commands);
  if (remove) await removeDirectory(home);
}

function connectionString({ port, socketDirectory }: ServerAddress, password: string, database: string): string {
  const login = `postgresql://postgres:${password}`;
  // This server speaks no TLS. Without `sslmode`, the driver would follow PGSSLMODE of the shell.
  if (socketDirectory === undefined) return `${login}@127.0.0.1:${port}/${database}?sslmode=disable`;
  return `${login}@localhost:${port}/${database}?host=${encodeURIComponent(socketDirectory)}&sslmode=disable`;
}

function asProblem(cause: unknown, directory: string): Problem {
  if (cause instanceof Problem) return cause;
  const detail = `The embedded database in ${path.resolve(directory)} could not be started. ${describeError(cause)}`;
  return new Problem('database-unavailable', { detail, cause });
}

/** Makes the database unless it exists. Several processes may try at once. */
export async function createApplicationDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (!hasErrorCode(error, '42P04', '23505')) throw error; // another process was first
  } finally {
    await client.end();
  }
}

/** Makes the database cluster unless it exists; returns the password of its superuser. */
async function createCluster(home: EmbeddedDirectory, commands: ServerCommands, fast: boolean): Promise<string> {
  if (!existsSync(path.join(home.data, 'PG_VERSION'))) await initialise(home, commands, fast);
  return (await readFile(home.password, 'utf8')).trim();
}

/** Makes the cluster under a temporary name, so that an interrupted run leaves no incomplete one. */
async function initialise(home: EmbeddedDirectory, commands: ServerCommands, fast: boolean): Promise<void> {
  const draft = `${home.data}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await giveTo(commands.account, draft);
  await writePassword(home, commands);
  await runProgram(home, commands, commands.binaries.initdb, [
    `--pgdata=${draft}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${home.password}`,
    '--encoding=UTF8',
    '--locale-provider=builtin', // the same sort order everywhere, whatever locales the system has
    '--locale=C.UTF-8',
    '--no-instructions',
    ...(fast ? ['--no-sync'] : []),
  ]);
  await appendFile(path.join(draft, 'postgresql.conf'), "\ninclude '../settings.conf'\n");
  await rename(draft, home.data);
}

async function writePassword(home: EmbeddedDirectory, { account }: ServerCommands): Promise<void> {
  await rm(home.password, { force: true });
  await writeFile(home.password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  await giveTo(account, home.password); // initdb reads it
}

const LOCK_TIMEOUT_MS = 120_000; // longer than PostgreSQL's own 60 s to start or to stop

/** Runs the work while no other process works under the same file. A lock whose holder died is ignored. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await acquire(file);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, await identifyProcess(), { mode: 0o600 });
  try {
    for (const deadline = Date.now() + LOCK_TIMEOUT_MS; Date.now() < deadline; await sleep(30)) {
      if (await tryLink(draft, file)) return;
      const holder = await read(file);
      if (holder !== undefined && !(await isSameProcess(holder))) await removeDead(file, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw new Problem('database-unavailable', {
    detail: `Another process has been starting or stopping the database for too long; it holds ${file}.`,
  });
}

/** A link appears with its content, so no one reads a half-written lock. */
async function tryLink(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Two waiters may find the same dead holder: each moves the file first, checks it again, and puts it back if it is
 * another's.
 */
async function removeDead(file: string, holder: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await read(aside)) === holder) await rm(aside, { force: true });
  else await rename(aside, file);
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

// A command may start the server and a long-running node join it, or the other way round. So no process owns it, and
// the last to leave stops it. Callers hold the directory's lock.

/** Records that this process uses the server; the returned function removes the record. */
async function registerUser(directory: string): Promise<() => Promise<void>> {
  const note = path.join(directory, randomUUID());
  await writeFile(note, await identifyProcess(), { mode: 0o600 });
  return () => rm(note, { force: true });
}

/** Does a live process use the server? Records of dead ones are removed. */
async function hasLivingUsers(directory: string): Promise<boolean> {
  const notes = (await readdir(directory)).map((name) => path.join(directory, name));
  const areAlive = await Promise.all(notes.map(async (note) => isSameProcess(await readFile(note, 'utf8'))));
  const swept = notes.filter((_, index) => !areAlive[index]);
  await Promise.all(swept.map((note) => rm(note, { force: true })));
  return areAlive.includes(true);
}

/** Address of the server: a socket in this directory or, without one, 127.0.0.1. */
interface ServerAddress {
  port: number;
  socketDirectory: string | undefined;
}

interface ServerOptions {
  port?: number;
  fast?: boolean;
  settings?: Record<string, string | number>;
}

const isWindows = process.platform === 'win32';
const SOCKET_PATH_LIMIT = 85; // bytes for its directory; the whole path may have about 100
const START_ATTEMPTS = 4;
const START_SECONDS = 60;

/** The server that runs on this directory, when it accepts connections. */
export async function findServer(home: EmbeddedDirectory): Promise<ServerAddress | undefined> {
  for (const deadline = Date.now() + START_SECONDS * 1000; Date.now() < deadline; await sleep(50)) {
    const { pid, port, socketDirectory, state } = await readPidFile(home);
    if (!(await isServer(pid, home))) return undefined;
    if (state === 'ready') return { port, socketDirectory };
  }
  throw new Problem('database-unavailable', { detail: `PostgreSQL in ${home.data} runs, but takes no connections.` });
}

/** Starts the server if none runs, and waits until it accepts connections. */
export async function startServer(
  home: EmbeddedDirectory,
  commands: ServerCommands,
  options: ServerOptions,
): Promise<ServerAddress> {
  const address = await chooseAddress(home, options.port);
  await writeSettings(home, address, options);
  for (let attempt = 1; ; attempt++) {
    await clearTraces(home);
    try {
      await (isWindows ? launchOnWindows(home, commands) : launch(home, commands));
      return address;
    } catch (cause) {
      if (attempt === START_ATTEMPTS) throw await didNotStart(home, cause);
      await sleep(300); // processes of a killed server keep its memory for a moment
    }
  }
}

/** Stops the server if it runs, after it has written everything to disk. */
async function stopServer(home: EmbeddedDirectory, commands: ServerCommands): Promise<void> {
  if (!(await isServer((await readPidFile(home)).pid, home))) return;
  const stop = ['stop', '-D', home.data, '-m', 'fast', '-w', '-t', String(START_SECONDS), '-s'];
  await runProgram(home, commands, commands.binaries.pgCtl, stop);
}

/** Starts the server without pg_ctl, whose shell would interpret quotes and dollar signs in the path. */
async function launch(home: EmbeddedDirectory, commands: ServerCommands): Promise<void> {
  const server = await launchProgram(home, commands, commands.binaries.postgres, ['-D', home.data]);
  for (const deadline = Date.now() + START_SECONDS * 1000; Date.now() < deadline; await sleep(20)) {
    if (server.exitCode !== null || server.signalCode !== null) break;
    if ((await readPidFile(home)).state === 'ready') return;
  }
  server.kill('SIGINT');
  throw new Problem('database-unavailable', { detail: `PostgreSQL in ${home.data} did not become ready.` });
}

/** pg_ctl gives up an administrator's rights, without which PostgreSQL would refuse to run. */
async function launchOnWindows(home: EmbeddedDirectory, commands: ServerCommands): Promise<void> {
  const start = ['start', '-D', home.data, '-w', '-t', String(START_SECONDS), '-s', '-l', home.log];
  await runProgram(home, commands, commands.binaries.pgCtl, start);
}

/**
 * The number in a pid file may belong to a dead process, or now to another one, so this checks that it is a server on
 * this directory.
 */
async function isServer(pid: number, home: EmbeddedDirectory): Promise<boolean> {
  const process = await findProcess(pid);
  return process !== undefined && (process.command === undefined || process.command.includes(`-D ${home.data}`));
}

async function readPidFile(home: EmbeddedDirectory) {
  const lines = (await readFile(path.join(home.data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const [pid, , , port, socketDirectory, , , state] = lines.map((line) => line.trim());
  return { pid: Number(pid), port: Number(port), socketDirectory: socketDirectory || undefined, state };
}

/**
 * Removes traces of a dead server. Call it only if no server runs here: PostgreSQL itself would accept a zombie, or another
 * process with the same number.
 */
async function clearTraces(home: EmbeddedDirectory): Promise<void> {
  await rm(path.join(home.data, 'postmaster.pid'), { force: true });
  const sockets = (await readdir(home.run)).filter((name) => name.startsWith('.s.PGSQL.'));
  for (const name of sockets) await rm(path.join(home.run, name), { force: true });
}

async function chooseAddress(home: EmbeddedDirectory, port: number | undefined): Promise<ServerAddress> {
  if (port !== undefined) return { port, socketDirectory: undefined };
  const fits = !isWindows && Buffer.byteLength(home.run) <= SOCKET_PATH_LIMIT;
  return fits ? { port: 5432, socketDirectory: home.run } : { port: await findFreePort(), socketDirectory: undefined };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function writeSettings(home: EmbeddedDirectory, address: ServerAddress, options: ServerOptions): Promise<void> {
  const { port, socketDirectory } = address;
  const settings = {
    listen_addresses: quote(socketDirectory === undefined ? '127.0.0.1' : ''),
    port,
    unix_socket_directories: quote(socketDirectory ?? ''),
    unix_socket_permissions: '0700',
    shared_buffers: '64MB',
    log_min_messages: 'log', // an error's text may quote a row, and nothing readable may be stored on disk
    ...(isWindows ? {} : { dynamic_shared_memory_type: 'mmap' }), // containers' /dev/shm is small
    ...(options.fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    ...options.settings,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(home.settings, lines.join(''));
  await chmod(home.settings, 0o644); // PostgreSQL's user reads it, whatever our umask
}

const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`;

async function didNotStart(home: EmbeddedDirectory, cause: unknown): Promise<Problem> {
  const log = await readFile(home.log, 'utf8').catch(() => describeError(cause));
  if (log.includes('Address already in use')) return new PortTaken(cause);
  return new Problem('database-unavailable', { detail: `PostgreSQL did not start: ${log.slice(-1000).trim()}`, cause });
}

/** Another program listens on PostgreSQL's port. */
export class PortTaken extends Problem {
  constructor(cause: unknown) {
    super('database-unavailable', { detail: 'Give PostgreSQL another port: something listens there already.', cause });
  }
}
