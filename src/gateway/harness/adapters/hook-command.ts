import { racedCallsIn } from './raced-calls.ts';
import type { HookWords } from './adapter.ts';

/** Words by which the hook is recognised in a file. */
export const mark = 'The hook of Assentry could not run';

/** What the model reads if the hook has failed. */
export const failure = `${mark}, so nothing was run.`;

export const hookWords = (harness: string, { program, directory, timeout }: HookWords): string[] => [
  ...program,
  'hook',
  harness,
  '--timeout',
  String(timeout),
  '--data-dir',
  directory,
];

/**
 * For a POSIX shell. Whatever keeps the hook from answering blocks the call: a harness goes on if a hook fails with
 * another code than 2, or with 2 and no words.
 */
export const shellCommand = (harness: string, words: HookWords): string =>
  `${hookWords(harness, words).map(quote).join(' ')} || { echo '${failure}' >&2; exit 2; }`;

/** After a call: nothing is started unless a hook waits, since this runs after every call. */
export const withdrawCommand = (harness: string, words: HookWords): string =>
  `[ -z "$(ls ${quote(racedCallsIn(words.directory))} 2>/dev/null)" ] || ${hookWords(harness, words).map(quote).join(' ')} || echo '${mark}, so its request stays open.' >&2`;

/** The same for PowerShell. */
export const powerShellCommand = (harness: string, words: HookWords): string =>
  `& ${hookWords(harness, words)
    .map((word) => `'${word.replaceAll("'", "''")}'`)
    .join(' ')}; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('${failure}'); exit 2 }`;

const quote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
