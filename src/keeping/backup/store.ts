import { Problem } from '#platform/model/problem';
import { connectClient } from '#platform/database/connection';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Prisma } from '#platform/database/generated/prisma/client';
import type { Database } from '#platform/database/database';

/** Restores the dump in this open file into an empty database, completely or not at all. */
export async function restoreDump(target: Target, file: number): Promise<void> {
  const { tables, server } = await lookAt(target.ownerUrl);
  if (tables > 0) {
    const detail = `Give an empty database as DATABASE_URL, or an empty ASSENTRY_DATA_DIR: this one has ${tables} tables.`;
    throw new Problem('already-exists', { detail });
  }
  await requireProgram('pg_restore', target, server);
  await runProgram('pg_restore', target, ['--no-owner', '--no-privileges', '--single-transaction'], file);
}

async function lookAt(ownerUrl: string): Promise<{ tables: number; server: number }> {
  const client = await connectClient({ connectionString: ownerUrl, application_name: 'assentry restore' });
  try {
    const { rows } = await client.query<{ tables: number; server: number }>(
      `SELECT (SELECT count(*)::int FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')) AS tables,
              current_setting('server_version_num')::int / 10000 AS server`,
    );
    return rows[0] ?? { tables: 0, server: 0 };
  } finally {
    await client.end();
  }
}

/** PostgreSQL's own programs for backups. */
type ProgramName = 'pg_dump' | 'pg_restore';

/** The database of a program, and the environment of the program. */
interface Target {
  ownerUrl: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Problem `config-invalid` unless the program is on this machine and not older than the database; it names the package to
 * install.
 */
async function requireProgram(name: ProgramName, { env }: Pick<Target, 'env'>, server: number): Promise<void> {
  const version = await versionOf(name, env);
  if (version !== null && version >= server) return;
  const finding = version === null ? `there is no ${name} on PATH` : `the ${name} on PATH is of version ${version}`;
  const remedy = `Install PostgreSQL's client programs of version ${server} or later, such as Debian's package postgresql-client-${server}, and put them on PATH`;
  throw new Problem('config-invalid', { detail: `${remedy}: ${finding}.` });
}

/** Runs the program on the database to its end, with this open file, if given, as standard input. */
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

/** Main version of the program; null if it is missing. */
async function versionOf(name: ProgramName, env: NodeJS.ProcessEnv): Promise<number | null> {
  const { stdout } = await run(name, ['--version'], { env, windowsHide: true }).catch(() => ({ stdout: '' }));
  const version = / (\d+)[.\w]* ?/.exec(stdout)?.[1];
  return version === undefined ? null : Number(version);
}

const run = promisify(execFile);

const firstLine = (message: string): string =>
  message.split('\n').find((line) => line.trim() !== '') ?? 'It says nothing.';

/** Milliseconds that a dump may take. */
const maxDumpMs = 24 * 3_600_000;

/**
 * Dumps a snapshot of the whole database to the file, while nodes continue; without owners and rights. Returns the result of
 * `read` in the same snapshot.
 */
export const dumpDatabase = <T>(
  { prisma }: Pick<Database, 'prisma'>,
  target: Target,
  file: string,
  read: (tx: Prisma.TransactionClient, at: Date) => Promise<T>,
): Promise<T> =>
  prisma.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 0`;
      await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`;
      const [moment] = await tx.$queryRaw<[{ at: Date; snapshot: string; server: number }]>`
        SELECT now() AS at, pg_export_snapshot() AS snapshot,
               current_setting('server_version_num')::int / 10000 AS server`;
      const state = await read(tx, moment.at);
      await requireProgram('pg_dump', target, moment.server);
      const plain = ['--format=custom', '--no-owner', '--no-privileges'];
      await runProgram('pg_dump', target, [...plain, `--snapshot=${moment.snapshot}`, `--file=${file}`]);
      return state;
    },
    { isolationLevel: 'RepeatableRead', timeout: maxDumpMs },
  );

/** Time of the last complete backup, in milliseconds since 1970; null if there never was one. */
export const createReadLastBackup =
  ({ prisma }: Pick<Database, 'prisma'>) =>
  async (): Promise<number | null> =>
    (await prisma.lastBackup.findUnique({ where: { id: 1 } }))?.at.getTime() ?? null;

/** Creation time of this database, in milliseconds since 1970. */
export const createReadInstalledAt =
  ({ prisma }: Pick<Database, 'prisma'>) =>
  async (): Promise<number | null> => {
    const [row] = await prisma.$queryRaw<[{ at: Date | null }]>`SELECT min(started_at) AS at FROM _prisma_migrations`;
    return row.at?.getTime() ?? null;
  };

/**
 * Records for the metrics that everything up to this time is in a complete backup; a backup itself contains the record of the
 * one before it.
 */
export async function recordBackup(prisma: Database['prisma'], at: Date): Promise<void> {
  await prisma.lastBackup.upsert({ where: { id: 1 }, create: { at }, update: { at } });
}
