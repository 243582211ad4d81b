import { useState } from 'react';
import type { InboxItem } from '../../../../src/contract/console/console.ts';
import { addRows, fits, rowsBetween } from './choose-rows.ts';

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
  return {
    chosen,
    isChosen: ({ id }: InboxItem) => ids.has(id),
    mayChoose: (item: InboxItem) => ids.has(item.id) || fits(chosen, item),
    turn: (item: InboxItem) =>
      choose(ids.has(item.id) ? chosen.filter(({ id }) => id !== item.id) : [...chosen, item], item.id),
    extendTo: ({ id }: InboxItem) => choose(addRows(chosen, rowsBetween(present, anchor, id)), id),
    mayChooseMore: all.length > chosen.length,
    chooseAll: () => choose(all, anchor),
    clear: () => setChoice(noChoice),
  };
}

export type Selection = ReturnType<typeof useSelection>;
