import { useEffect, useRef } from 'react';
import { useChange } from '../people/changes/use-change.ts';
import { words } from './words/words.ts';

/** Sends one change of the directory, announces it, and reloads every page. */
export function useSave<Change, Result>(send: (change: Change) => Promise<Result>, message: string = words.saved) {
  const save = useChange(send, { message });
  useKeptPlace(save.isPending);
  return save;
}

/** Moves the focus to the page's heading if the pressed button has gone, such as with its row. */
function useKeptPlace(isPending: boolean): void {
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
    wasPending.current = isPending;
  }, [isPending]);
}
