/** What has happened since the latest entry, of one kind and from one source. */
export interface Tally {
  /** When that entry was written. */
  since: number;
  /** How often it happened again; no entry covers these yet. */
  count: number;
}

/** Milliseconds within which what repeats itself is counted and not written. */
export const refusalWindow = 10 * 60_000;
export const readingWindow = 60 * 60_000;

/** Sources of strangers that a node counts apart at a time; all others count together. */
export const maxSources = 100;

/**
 * Counts one more occurrence: the first, and the first after a window, is reported at once; within the window it is
 * counted. `reportCount` is the number that the entry reports, 0 for no entry.
 */
export function countOne(tally: Tally | undefined, now: number, window: number): { tally: Tally; reportCount: number } {
  const isOver = !tally || now >= tally.since + window;
  return isOver
    ? { tally: { since: now, count: 0 }, reportCount: (tally?.count ?? 0) + 1 }
    : { tally: { ...tally, count: tally.count + 1 }, reportCount: 0 };
}

/** Closes a window that is over: its count is reported and opens the next; a window without a count is forgotten. */
export function closeWindow(tally: Tally, now: number, window: number): { tally: Tally | null; reportCount: number } {
  if (now < tally.since + window) return { tally, reportCount: 0 };
  return tally.count === 0
    ? { tally: null, reportCount: 0 }
    : { tally: { since: now, count: 0 }, reportCount: tally.count };
}
