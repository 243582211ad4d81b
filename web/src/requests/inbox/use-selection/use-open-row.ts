import { useEffect, type RefObject } from 'react';

/** The row of the open request is in sight, and a focus that was in the list goes along with it. */
export function useOpenRow(id: string | undefined, list: RefObject<HTMLElement | null>, isLoaded: boolean): void {
  useEffect(() => {
    const link = id === undefined ? null : linkOfRow(list.current, id);
    link?.closest('li')?.scrollIntoView({ block: 'nearest' });
    if (list.current?.contains(document.activeElement)) link?.focus({ preventScroll: true });
  }, [id, list, isLoaded]);
}

/** The link of the row of this request, if it is drawn. */
export const linkOfRow = (list: HTMLElement | null, id: string): HTMLElement | null | undefined =>
  list?.querySelector<HTMLElement>(`a[data-row="${CSS.escape(id)}"]`);
