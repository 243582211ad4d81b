/** A list that must not move under the pointer: what is shown, what waits to be shown, what has gone meanwhile. */
interface SettledRows<T> {
  rows: T[];
  waiting: T[];
  gone: ReadonlySet<string>;
}

/**
 * While someone is at the list, rows keep their places and only their content is refreshed: new ones wait and
 * vanished ones stay, marked. Otherwise the fresh list is taken as it is.
 */
export function settleRows<T extends { id: string }>(shown: T[], fresh: T[], isBusy: boolean): SettledRows<T> {
  if (!isBusy || shown.length === 0) return { rows: fresh, waiting: [], gone: new Set() };
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const shownIds = new Set(shown.map((row) => row.id));
  const lastKnown = fresh.findLastIndex((row) => shownIds.has(row.id));
  return {
    // What follows the last known row was loaded by hand, or came in at the end, where it moves nothing.
    rows: [...shown.map((row) => freshById.get(row.id) ?? row), ...fresh.slice(lastKnown + 1)],
    waiting: fresh.slice(0, lastKnown + 1).filter((row) => !shownIds.has(row.id)),
    gone: new Set(shown.filter((row) => !freshById.has(row.id)).map((row) => row.id)),
  };
}
