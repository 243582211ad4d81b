import { useEffect, useRef } from 'react';
import { useChange } from '../people/changes/use-change.ts';
import { words } from './words/words.ts';

/** Sends one change of the directory, says that it is kept, and has every page read it again. */
export function useSave<Change, Result>(send: (change: Change) => Promise<Result>, message: string = words.saved) {
  const save = useChange(send, { message });
  useKeptPlace(save.isPending);
  return save;
}

/** If what was pressed is gone after it, as a row that ended, the reader goes on at the page's heading and not at its very top. */
function useKeptPlace(isPending: boolean): void {
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !isPending && document.activeElement === document.body)
      document.querySelector('h1')?.focus({ preventScroll: true });
    wasPending.current = isPending;
  }, [isPending]);
}
