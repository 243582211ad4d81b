import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { identifyProcess, isSameProcess } from '../process/process.ts';

// A command may start the server and a long-running node join it, or the other way round. So no process owns it, and
// the last to leave stops it. Callers hold the directory's lock.

/** Records that this process uses the server; the returned function removes the record. */
export async function registerUser(directory: string): Promise<() => Promise<void>> {
  const note = path.join(directory, randomUUID());
  await writeFile(note, await identifyProcess(), { mode: 0o600 });
  return () => rm(note, { force: true });
}

/** Does a live process use the server? Records of dead ones are removed. */
export async function hasLivingUsers(directory: string): Promise<boolean> {
  const notes = (await readdir(directory)).map((name) => path.join(directory, name));
  const areAlive = await Promise.all(notes.map(async (note) => isSameProcess(await readFile(note, 'utf8'))));
  const swept = notes.filter((_, index) => !areAlive[index]);
  await Promise.all(swept.map((note) => rm(note, { force: true })));
  return areAlive.includes(true);
}
