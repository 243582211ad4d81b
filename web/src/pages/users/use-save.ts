import { useEffect, useRef } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../lib/announcer.tsx';
import { isWaiting } from '../../api/changes.ts';
import { changes } from '../../ui/later-words/change-words.ts';
import { words } from './words/words.ts';

/** Sends one change of the directory, says that it is kept, and has every page about people read it again. */
export function useSave<Change, Result>(send: (change: Change) => Promise<Result>, message: string = words.saved) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const save = useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      announce(isWaiting(result) ? changes.waiting : message);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['directory'] }),
        queries.invalidateQueries({ queryKey: ['delegations'] }),
      ]);
    },
  });
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
