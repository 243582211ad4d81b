import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Copies of heads of the log in a directory, each a file of its own that is never written again. */
export const copyHeads =
  (directory: string): ((size: number, note: string) => Promise<void>) =>
  async (size, note) => {
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, headFileName(size));
    await writeFile(file, note, { flag: 'wx', flush: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  };

/** Names sort as their sizes. */
export const headFileName = (size: number): string => `checkpoint-${String(size).padStart(12, '0')}`;
