import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../model/problem/problem.ts';
import type { EmbeddedDirectory } from '../process/directory.ts';
import { findProcess } from '../process/process.ts';
import { launchProgram, runProgram, type ServerCommands } from '../binaries/program.ts';
import { describeError } from '../../model/problem/system-error.ts';

/** Where the server listens: a socket in this directory or, without one, 127.0.0.1. */
export interface ServerAddress {
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
export async function stopServer(home: EmbeddedDirectory, commands: ServerCommands): Promise<void> {
  if (!(await isServer((await readPidFile(home)).pid, home))) return;
  const stop = ['stop', '-D', home.data, '-m', 'fast', '-w', '-t', String(START_SECONDS), '-s'];
  await runProgram(home, commands, commands.binaries.pgCtl, stop);
}

/** Without pg_ctl, whose shell would interpret quotes and dollar signs in the path. */
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

/** Only if no server runs here: PostgreSQL itself would accept a zombie, or another process with the same number. */
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
