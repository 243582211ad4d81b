import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '#platform/model/problem/problem';

/** Writes a configuration, and keeps the text from before next to it, unless an earlier backup holds more. */
export async function replace(file: string, text: string, content: string, isOriginal: boolean): Promise<void> {
  const hasEarlier = (await readIfThere(backupOf(file))) !== null;
  if (isOriginal || !hasEarlier) await write(backupOf(file), text, file);
  try {
    await exchange(file, text, content);
  } catch (error) {
    if (!hasEarlier) await rm(backupOf(file), { force: true }); // it may hold secrets, and nothing leads to it
    throw error;
  }
}

/** Writes a configuration as it was before. */
export async function restore(file: string, text: string, content: string): Promise<void> {
  await exchange(file, text, content);
  await rm(backupOf(file), { force: true });
}

/** Writes a configuration that was not there. */
export async function create(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content, { mode: 0o600, flush: true, flag: 'wx' });
}

/** Removes a configuration that nothing was kept of. */
export async function remove(file: string, text: string): Promise<void> {
  await assertUnchanged(file, text);
  await rm(file);
}

export const backupOf = (file: string): string => `${file}.before-assentry`;

/** Refuses a file that its owner has protected, although a new one could take its place. */
export async function assertWritable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o222) === 0)
    throw new Problem('config-invalid', { detail: `Make ${file} writable first: it is read-only.` });
}

/** Null if there is no such file. */
export async function readIfThere(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR'].includes(cause.code ?? '')) return null;
    throw new Problem('config-invalid', { detail: `Check ${file}: it cannot be read.`, cause });
  });
  try {
    return bytes && utf8.decode(bytes);
  } catch (cause) {
    throw new Problem('config-invalid', { detail: `Save ${file} as UTF-8: it has other bytes.`, cause });
  }
}

/** Other bytes would be lost, and a mark at the beginning stays. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Writes if the file still has this text: a client may have saved it meanwhile. */
async function exchange(file: string, text: string, content: string): Promise<void> {
  await write(await realpath(file), content, file, () => assertUnchanged(file, text));
}

async function assertUnchanged(file: string, text: string): Promise<void> {
  if ((await readIfThere(file)) !== text)
    throw new Problem('config-invalid', { detail: `Run it again: ${file} was changed in the meantime.` });
}

/** Whole or not at all, with owner and rights of the configuration; a link to a file elsewhere stays one. The look is the last thing before. */
async function write(place: string, text: string, like: string, look = async () => {}): Promise<void> {
  const draft = `${place}.${randomUUID()}`;
  try {
    const { mode, uid, gid } = await stat(like);
    await writeFile(draft, text, { mode: mode & 0o777, flush: true });
    if (process.getuid?.() === 0) await chown(draft, uid, gid);
    await look();
    await rename(draft, place);
  } catch (cause) {
    await rm(draft, { force: true });
    if (cause instanceof Problem) throw cause;
    const { code = 'an error' } = cause as NodeJS.ErrnoException;
    throw new Problem('config-invalid', { detail: `Check ${place}: it cannot be written (${code}).`, cause });
  }
}
