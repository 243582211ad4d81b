import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../../model/problem/problem.ts';

/**
 * Copies of heads of the log in a directory, each a file of its own that is never written again. Problem `proof-invalid`
 * if the file of this size is of another head.
 */
export const copyHeads =
  (directory: string): ((size: number, note: string) => Promise<void>) =>
  async (size, note) => {
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, headFileName(size));
    try {
      await writeFile(file, note, { flag: 'wx', flush: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      assertSameHead(file, await readFile(file, 'utf8'), note);
    }
  };

/** The largest head of which a copy in this directory can be read, and where; null if there is none. */
export async function latestCopy<Head>(
  directory: string,
  read: (text: string) => Head | null,
): Promise<{ path: string; head: Head } | null> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []; // no node has made it yet
    throw error;
  });
  for (const name of names
    .filter((name) => /^checkpoint-\d{12,}$/.test(name))
    .toSorted()
    .toReversed()) {
    const file = path.join(directory, name);
    const head = read(await readFile(file, 'utf8'));
    if (head) return { path: file, head };
  }
  return null;
}

/** Names sort as their sizes. */
export const headFileName = (size: number): string => `checkpoint-${String(size).padStart(12, '0')}`;

/** Problem `proof-invalid` unless the copy at this place is of this head; the signatures under it may differ. */
export function assertSameHead(place: string, copy: string, note: string): void {
  if (headIn(copy) === headIn(note)) return;
  throw new Problem('proof-invalid', { detail: note.startsWith(copy) ? unfinished(place) : anotherHead(place) });
}

/** A node that wrote the copy before a witness cosigned has fewer signatures. */
const headIn = (note: string): string | undefined => note.split('\n\n')[0];

const unfinished = (place: string): string =>
  `Remove ${place} if this comes again: it is a copy of a head of the log that was not written to its end.`;

const anotherHead = (place: string): string =>
  `Find out who put the database back: ${place} holds another head of the log of the same size. After a declared restore, give another folder.`;
