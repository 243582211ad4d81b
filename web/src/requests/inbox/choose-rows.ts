import type { InboxItem } from '#requests/inbox/contract/inbox';

/** Most requests decided with one press: more are not read. */
export const maxTogether = 20;

export type Choosable = Pick<InboxItem, 'id' | 'server' | 'tool' | 'mine'>;

/** Adds rows that fit, in their order: all of one tool, and no more than people read. */
export function addRows<Row extends Choosable>(chosen: Row[], rows: Row[]): Row[] {
  return rows.reduce((before, row) => (fits(before, row) ? [...before, row] : before), chosen);
}

/** Can this row be selected with the others? */
export function fits(chosen: Choosable[], { id, server, tool, mine }: Choosable): boolean {
  const [first] = chosen;
  const isOfOneTool = first === undefined || (first.server === server && first.tool === tool);
  const isEligible = mine && isOfOneTool && chosen.length < maxTogether;
  return isEligible && chosen.every((other) => other.id !== id);
}

/** The rows from one to the other, both included, in the order of selection; only the last if the first has left. */
export function rowsBetween<Row extends Choosable>(rows: Row[], from: string | null, to: string): Row[] {
  const at = rows.findIndex(({ id }) => id === to);
  const anchor = rows.findIndex(({ id }) => id === from);
  if (anchor === -1) return rows.slice(at, at + 1);
  return anchor <= at ? rows.slice(anchor, at + 1) : rows.slice(at, anchor + 1).reverse();
}
