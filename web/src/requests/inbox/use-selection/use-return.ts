import { useEffect, useState, type RefObject } from 'react';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { linkOfRow } from './use-open-row.ts';

/**
 * Someone who comes back from a request goes on at its row, or at the next one that is still there, unless something else has
 * the focus by then. The id of that row, which must be drawn.
 */
export function useReturn(
  cameFrom: string | undefined,
  list: RefObject<HTMLElement | null>,
  { rows, isFetching }: { rows: InboxItem[]; isFetching: boolean },
): string | undefined {
  const [before] = useState(() => idsFrom(rows, cameFrom));
  const [id, setId] = useState<string>();
  const isDue = before.length > 0 && id === undefined && !isFetching;
  useEffect(() => {
    const present = new Set<string>(rows.map((row) => row.id));
    if (isDue) setId(before.find((other) => present.has(other)) ?? rows.at(-1)?.id);
  }, [isDue, before, rows]);
  useEffect(() => {
    if (id !== undefined && isIdle(document.activeElement)) goTo(list.current, id);
  }, [id, list]);
  return id;
}

/** The rows as they were when the request was left, from its own on. */
function idsFrom(rows: InboxItem[], id: string | undefined): string[] {
  const at = rows.findIndex((row) => row.id === id);
  return at < 0 ? [] : rows.slice(at).map((row) => row.id);
}

/** Nothing has the focus, or the heading, which takes it if nothing has. */
const isIdle = (element: Element | null): boolean => element === document.body || element?.tagName === 'H1';

function goTo(list: HTMLElement | null, id: string): void {
  const link = linkOfRow(list, id);
  const { top, bottom } = link?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  if (top < 0 || bottom > innerHeight) link?.scrollIntoView({ block: 'center' });
  link?.focus({ preventScroll: true });
}
