import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { everyAnswer } from '../../client/call.ts';
import { isWaiting } from './changes.ts';
import { useAnnounce } from '../../shell/announcer.tsx';
import { changes } from '../../ui/words/change-words.ts';

interface ChangeParts {
  /** What is announced once it is kept; left out where the page itself shows it. */
  message?: string;
  /** What shows it, and is read again; by default everything that a page has read by its route. */
  queries?: readonly QueryKey[];
}

/** Sends one change, announces that it is kept or waits for a second person, and has what shows it read again. */
export function useChange<Change, Result>(
  send: (change: Change) => Promise<Result>,
  { message, queries = [everyAnswer] }: ChangeParts = {},
) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      if (message !== undefined) announce(isWaiting(result) ? changes.waiting : message);
      await Promise.all(queries.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
