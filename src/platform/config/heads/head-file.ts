import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { refuseVariable } from '../config.ts';

/** A file outside the database that holds the latest signed head of the log. */
export interface HeadFile {
  path: string;
  /** Null before the first. */
  read(): Promise<string | null>;
  /** Whenever the process ends, the file has either the former head or this one. */
  write(note: string): Promise<void>;
  /** Renames the file, so that no head is kept; returns its new path. */
  putAside(): Promise<string>;
}

export const openHeadFile = (path: string): HeadFile => ({
  path,
  read: () =>
    readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw refuseFile(path, error);
    }),
  async write(note) {
    const aside = `${path}.${randomUUID()}`;
    try {
      await writeFile(aside, note, { flush: true });
      await rename(aside, path);
    } catch (error) {
      await rm(aside, { force: true }).catch(() => {});
      throw refuseFile(path, error as NodeJS.ErrnoException);
    }
  },
  async putAside() {
    const aside = `${path}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(path, aside);
    return aside;
  },
});

const refuseFile = (path: string, { code }: NodeJS.ErrnoException) =>
  refuseVariable(
    'ASSENTRY_LOG_HEAD',
    `${path}, which cannot be read and written (${code})`,
    'give a file of this user',
  );
