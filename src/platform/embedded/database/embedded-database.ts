import { createHmac } from 'node:crypto';
import path from 'node:path';
import { Problem } from '../../model/problem/problem.ts';
import { createApplicationDatabase } from './application-database.ts';
import { findServerAccount } from '../process/account.ts';
import { findBinaries } from '../binaries/binaries.ts';
import { createCluster } from './cluster.ts';
import { openDirectory, removeDirectory, type EmbeddedDirectory } from '../process/directory.ts';
import { withLock } from './lock.ts';
import type { ServerCommands } from '../binaries/program.ts';
import { findServer, startServer, stopServer, type ServerAddress } from './server.ts';
import { hasLivingUsers, registerUser } from './users.ts';
import { describeError } from '../../model/problem/system-error.ts';

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

/** Stops and removes what killed processes left in a directory, except what a living one uses. */
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
