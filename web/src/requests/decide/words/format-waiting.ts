import { path as words } from './words.ts';

/** People who can still take the remaining seats. */
export function formatWaiting(names: string[], needed: number): string {
  if (names.length === 0) return words.noOneLeft;
  if (names.length < needed) return words.tooFew(names, needed);
  return words.waitingFor(names.slice(0, maxNames), Math.max(0, names.length - maxNames));
}

/** Limit of names in a list that people read. */
const maxNames = 6;
