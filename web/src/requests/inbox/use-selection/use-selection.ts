import { useCallback, useEffect, useRef, useState } from 'react';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { addRows, fits, rowsBetween } from '../choose-rows.ts';

interface Choice {
  ids: ReadonlySet<string>;
  /** The row that was turned last: a range begins there. */
  anchor: string | null;
}

const noChoice: Choice = { ids: new Set(), anchor: null };

/** Which rows are chosen to be decided together; what has left the list is not chosen with a range or with all. */
export function useSelection(rows: InboxItem[], gone: ReadonlySet<string>) {
  const [{ ids, anchor }, setChoice] = useState(noChoice);
  const chosen = rows.filter(({ id }) => ids.has(id));
  const present = rows.filter(({ id }) => !gone.has(id));
  const all = addRows(chosen, present);
  const choose = (items: InboxItem[], from: string | null) =>
    setChoice({ ids: new Set(items.map(({ id }) => id)), anchor: from });
  const turned = (item: InboxItem) =>
    ids.has(item.id) ? chosen.filter(({ id }) => id !== item.id) : [...chosen, item];
  return {
    chosen,
    isChosen: ({ id }: InboxItem) => ids.has(id),
    mayChoose: (item: InboxItem) => ids.has(item.id) || fits(chosen, item),
    /** Turns one row, or extends the choice to it from the row that was turned before. */
    select: useSteady((item: InboxItem, isRange: boolean) =>
      choose(isRange ? addRows(chosen, rowsBetween(present, anchor, item.id)) : turned(item), item.id),
    ),
    mayChooseMore: all.length > chosen.length,
    chooseAll: () => choose(all, anchor),
    clear: () => setChoice(noChoice),
  };
}

export type Selection = ReturnType<typeof useSelection>;

/** The same function each time, which does what the latest one does: a row is not drawn again because of it. */
function useSteady<A extends unknown[]>(act: (...args: A) => void): (...args: A) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
