import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { discardEmbeddedDatabase } from '#platform/embedded/database';
import { findProcess } from '#platform/embedded/process';
import { newFolder } from '../support/new-folder.ts';

/** A data directory of one's own, not made yet, which PostgreSQL's user may reach. */
export function newDataDirectory(name: string): string {
  const parent = newFolder(name);
  chmodSync(parent, 0o755);
  return path.join(parent, 'data');
}

/** The number of the PostgreSQL that runs in the data directory; undefined where none does. */
export async function findDatabase(directory: string): Promise<number | undefined> {
  const file = path.join(directory, 'postgres', 'data', 'postmaster.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : Number.NaN;
  return (await findProcess(pid)) && pid;
}

/** For the end of a test: stops the database if one was left running, and removes it. */
export const discardDirectory = (directory: string): Promise<void> =>
  discardEmbeddedDatabase(directory, { PATH: process.env.PATH });
