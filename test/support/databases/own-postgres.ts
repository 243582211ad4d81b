import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '#server/database';
import { nodeLogin } from './node-login.ts';
import { startEmbeddedDatabase, type EmbeddedDatabase } from '#platform/embedded/database';
import { findProcess } from '#platform/embedded/process';
import { until } from '../poll.ts';
import { newFolder } from '../new-folder.ts';

/** A PostgreSQL of a test's own, which it may stop under its nodes. */
export interface OwnPostgres {
  readonly directory: string;
  readonly url: string;
  /** Ends every connection and the server. `immediate` and `kill` leave it to the next start to repair what was under way. */
  halt(mode?: keyof typeof signals): Promise<void>;
  resume(): Promise<void>;
  /** Cuts the connections of every node, as an operator or a failover does. */
  cutConnections(): Promise<void>;
  run(sql: string): Promise<unknown[]>;
  remove(): Promise<void>;
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

interface Options {
  /** A commit that was answered outlives the server, though not the machine. */
  isDurable?: boolean;
  /** Of PostgreSQL, next to those that tests use. */
  settings?: Record<string, string>;
}

/** Makes one with Assentry's tables. */
export async function startOwnPostgres(options: Options = {}): Promise<OwnPostgres> {
  const postgres = await startIn(makeDirectory(), options);
  await prepareDatabase(postgres.url, nodeLogin);
  return postgres;
}

/** A new one's directory. */
export function makeDirectory(): string {
  const directory = newFolder('own');
  chmodSync(directory, 0o755);
  return directory;
}

/** Starts the one that lies in this directory, or makes an empty one. */
export async function startIn(directory: string, { isDurable = false, settings }: Options): Promise<OwnPostgres> {
  const started: EmbeddedDatabase[] = [];
  const start = async (): Promise<EmbeddedDatabase> => {
    const all = { ...(isDurable && { fsync: 'off' }), ...settings };
    const database = await startEmbeddedDatabase({ directory, env: process.env, fast: !isDurable, settings: all });
    started.push(database);
    return database;
  };
  const url = (await start()).url();
  const run = (sql: string): Promise<unknown[]> => runAt(url, sql);
  return {
    directory,
    url,
    run,
    async halt(mode = 'fast') {
      const pid = Number(readFileSync(path.join(directory, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
      process.kill(pid, signals[mode]);
      await until(async () => (await findProcess(pid)) === undefined);
    },
    async resume() {
      await start();
    },
    async cutConnections() {
      await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    },
    async remove() {
      for (const database of started) await database.stop({ remove: true });
    },
  };
}

/** All values of the last statement's rows, in one list. */
async function runAt(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const results = [await client.query({ text: sql, rowMode: 'array' })].flat();
    return results.at(-1)?.rows.flat() ?? [];
  } finally {
    await client.end();
  }
}
