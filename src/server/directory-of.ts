import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Config } from '#platform/config/config';
import { defaultDataDirectory, assertNotLeftBehind } from '#platform/config/data-directory';
import { statePlaces } from '#platform/config/env';
import { isReachable, SYSTEM_DIRECTORY, identifyProcess, isSameProcess } from '#platform/embedded/process';
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Where an installation with an embedded database keeps it, and its secrets, as an absolute path. */
export const directoryOf = ({ dataDirectory }: Pick<Config, 'dataDirectory'>): string =>
  dataDirectory === null ? chooseDirectory() : path.resolve(dataDirectory);

/** Problem `config-invalid` if an earlier version made it elsewhere. */
function chooseDirectory(): string {
  const machine = { platform: process.platform, home: homedir(), ...statePlaces(), isThere: existsSync };
  const own = defaultDataDirectory(machine);
  // PostgreSQL's user opens the directory itself to walk through, so only the way to it counts.
  const isClosed = process.getuid?.() === 0 && !isReachable(path.dirname(own));
  const directory = isClosed ? SYSTEM_DIRECTORY : own;
  assertNotLeftBehind(process.cwd(), directory, machine);
  return directory;
}

/** What a process leaves in the data directory while it serves. */
interface ServingNote {
  process: string;
  url: string;
}

/** Notes that this process serves at this address; the returned function takes the note back. */
export async function noteServing(directory: string, url: string): Promise<() => Promise<void>> {
  const note = JSON.stringify({ process: await identifyProcess(), url } satisfies ServingNote);
  const file = noteIn(directory);
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, note, { mode: 0o600 });
  await rename(draft, file);
  return async () => {
    if ((await readNote(file)) === note) await rm(file, { force: true });
  };
}

/**
 * Where a living process serves this data directory; null if none does. Only someone who may write to the directory can say so:
 * that something listens at an address proves nothing.
 */
export async function findServing(directory: string): Promise<string | null> {
  const text = await readNote(noteIn(directory));
  if (text === null) return null;
  const note = JSON.parse(text) as ServingNote; // written aside and renamed, so it is whole
  return (await isSameProcess(note.process)) ? note.url : null;
}

const noteIn = (directory: string): string => path.join(directory, 'serving');

const readNote = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);
