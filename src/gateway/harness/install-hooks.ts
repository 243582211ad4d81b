import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '#platform/model/problem';
import { backupOf, create, readIfThere, assertWritable, remove, replace, restore } from '../import/rewrite.ts';
import type { HarnessPlace, HookFile, HookWords } from './adapters/adapter.ts';
import { adapters } from './adapters/adapters.ts';
import { harnesses, type Harness } from './adapters/harness.ts';

/** Actual or planned change of one harness's settings. */
export interface InstalledHook {
  harness: Harness;
  file: string;
  /** `unfit`: the settings cannot be read. */
  change: 'rewritten' | 'same' | 'unfit';
  /** The file with the earlier text; null if there is none. */
  backup: string | null;
}

export interface InstallOptions {
  words: HookWords;
  undo: boolean;
  /** False: only plans, writes nothing. */
  write: boolean;
}

/** Files of a person's hooks, for the harnesses on this machine. */
export const hookFilesIn = (place: HarnessPlace): { harness: Harness; file: string }[] =>
  harnesses
    .map((harness) => ({ harness, ...adapters[harness].placeOf(place) }))
    .filter(({ folder }) => existsSync(folder))
    .map(({ harness, file }) => ({ harness, file }));

/** File of the machine owner's settings for Claude Code. */
export const managedFileOn = (platform: NodeJS.Platform): string =>
  ({
    darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
    win32: String.raw`C:\Program Files\ClaudeCode\managed-settings.json`,
  })[platform as string] ?? '/etc/claude-code/managed-settings.json';

/** Adds the hook to these settings, or removes it. Idempotent. */
export async function installHook(
  { harness, file, isManaged = false }: { harness: Harness; file: string; isManaged?: boolean },
  { words, undo, write }: InstallOptions,
): Promise<InstalledHook> {
  const text = await readIfThere(file);
  const before = await readIfThere(backupOf(file));
  const { hookFile } = adapters[harness];
  const present = text ?? hookFile.empty;
  const result = undo ? undone(present, before, hookFile, words) : hookFile.add(present, words);
  const backup = before === null ? null : backupOf(file);
  if (result === null) return { harness, file, change: 'unfit', backup };
  if (result === present) return { harness, file, change: 'same', backup };
  if (write)
    await put(file, { text, before, result, undo, hookFile }).catch((error) => explain(error, file, isManaged));
  if (write && isManaged && !undo) await letEveryoneRead(file);
  const hasBackup = write ? !undo && text !== null : before !== null;
  return { harness, file, change: 'rewritten', backup: hasBackup ? backupOf(file) : null };
}

function explain(error: unknown, file: string, isManaged: boolean): never {
  const { code } = error as NodeJS.ErrnoException;
  if (isManaged && (code === 'EACCES' || code === 'EPERM'))
    throw new Problem('config-invalid', { detail: `Run this as an administrator: ${file} is not yours to write.` });
  throw error;
}

/** Makes the file readable for every person's agent and writable for its owner only. */
async function letEveryoneRead(file: string): Promise<void> {
  await chmod(path.dirname(file), 0o755);
  await chmod(file, 0o644);
}

interface Put {
  text: string | null;
  before: string | null;
  result: string;
  undo: boolean;
  hookFile: HookFile;
}

async function put(file: string, { text, before, result, undo, hookFile }: Put): Promise<void> {
  if (text === null) return create(file, result);
  const isOurs = undo && before === null && hookFile.isEmpty(result); // only the hook was in it
  await assertWritable(file);
  if (isOurs) return remove(file, text);
  return undo ? restore(file, text, result) : replace(file, text, result, hookFile.remove(text) === text);
}

/** The earlier text, byte for byte, if nothing else has changed since. */
function undone(text: string, before: string | null, hookFile: HookFile, words: HookWords): string | null {
  const isUntouched = before !== null && hookFile.add(before, words) === text;
  return isUntouched ? before : hookFile.remove(text);
}
