import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedDatabase, createApplicationDatabase } from '#platform/embedded/database';
import { prepareDatabase } from '#server/database';
import { nodeLogin } from '../support/databases/node-login.ts';
import { findSystemPostgres, startSystemPostgres } from '../support/databases/system-postgres.ts';
import { isReachable } from '#platform/embedded/process';
import { familyCpu } from './process-cpu.ts';

export interface BenchDatabase {
  /** Without a name, the one that the others are copied from. */
  url(name?: string): string;
  /** Makes databases that are equal to this one; no one may be connected to it. */
  copy(from: string, names: string[]): Promise<void>;
  /** PostgreSQL's own name for what it is. */
  version: string;
  /** Microseconds of CPU that PostgreSQL has used; null where the system does not tell. */
  cpu(): number | null;
  /** Bytes of WAL written since the cluster was made. */
  wal(): Promise<number>;
  /** Bytes of this database on disk, after a VACUUM. */
  size(name: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * PostgreSQL in a new directory, where test runs sweep what a killed bench left; as durable as in production: every commit
 * waits for the disk. With a major version in TEST_POSTGRES, it is the one of the system's packages as it comes.
 */
export async function startBenchDatabase(settings: Record<string, string> = {}): Promise<BenchDatabase> {
  const base = isReachable(os.tmpdir()) ? os.tmpdir() : '/tmp';
  const directory = mkdtempSync(path.join(base, 'assentry-test-bench-'));
  if (process.getuid?.() === 0) chmodSync(directory, 0o711); // PostgreSQL's user walks through it
  const major = process.env.TEST_POSTGRES;
  const database = await (major === undefined
    ? startEmbedded(directory, settings)
    : startStock(major, directory, settings));
  await prepareDatabase(database.url(), nodeLogin);
  const [inForce] = await query(database.url(), settingsInForce);
  if (inForce?.['fsync'] !== 'on' || inForce['synchronous_commit'] !== 'on') throw new TypeError('It is not durable.');
  const pid = Number(readFileSync(path.join(database.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    url: database.url,
    version: inForce['server_version'] ?? '',
    async copy(from, names) {
      for (const name of names) await query(database.url('postgres'), `CREATE DATABASE ${name} TEMPLATE ${from}`);
    },
    cpu: () => familyCpu(pid),
    async wal() {
      const [row] = await query(database.url('postgres'), `SELECT pg_current_wal_lsn() - '0/0' AS bytes`);
      return Number(row?.['bytes']);
    },
    async size(name) {
      await query(database.url(name), 'VACUUM');
      const [row] = await query(database.url(name), 'SELECT pg_database_size(current_database()) AS bytes');
      return Number(row?.['bytes']);
    },
    async stop() {
      await database.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Cluster {
  data: string;
  url(name?: string): string;
  stop(): Promise<void>;
}

async function startEmbedded(directory: string, settings: Record<string, string>): Promise<Cluster> {
  const all = { max_connections: 200, ...settings };
  const { url, stop } = await startEmbeddedDatabase({ directory, env: process.env, settings: all });
  return { url, data: path.join(directory, 'postgres', 'data'), stop: () => stop({ remove: true }) };
}

async function startStock(major: string, directory: string, settings: Record<string, string>): Promise<Cluster> {
  const bin = findSystemPostgres(major);
  if (bin === null) throw new TypeError(`Install PostgreSQL ${major}, as in "apt-get install postgresql-${major}".`);
  const root = path.join(directory, 'stock'); // where test runs see that it still runs
  mkdirSync(root);
  const { url, data, remove } = await startSystemPostgres(bin, { root, settings: { fsync: 'on', ...settings } });
  await createApplicationDatabase(url('postgres'), 'assentry');
  return { url: (name = 'assentry') => url(name), data, stop: remove };
}

const settingsInForce = `
  SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('server_version') AS server_version`;

async function query(connectionString: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(sql).finally(() => client.end());
  return rows;
}
