import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { everyAnswer } from '../../client/call.ts';
import { isWaiting } from './changes.ts';
import { useAnnounce } from '../../shell/announcer.tsx';
import { changes } from '../../ui/words/change-words.ts';

interface ChangeParts {
  /** Announcement after saving; left out where the page itself shows the change. */
  message?: string;
  /** Queries to read again; by default every answer that a page has read by its route. */
  queries?: readonly QueryKey[];
}

/** Sends one change, announces that it is saved or waits for a second person, and reloads the queries that show it. */
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
