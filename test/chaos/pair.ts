import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findServerAccount, giveTo } from '#platform/embedded/process';
import { makeDirectory, startIn, startOwnPostgres, type OwnPostgres } from '../support/databases/own-postgres.ts';
import { until } from '../support/poll.ts';
import { addressOf, type Proxy } from './proxy.ts';

/** A primary and its synchronous standby: what the primary has answered, the standby has. All is said of the primary. */
export interface Pair extends Omit<OwnPostgres, 'directory'> {
  /** Kills the primary; the entrance leads to the standby, which then takes over and gets a standby of its own. */
  failOver(entrance: Proxy, options: { isSilent: boolean }): Promise<void>;
}

/** Milliseconds during which there is only a standby, which writes nothing. */
const readOnly = 1000;

export async function startPair(): Promise<Pair> {
  let primary = await startOwnPostgres({ isDurable: true });
  let standby = await follow(primary);
  return {
    get url() {
      return primary.url;
    },
    run: (sql) => primary.run(sql),
    halt: (mode) => primary.halt(mode),
    resume: () => primary.resume(),
    cutConnections: () => primary.cutConnections(),
    async failOver(entrance, { isSilent }) {
      if (isSilent) entrance.freeze();
      await primary.halt('kill');
      entrance.lead([addressOf(standby.url)]);
      entrance.thaw();
      await sleep(readOnly);
      await standby.run('SELECT pg_promote()');
      await primary.remove();
      primary = standby;
      standby = await follow(primary);
    },
    async remove() {
      await standby.remove();
      await primary.remove();
    },
  };
}

/** Makes a standby while the primary serves, and has the primary wait for it from then on. */
async function follow(primary: OwnPostgres): Promise<OwnPostgres> {
  const directory = makeDirectory();
  await copyCluster(primary, directory);
  const settings = { primary_conninfo: conninfo(primary.url), wal_retrieve_retry_interval: '100' };
  const standby = await startIn(directory, { isDurable: true, settings });
  await until(() => isInReplication(primary, `state = 'streaming'`));
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await primary.run('SELECT pg_reload_conf()');
  await until(() => isInReplication(primary, `sync_state = 'sync'`));
  return standby;
}

const isInReplication = async ({ run }: OwnPostgres, condition: string): Promise<boolean> =>
  (await run(`SELECT count(*)::int FROM pg_stat_replication WHERE ${condition}`))[0] === 1;

/** As pg_basebackup does it, which the package of PostgreSQL leaves out. */
async function copyCluster(primary: OwnPostgres, directory: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await copyFiles(path.join(primary.directory, 'postgres'), path.join(directory, 'postgres'));
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    for (const own of ['data/postmaster.pid', 'users', 'run'])
      await rm(path.join(directory, 'postgres', own), { recursive: true });
    await writeOwn(directory, 'backup_label', rows[0]?.labelfile ?? '');
    await writeOwn(directory, 'standby.signal', '');
    await writeOwn(directory, 'postgresql.auto.conf', ''); // it waits for no standby until it has one
  } finally {
    await client.end();
  }
}

/** With their owners. A file that PostgreSQL removed meanwhile is not missed: the log of writes repairs the copy. */
async function copyFiles(from: string, to: string): Promise<void> {
  await once(execFile('cp', ['-a', from, to]), 'exit');
}

/** A file in the directory of the data, which PostgreSQL may write. */
async function writeOwn(directory: string, name: string, text: string): Promise<void> {
  const file = path.join(directory, 'postgres/data', name);
  await writeFile(file, text, { mode: 0o600 });
  await giveTo(findServerAccount(), file);
}

/** Where a standby finds the primary of this connection string. */
function conninfo(url: string): string {
  const { hostname, port, username, password, searchParams } = new URL(url);
  return `'host=${searchParams.get('host') ?? hostname} port=${port || 5432} user=${username} password=${password}'`;
}
