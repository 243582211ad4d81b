import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  createApplicationDatabase,
  discardEmbeddedDatabase,
  startEmbeddedDatabase,
  type EmbeddedDatabase,
} from '#platform/embedded/database';
import { isReachable, findProcess } from '#platform/embedded/process';
import { prepareDatabase } from '#server/database';
import { logPlans, jitAboveCost, readCosts } from './databases/costs.ts';
import { nodeLogin } from './databases/node-login.ts';
import { findSystemPostgres, startSystemPostgres, type SystemPostgres } from './databases/system-postgres.ts';

const PREFIX = 'assentry-test-';
const STOCK_PREFIX = 'assentry-stock-test-';
/** To make a database is to write hundreds of files, for which a disk takes ten times as long. */
const memory = '/dev/shm';
const ENOUGH = 4 * 1024 ** 3; // bytes: far more than a run has at once
const SETTLED_MS = 60_000; // a younger directory may belong to a run that is about to begin

let database: EmbeddedDatabase | SystemPostgres | undefined;

/**
 * One PostgreSQL for the run; each test file copies its own database from a migrated template. It is npm's or, with a
 * major version in TEST_POSTGRES, the one of the system's packages with the settings that it comes with.
 */
export default async function setUp(): Promise<void> {
  if (database) return; // another project of the run has started it
  const onDisk = isReachable(os.tmpdir()) ? os.tmpdir() : '/tmp';
  const base = hasRoom(memory) ? memory : onDisk;
  await Promise.all([...new Set([base, onDisk])].map(sweepLeftovers));
  const major = process.env.TEST_POSTGRES;
  const directory = mkdtempSync(path.join(base, major === undefined ? PREFIX : STOCK_PREFIX));
  if (process.getuid?.() === 0) chmodSync(directory, 0o711); // PostgreSQL's user walks through it
  database = major === undefined ? await startEmbedded(directory) : await startStock(major, directory);
  await createApplicationDatabase(database.url('postgres'), 'template_assentry');
  await prepareDatabase(database.url('template_assentry'), nodeLogin);
  process.env.TEST_DIRECTORY = directory; // what tests put here is swept with it
  process.env.TEST_DATABASE_URL = database.url('postgres');
}

const startEmbedded = (directory: string): Promise<EmbeddedDatabase> =>
  startEmbeddedDatabase({ directory, env: process.env, fast: true, settings: { max_connections: 200 } });

async function startStock(major: string, directory: string): Promise<SystemPostgres> {
  const bin = findSystemPostgres(major);
  if (bin === null) throw new Error(`Install PostgreSQL ${major}, as in "apt-get install postgresql-${major}".`);
  const root = path.join(directory, 'stock');
  mkdirSync(root);
  return startSystemPostgres(bin, { root, settings: logPlans });
}

/** Fails the run if a statement on a stock PostgreSQL was so expensive, by its estimate, that it would be compiled. */
export async function tearDown(): Promise<void> {
  const started = database;
  database = undefined;
  if (started === undefined) return;
  if (!('log' in started)) return started.stop({ remove: true });
  const costs = await readCosts(started.log);
  await started.remove();
  const dear = [...costs].filter(([, cost]) => cost > jitAboveCost);
  console.log(`${costs.size} statements have plans, ${dear.length} of them above ${jitAboveCost}.`);
  if (dear.length > 0) throw new Error(dear.map(([text, cost]) => `${cost}: ${text}`).join('\n\n'));
}

function hasRoom(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(directory);
    return Math.min(bavail * bsize, os.freemem()) > ENOUGH;
  } catch {
    return false; // not every system has it
  }
}

/** What killed runs left behind. A directory that someone uses, or that is not ours, stays. */
async function sweepLeftovers(base: string): Promise<void> {
  for (const name of readdirSync(base).filter((entry) => entry.startsWith(PREFIX))) {
    const directory = path.join(base, name);
    const isOurs = statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (isOurs && isSettled(directory) && !(await isStockRun(directory)))
      await discardEmbeddedDatabase(directory, process.env).catch(() => {});
  }
}

/** Does a PostgreSQL of the system's packages run in it? One of npm's is found by its own lock. */
async function isStockRun(directory: string): Promise<boolean> {
  const pidFile = path.join(directory, 'stock/data/postmaster.pid');
  if (!existsSync(pidFile)) return false;
  return (await findProcess(Number(readFileSync(pidFile, 'utf8').split('\n')[0]))) !== undefined;
}

function isSettled(directory: string): boolean {
  const changed = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return Date.now() - changed > SETTLED_MS;
}
