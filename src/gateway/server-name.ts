import { namePattern, nameRule } from '#protocol/model/names';

/** The grammar of names, and no dot or dash first: a folder has this name, too. */
export const isServerName = (name: string): boolean => namePattern.test(name) && /^[A-Za-z0-9]/.test(name);
export const serverNameRule = `${nameRule} Begin with a letter or a digit.`;

/** The real path of what a word of a command line names; null if nothing is there. */
type Resolve = (word: string) => string | null;

/**
 * What a command runs, however it is started and in whatever version: `npm:PACKAGE`, `file:PATH` of a script or program, or
 * `LAUNCHER:WORD`. What the program is given as arguments is no part of it.
 */
export function serverCommandOf(words: readonly string[], resolve: Resolve): string {
  const { launcher, named } = readWords(words);
  const place = !launcher || scriptRunners.test(launcher) || isPath(named) ? resolve(named) : null;
  const installed = place === null ? null : packageIn(place);
  if (installed !== null) return `npm:${installed}`;
  if (place !== null) return `file:${place}`;
  const bare = named.replace(containers.test(launcher) ? /(?<=[^/]):[^/]*$|@.*$/ : /(?<=.)@[^/\\]*$/, '');
  return `${packageRunners.test(launcher) ? 'npm' : launcher || 'program'}:${bare}`;
}

/**
 * A name for a server by its command: of the package or program, without scope, version and ending, in the grammar of
 * names.
 */
export function serverNameOf(words: readonly string[], resolve: Resolve = () => null): string {
  const command = serverCommandOf(words, resolve);
  const bare = baseOf(command.slice(command.indexOf(':') + 1)).replace(/\.(?:js|mjs|cjs|ts|py|exe)$/i, '');
  const name = bare
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}

/** Programs that start another one, which comes after their options. */
const launchers =
  /^(?:npx|bunx|pnpx|uvx|node|bun|deno|python[\d.]*|py|uv|pnpm|yarn|npm|cmd|env|docker|podman)(?:\.(?:exe|cmd))?$/i;
const packageRunners = /^(?:npx|bunx|pnpx|pnpm|yarn|npm)$/;
const scriptRunners = /^(?:node|bun|deno|python[\d.]*|py|env|cmd)$/;
const containers = /^(?:docker|podman)$/;
/** Options of containers that are followed by a value. */
const withValue =
  /^(?:-[evpuwhl]|--(?:env|env-file|volume|mount|name|publish|user|workdir|hostname|network|entrypoint|label|platform))$/;
/** Words between a launcher and what it starts. */
const betweenWords = new Set(['run', 'exec', 'dlx', 'x', '/c', 'tool']);

/** The last launcher, without its ending, and the word that says what it starts. */
function readWords(words: readonly string[]): { launcher: string; named: string } {
  let launcher = '';
  for (const [at, word] of words.entries()) {
    if (launchers.test(baseOf(word)))
      launcher = baseOf(word)
        .replace(/\.(?:exe|cmd)$/i, '')
        .toLowerCase();
    else if (!word.startsWith('-') && !betweenWords.has(word) && !isValue(words[at - 1], launcher))
      return { launcher, named: word };
  }
  return { launcher: '', named: words[0] ?? '' };
}

const isValue = (option: string | undefined, launcher: string): boolean =>
  option !== undefined && containers.test(launcher) && withValue.test(option);

const isPath = (word: string): boolean => /^(?:\.{0,2}[\\/]|~|[A-Za-z]:[\\/])/.test(word);

/** The npm package that a file is in; null if in none. */
const packageIn = (place: string): string | null =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(place)?.[1]?.replace('\\', '/') ?? null;

/** Names of files and folders that say nothing of the server in them. */
const plain = /^(?:index|main|server|cli|dist|build|lib|src|bin)?(?:\.(?:js|mjs|cjs|ts|py|exe))?$/i;

/** The last part of a path that says something. */
function baseOf(word: string): string {
  const parts = word.split(/[\\/]/);
  return parts.findLast((part) => !plain.test(part)) ?? parts.at(-1) ?? '';
}
