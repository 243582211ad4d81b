import { useSyncExternalStore } from 'react';
import { segmentsOf, type Segment } from '#platform/text/hidden-characters';

type Reveal = (text: string) => Segment[];

let reveal: Reveal | null = null;
let loading: Promise<void> | null = null;
const drawn = new Set<() => void>();

/**
 * A text as a person must see it. The table of look-alikes is loaded when a text is first drawn that is not ASCII, so that
 * the inbox stays light: for that moment only hidden characters are spelled out.
 */
export function useSegments(text: string): Segment[] {
  const current = useSyncExternalStore(subscribe, () => reveal);
  if (current !== null) return current(text);
  if (/[^\n -~]/.test(text)) loading ??= load();
  return segmentsOf(text);
}

/** Marks look-alikes from now on, in every text that is drawn: pages where people decide do so before they are drawn. */
export function revealBy(next: Reveal): void {
  reveal = next;
  for (const draw of drawn) draw();
}

const load = (): Promise<void> =>
  import('#platform/text/visible-text').then(
    ({ revealText }) => revealBy(revealText),
    () => void (loading = null), // the next text tries again
  );

function subscribe(draw: () => void): () => void {
  drawn.add(draw);
  return () => void drawn.delete(draw);
}
