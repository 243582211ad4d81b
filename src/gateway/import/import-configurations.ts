import type { ClientConfiguration } from './clients.ts';
import type { WrapWords } from './entry.ts';
import { backupOf, readIfThere, replace, restore } from './kept-file.ts';
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
  // What already has servers behind the gateway is no original: the earlier backup holds what was before them.
  const isOriginal = undoServers(text, paths)?.text === text;
  if (isChanged && write) await (undo ? restore(file, result.text) : replace(file, text, result.text, isOriginal));
  const hasBackup = isChanged && write ? !undo : before !== null;
  return { client, file, servers: result && result.servers, backup: hasBackup ? kept : null };
}

/** The text from before, byte for byte, if nothing else has changed since. */
function undone(text: string, before: string | null, paths: ClientConfiguration['paths'], words: WrapWords): Rewrite {
  const result = undoServers(text, paths);
  const isUntouched = before !== null && importServers(before, paths, words)?.text === text;
  return result && isUntouched ? { ...result, text: before } : result;
}
