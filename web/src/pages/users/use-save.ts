import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../lib/announcer.tsx';
import { isWaiting } from '../../api/changes.ts';
import { changes } from '../../ui/later-words/change-words.ts';
import { words } from './words/words.ts';

/** Sends one change of the directory, says that it is kept, and has every page about people read it again. */
export function useSave<Change, Result>(send: (change: Change) => Promise<Result>, message: string = words.saved) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      announce(isWaiting(result) ? changes.waiting : message);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['directory'] }),
        queries.invalidateQueries({ queryKey: ['delegations'] }),
      ]);
    },
  });
}
