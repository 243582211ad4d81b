import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Problem } from '../../model/problem.ts';
import type { ClientConfiguration } from './clients.ts';
import type { WrapWords } from './entry.ts';
import { importServers, undoServers, type Rewrite, type Rewritten } from './rewrite.ts';

/** What becomes, or would become, of one configuration. */
export interface ImportedFile {
  client: string;
  file: string;
  /** Null if the file is no configuration that can be read; nothing is done to it then. */
  servers: Rewritten[] | null;
  /** The file with the text from before; null if there is none. */
  backup: string | null;
}

interface ImportOptions {
  words: WrapWords;
  undo: boolean;
  /** Without it nothing is written. */
  write: boolean;
}

/** Rewrites every configuration that is there, or undoes that. Doing it again changes nothing. */
export async function importConfigurations(
  configurations: readonly ClientConfiguration[],
  options: ImportOptions,
): Promise<ImportedFile[]> {
  const imported: ImportedFile[] = [];
  for (const configuration of configurations) {
    const file = await importOne(configuration, options);
    if (file) imported.push(file);
  }
  return imported;
}

async function importOne(
  { client, file, paths }: ClientConfiguration,
  { words, undo, write }: ImportOptions,
): Promise<ImportedFile | null> {
  const text = await readIfThere(file);
  if (text === null) return null;
  const kept = backupOf(file);
  const before = await readIfThere(kept);
  const result = undo ? undone(text, before, paths, words) : importServers(text, paths, words);
  const isChanged = result !== null && result.text !== text;
  if (isChanged && write) await (undo ? restore(file, result.text) : replace(file, text, result.text, paths));
  const hasBackup = isChanged && write ? !undo : before !== null;
  return { client, file, servers: result && result.servers, backup: hasBackup ? kept : null };
}

/** The text from before, byte for byte, if nothing else has changed since. */
function undone(text: string, before: string | null, paths: ClientConfiguration['paths'], words: WrapWords): Rewrite {
  const result = undoServers(text, paths);
  const isUntouched = before !== null && importServers(before, paths, words)?.text === text;
  return result && isUntouched ? { ...result, text: before } : result;
}

/** An earlier backup is kept if the file already has servers behind the gateway: it holds what was before them. */
async function replace(
  file: string,
  text: string,
  content: string,
  paths: ClientConfiguration['paths'],
): Promise<void> {
  const isOriginal = undoServers(text, paths)?.text === text;
  if (isOriginal || (await readIfThere(backupOf(file))) === null) await write(backupOf(file), text, file);
  await write(file, content, file);
}

async function restore(file: string, content: string): Promise<void> {
  await write(file, content, file);
  await rm(backupOf(file), { force: true });
}

const backupOf = (file: string): string => `${file}.before-assentry`;

/** Whole or not at all, with the rights of the configuration; a link to a file elsewhere stays one. */
async function write(file: string, text: string, like: string): Promise<void> {
  const place = file === like ? await realpath(file) : file;
  const draft = `${place}.${randomUUID()}`;
  await writeFile(draft, text, { mode: (await stat(like)).mode & 0o777, flush: true });
  await rename(draft, place);
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null;
    throw new Problem('config-invalid', { detail: `Check ${file}: it cannot be read.`, cause });
  }
}
