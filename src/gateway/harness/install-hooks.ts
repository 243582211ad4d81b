import { existsSync } from 'node:fs';
import path from 'node:path';
import { backupOf, create, readIfThere, refuseReadOnly, remove, replace, restore } from '../import/kept-file.ts';
import { addHook, isEmpty, removeHook, type HookWords } from './hook-settings.ts';
import { harnesses, type Harness } from './hook-event.ts';

/** What becomes, or would become, of one harness's settings. */
export interface InstalledHook {
  harness: Harness;
  file: string;
  /** `unfit`: the settings are no JSON. */
  change: 'rewritten' | 'same' | 'unfit';
  /** The file with the text from before; null if there is none. */
  backup: string | null;
}

export interface InstallOptions {
  words: HookWords;
  undo: boolean;
  /** Without it nothing is written. */
  write: boolean;
}

/** Where the harnesses that are on this machine keep a person's hooks. */
export function hookFilesIn(home: string, codexHome = path.join(home, '.codex')): { harness: Harness; file: string }[] {
  const files: Record<Harness, string> = {
    'claude-code': path.join(home, '.claude', 'settings.json'),
    codex: path.join(codexHome, 'hooks.json'),
  };
  return harnesses
    .map((harness) => ({ harness, file: files[harness] }))
    .filter(({ file }) => existsSync(path.dirname(file)));
}

/** Adds the hook to these settings, or takes it out again. Doing it twice changes nothing. */
export async function installHook(
  { harness, file }: { harness: Harness; file: string },
  { words, undo, write }: InstallOptions,
): Promise<InstalledHook> {
  const text = await readIfThere(file);
  const before = await readIfThere(backupOf(file));
  const empty = '{}\n';
  const result = undo ? undone(text ?? empty, before, harness, words) : addHook(text ?? empty, harness, words);
  const backup = before === null ? null : backupOf(file);
  if (result === null) return { harness, file, change: 'unfit', backup };
  if (result === (text ?? empty)) return { harness, file, change: 'same', backup };
  if (write) await put(file, { text, before, result, undo });
  const hasBackup = write ? !undo && text !== null : before !== null;
  return { harness, file, change: 'rewritten', backup: hasBackup ? backupOf(file) : null };
}

interface Put {
  text: string | null;
  before: string | null;
  result: string;
  undo: boolean;
}

async function put(file: string, { text, before, result, undo }: Put): Promise<void> {
  if (text === null) return create(file, result);
  const isOurs = undo && before === null && isEmpty(result, []); // only the hook was in it
  await refuseReadOnly(file);
  if (isOurs) return remove(file, text);
  return undo ? restore(file, text, result) : replace(file, text, result, removeHook(text) === text);
}

/** The text from before, byte for byte, if nothing else has changed since. */
function undone(text: string, before: string | null, harness: Harness, words: HookWords): string | null {
  const isUntouched = before !== null && addHook(before, harness, words) === text;
  return isUntouched ? before : removeHook(text);
}
