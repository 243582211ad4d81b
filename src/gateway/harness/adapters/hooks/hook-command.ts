import { racedCallsIn } from '../adapter/raced-calls.ts';
import type { HookWords } from '../adapter/adapter.ts';

/** Words by which the hook is recognised in a file. */
export const mark = 'The hook of Assentry could not run';

/** What the model reads if the hook has failed. */
export const failure = `${mark}, so nothing was run.`;

/** A project can set the variables of its agent's programs: by these, the hook would run other code or believe another server. */
export const leftOut = ({ url = '' }: HookWords): string[] => [
  'NODE_OPTIONS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'OPENSSL_CONF',
  ...(url.startsWith('https:') ? [] : ['NODE_USE_ENV_PROXY']),
];

/** The address is among the words, because no variable of the environment may lead the hook to another Assentry. */
export const hookWords = (harness: string, { program, directory, timeout, url }: HookWords): string[] => [
  ...program,
  'hook',
  harness,
  '--timeout',
  String(timeout),
  '--data-dir',
  directory,
  ...(url === undefined ? [] : ['--url', url]),
];

const run = (harness: string, words: HookWords): string =>
  `{ unset ${leftOut(words).join(' ')}; ${hookWords(harness, words).map(quote).join(' ')}; }`;

/**
 * For a POSIX shell. Whatever keeps the hook from answering blocks the call: a harness goes on if a hook fails with
 * another code than 2, or with 2 and no words.
 */
export const shellCommand = (harness: string, words: HookWords): string =>
  `${run(harness, words)} || { echo '${failure}' >&2; exit 2; }`;

/** After a call: nothing is started unless a hook waits, since this runs after every call. */
export const withdrawCommand = (harness: string, words: HookWords): string =>
  `[ -z "$(ls ${quote(racedCallsIn(words.directory))} 2>/dev/null)" ] || ${run(harness, words)} || echo '${mark}, so its request stays open.' >&2`;

/** The same for PowerShell. */
export const powerShellCommand = (harness: string, words: HookWords): string =>
  `Remove-Item -ErrorAction SilentlyContinue ${leftOut(words)
    .map((name) => `Env:${name}`)
    .join(',')}; & ${hookWords(harness, words)
    .map((word) => `'${word.replaceAll("'", "''")}'`)
    .join(' ')}; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('${failure}'); exit 2 }`;

const quote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
