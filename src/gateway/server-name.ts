import { namePattern, nameRule } from '../model/names.ts';

/** The grammar of names, and no dot or dash first: a folder has this name, too. */
export const isServerName = (name: string): boolean => namePattern.test(name) && /^[A-Za-z0-9]/.test(name);
export const serverNameRule = `${nameRule} Begin with a letter or a digit.`;

/** Programs that start another one, which comes after their options. */
const launchers =
  /^(?:npx|bunx|pnpx|uvx|node|bun|deno|python[\d.]*|py|uv|pnpm|yarn|npm|cmd|env|docker|podman)(?:\.(?:exe|cmd))?$/i;
/** Words between a launcher and what it starts. */
const betweenWords = new Set(['run', 'exec', 'dlx', 'x', '/c', 'tool']);

/**
 * A name for a server by its command: of the package or program, without scope, version and ending, in the grammar of
 * names.
 */
export function serverNameOf(words: readonly string[]): string {
  const named = words.find((word) => !isSkipped(word)) ?? words[0] ?? '';
  const bare = baseOf(named)
    .replace(/(?<=.)@.*$/, '')
    .replace(/\.(?:js|mjs|cjs|ts|py|exe)$/i, '');
  const name = bare
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}

/** Names of files and folders that say nothing of the server in them. */
const plain = /^(?:index|main|server|cli|dist|build|lib|src|bin)?(?:\.(?:js|mjs|cjs|ts|py|exe))?$/i;

const isSkipped = (word: string): boolean =>
  word.startsWith('-') || betweenWords.has(word) || launchers.test(baseOf(word));

/** The last part of a path that says something. */
function baseOf(word: string): string {
  const parts = word.split(/[\\/]/);
  return parts.findLast((part) => !plain.test(part)) ?? parts.at(-1) ?? '';
}
