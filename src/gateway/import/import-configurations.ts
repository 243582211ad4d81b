import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ClientConfiguration } from './clients.ts';
import type { ServerNames, WrapWords } from './import.ts';
import {
  backupOf,
  readIfThere,
  assertWritable,
  replace,
  restore,
  claimNames,
  importServers,
  undoServers,
  type Rewrite,
  type Rewritten,
} from './rewrite.ts';

/** Actual or planned change of one configuration. */
export interface ImportedFile {
  client: string;
  file: string;
  /** Null if the file is no readable configuration; it is then left alone. */
  servers: Rewritten[] | null;
  /** The file with the earlier text; null if there is none. */
  backup: string | null;
  /** Target of a link out of the project; the file is then left alone. */
  leadsTo: string | null;
}

interface ImportOptions {
  words: WrapWords;
  undo: boolean;
  /** False: only plans, writes nothing. */
  write: boolean;
}

/** Rewrites every configuration found, or undoes that. Idempotent. */
export async function importConfigurations(
  configurations: readonly ClientConfiguration[],
  options: ImportOptions,
): Promise<ImportedFile[]> {
  const read = await Promise.all(
    configurations.map(async (configuration) => ({ ...configuration, text: await readIfThere(configuration.file) })),
  );
  const there = read.flatMap(({ text, ...configuration }) => (text === null ? [] : { ...configuration, text }));
  const names = claimNames(there);
  const plans: Plan[] = [];
  for (const configuration of there) plans.push(await planImport(configuration, names, options));
  // All files are known to be readable and writable before the first is written.
  if (options.write) for (const { write } of plans) await write();
  return plans.map(({ imported }) => imported);
}

interface Plan {
  imported: ImportedFile;
  write(): Promise<void>;
}

async function planImport(
  { client, file, paths, project, text }: ClientConfiguration & { text: string },
  names: ServerNames,
  { words, undo, write }: ImportOptions,
): Promise<Plan> {
  const leadsTo = project === undefined ? null : await leadsOutOf(project, file);
  if (leadsTo !== null)
    return { imported: { client, file, servers: null, backup: null, leadsTo }, write: async () => {} };
  const kept = backupOf(file);
  const before = await readIfThere(kept);
  const texts = { names, isShared: project !== undefined };
  const result = undo ? undone(text, before, paths, words, texts) : importServers(text, paths, words, texts);
  const isChanged = result !== null && result.text !== text;
  if (isChanged && write) await assertWritable(file);
  // A text with servers behind the gateway is no original: the earlier backup holds the text before them.
  const isOriginal = undoServers(text, paths)?.text === text;
  const hasBackup = isChanged && write ? !undo : before !== null;
  return {
    imported: { client, file, servers: result && result.servers, backup: hasBackup ? kept : null, leadsTo },
    async write() {
      if (isChanged) await (undo ? restore(file, text, result.text) : replace(file, text, result.text, isOriginal));
    },
  };
}

/** The real place of a file that is not below this folder, which the author of the project could choose; else null. */
async function leadsOutOf(folder: string, file: string): Promise<string | null> {
  const [home, place] = [await realpath(folder), await realpath(file)];
  const way = path.relative(home, place);
  return way.startsWith('..') || path.isAbsolute(way) ? place : null;
}

/** The earlier text, byte for byte, if nothing else has changed since. */
function undone(
  text: string,
  before: string | null,
  paths: ClientConfiguration['paths'],
  words: WrapWords,
  texts: { names: ServerNames; isShared: boolean },
): Rewrite {
  const result = undoServers(text, paths);
  const isUntouched = before !== null && importServers(before, paths, words, texts)?.text === text;
  return result && isUntouched ? { ...result, text: before } : result;
}
