import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { identifyProcess, isSameProcess } from './process.ts';

// A server may be started by a command and joined by the long-running node, or the other way round: so no one owns it,
// and the last who leaves stops it. Callers hold the directory's lock.

/** Notes that this process uses the server; the returned function takes the note back. */
export async function registerUser(directory: string): Promise<() => Promise<void>> {
  const note = path.join(directory, randomUUID());
  await writeFile(note, await identifyProcess(), { mode: 0o600 });
  return () => rm(note, { force: true });
}

/** Whether a living process uses the server. Notes of dead ones are swept. */
export async function hasLivingUsers(directory: string): Promise<boolean> {
  const notes = (await readdir(directory)).map((name) => path.join(directory, name));
  const living = await Promise.all(notes.map(async (note) => isSameProcess(await readFile(note, 'utf8'))));
  const swept = notes.filter((_, index) => !living[index]);
  await Promise.all(swept.map((note) => rm(note, { force: true })));
  return living.includes(true);
}
