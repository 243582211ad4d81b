import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../model/problem/problem.ts';
import { identifyProcess, isSameProcess } from '../process/process.ts';
import { hasErrorCode } from '../../model/problem/system-error.ts';

const LOCK_TIMEOUT_MS = 120_000; // longer than PostgreSQL's own 60 s to start or to stop

/** Runs the work while no other process works under the same file. A lock whose holder died is ignored. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await acquire(file);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, await identifyProcess(), { mode: 0o600 });
  try {
    for (const deadline = Date.now() + LOCK_TIMEOUT_MS; Date.now() < deadline; await sleep(30)) {
      if (await tryLink(draft, file)) return;
      const holder = await read(file);
      if (holder !== undefined && !(await isSameProcess(holder))) await removeDead(file, holder);
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw new Problem('database-unavailable', {
    detail: `Another process has been starting or stopping the database for too long; it holds ${file}.`,
  });
}

/** A link appears with its content, so no one reads a half-written lock. */
async function tryLink(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Two waiters may find the same dead holder: each moves the file first, checks it again, and puts it back if it is
 * another's.
 */
async function removeDead(file: string, holder: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await read(aside)) === holder) await rm(aside, { force: true });
  else await rename(aside, file);
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
