import { useSyncExternalStore } from 'react';
import { keptChoice, useChoice } from './kept-choice.ts';

/** Density of the list. */
export const density = keptChoice('assentry-density', ['comfortable', 'compact']);

/** Does the list stay while a request is open, where there is room for both? */
export const split = keptChoice('assentry-split', ['on', 'off']);

/** True where list and request stand next to each other. */
export function useSplit(): boolean {
  const hasRoom = useSyncExternalStore(followWidth, () => wide.matches);
  return useChoice(split) === 'on' && hasRoom;
}

// 1440 px, as in the style sheets.
const wide = matchMedia('(min-width: 90em)');

function followWidth(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}
