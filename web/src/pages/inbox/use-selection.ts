import { useState } from 'react';
import type { InboxItem } from '../../../../src/contract/console/console.ts';
import { mostTogether } from './bulk.ts';

/** Which rows are chosen to be decided together: all of one tool, none of high risk. */
export function useSelection(rows: InboxItem[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter(({ id }) => ids.has(id));
  const [first] = chosen;
  const fits = ({ server, tool, risk, mine }: InboxItem) =>
    mine && risk !== 'high' && (first === undefined || (first.server === server && first.tool === tool));
  return {
    chosen,
    isChosen: (item: InboxItem) => ids.has(item.id),
    mayChoose: (item: InboxItem) => ids.has(item.id) || (fits(item) && chosen.length < mostTogether),
    turn: ({ id }: InboxItem) =>
      setIds(ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id])),
    clear: () => setIds(new Set()),
  };
}

export type Selection = ReturnType<typeof useSelection>;
