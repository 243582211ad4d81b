import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findServerAccount } from '#platform/embedded/process';
import { newFolder } from '../new-folder.ts';
import { freePort } from '../nodes/free-port.ts';

const run = promisify(execFile);

/** A PostgreSQL of the system's own packages, and its tools. */
export interface SystemPostgres {
  /** Everything that the server logs. */
  readonly log: string;
  /** Its data directory. */
  readonly data: string;
  /** For its superuser. */
  url(database: string): string;
  /** Runs one of its tools, such as `pg_dump`. */
  tool(name: string, ...parameters: string[]): Promise<string>;
  remove(): Promise<void>;
}

const goals = ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore'];

/**
 * Where server and tools lie, of this major version or of any; null on a machine without them: npm's PostgreSQL brings
 * no pg_dump.
 */
export function findSystemPostgres(major?: string): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => path.join(debian, version, 'bin')) : [];
  if (major !== undefined) return versions.find((place) => place === path.join(debian, major, 'bin')) ?? null;
  const places = [...versions, ...(process.env.PATH ?? '').split(path.delimiter)];
  return places.find((place) => goals.every((name) => existsSync(path.join(place, name)))) ?? null;
}

/** A new, empty cluster with the settings that PostgreSQL comes with, and these. */
export async function startSystemPostgres(
  bin: string,
  { settings = {}, root = newFolder('system') }: { settings?: Record<string, string>; root?: string } = {},
): Promise<SystemPostgres> {
  const account = findServerAccount();
  await chmod(root, 0o755);
  const [data, password] = [path.join(root, 'data'), path.join(root, 'password')];
  await mkdir(data, { mode: 0o700 });
  await writeFile(password, 'the-password-of-the-superuser');
  for (const place of [root, data, password]) if (account) await chown(place, account.uid, account.gid);
  const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const asServer = { ...account, cwd: root, env: environment };
  await run(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${password}`, '-E', 'UTF8', '--no-sync'],
    asServer,
  );
  const port = await freePort();
  const own = Object.entries({ fsync: 'off', ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  const options = `-h 127.0.0.1 -p ${port} -k ${root} ${own.join(' ')}`;
  const log = path.join(root, 'log');
  await run(path.join(bin, 'pg_ctl'), ['-D', data, '-o', options, '-l', log, '-w', 'start'], asServer);
  return {
    log,
    data,
    url: (database) => `postgresql://postgres:the-password-of-the-superuser@127.0.0.1:${port}/${database}`,
    tool: async (name, ...parameters) => (await run(path.join(bin, name), parameters, { env: environment })).stdout,
    async remove() {
      await run(path.join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], asServer);
      await rm(root, { recursive: true, force: true });
    },
  };
}
