import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../../model/problem.ts';

/** Writes a configuration, and keeps the text from before next to it, unless an earlier backup holds more. */
export async function replace(file: string, text: string, content: string, isOriginal: boolean): Promise<void> {
  if (isOriginal || (await readIfThere(backupOf(file))) === null) await write(backupOf(file), text, file);
  await write(file, content, file);
}

/** Writes a configuration as it was before. */
export async function restore(file: string, content: string): Promise<void> {
  await write(file, content, file);
  await rm(backupOf(file), { force: true });
}

/** Writes a configuration that was not there. */
export async function create(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content, { mode: 0o600, flush: true, flag: 'wx' });
}

export const backupOf = (file: string): string => `${file}.before-assentry`;

/** Whole or not at all, with the rights of the configuration; a link to a file elsewhere stays one. */
async function write(file: string, text: string, like: string): Promise<void> {
  const place = file === like ? await realpath(file) : file;
  const draft = `${place}.${randomUUID()}`;
  await writeFile(draft, text, { mode: (await stat(like)).mode & 0o777, flush: true });
  await rename(draft, place);
}

/** Null if there is no such file. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null;
    throw new Problem('config-invalid', { detail: `Check ${file}: it cannot be read.`, cause });
  }
}
