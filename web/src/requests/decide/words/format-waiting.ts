import { path as words } from './words.ts';

/** Who can still take the seats that are left. */
export function formatWaiting(names: string[], needed: number): string {
  if (names.length === 0) return words.noOneLeft;
  if (names.length < needed) return words.tooFew(names, needed);
  return words.waitingFor(names.slice(0, maxNames), Math.max(0, names.length - maxNames));
}

/** Beyond this a list of names is no longer read. */
const maxNames = 6;
