import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { compiled } from '../compiled.ts';
import { startEmbeddedDatabase, type EmbeddedDatabase } from '#platform/embedded/database';
import { findProcess } from '#platform/embedded/process';
import { newFolder } from '../new-folder.ts';

export interface OtherProcess {
  child: ChildProcess;
  url: string;
  owned: boolean;
}

const OWNER_SCRIPT = compiled('test/support/databases/embedded-owner.ts');
const opened: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];
let base = '';

/** Gives each test of the file the same data directory, and takes back what it opened. */
export function useEmbeddedDirectory(): void {
  beforeAll(() => {
    base = newFolder('embedded');
    chmodSync(base, 0o755);
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map(killHard));
    await Promise.all(opened.splice(0).map((database) => database.stop()));
  });
  afterAll(async () => {
    await (await open()).stop({ remove: true });
  });
}

/** A place next to the shared data directory, or that directory itself. */
export const place = (name = 'data'): string => path.join(base, name);

export async function open(directory = place(), env: NodeJS.ProcessEnv = process.env): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ directory, env });
  opened.push(database);
  return database;
}

export async function openInOtherProcess(directory = place(), uid?: number): Promise<OtherProcess> {
  const parameters = [OWNER_SCRIPT, directory, ...(uid === undefined ? [] : [String(uid)])];
  const child = keep(spawn(process.execPath, parameters, { stdio: ['pipe', 'pipe', 'inherit'], detached: true }));
  const [line] = (await Promise.race([
    once(child.stdout ?? child, 'data'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the other process ended with ${String(code)}`))),
  ])) as [Buffer];
  return { child, ...(JSON.parse(line.toString()) as { url: string; owned: boolean }) };
}

export async function leave({ child }: OtherProcess): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

export function keep(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The values of all rows, in one list. */
export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const result = await client.query({ text: sql, rowMode: 'array' });
    return result.rows.flat();
  } finally {
    await client.end();
  }
}

export const pidFile = (): string => path.join(place(), 'postgres', 'data', 'postmaster.pid');
export const serverPid = (): number => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);
export const isDown = async (pid: number): Promise<boolean> => (await findProcess(pid)) === undefined;
