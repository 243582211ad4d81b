import { path as words } from './words.ts';

/** Who can still take the seats that are left. */
export function sayWaiting(names: string[], needed: number): string {
  if (names.length === 0) return words.noOneLeft;
  if (names.length < needed) return words.tooFew(names, needed);
  return words.waitingFor(names.slice(0, mostNames), Math.max(0, names.length - mostNames));
}

/** Beyond this a list of names is no longer read. */
const mostNames = 6;
