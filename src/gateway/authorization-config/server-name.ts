import { namePattern, nameRule } from '#platform/model/names';
import type { Place } from '../reach/starters/files.ts';
import { placeHere } from '../reach/starters/place-here.ts';
import { targetOf } from '../reach/reach/reach.ts';
import { isBoundTo } from '../tools/pins/pins.ts';

/** The grammar of names, and no dot or dash first: a folder has this name, too. */
export const isServerName = (name: string): boolean => namePattern.test(name) && /^[A-Za-z0-9]/.test(name);
export const serverNameRule = `${nameRule} Begin with a letter or a digit.`;

/**
 * A name for a server by its command: of the package, the program or the host behind everything that only starts another
 * program, without scope, version and ending, in the grammar of names.
 */
export function serverNameOf(words: readonly string[], place: Place = placeHere()): string {
  const target = targetOf(words, place);
  const bare = hostIn(target) ?? baseOf(packageIn(target) ?? target).replace(/\.(?:js|mjs|cjs|ts|py|exe)$/i, '');
  const name = bare
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}

/** This name, or the next free one: each name is of one server. Two processes may ask at the same time. */
export async function freeName(folder: string, name: string, reaches: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    if (await isBoundTo(folder, numbered, reaches)) return numbered;
  }
}

const hostIn = (target: string): string | null => (/^https?:\/\//.test(target) ? new URL(target).hostname : null);

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
