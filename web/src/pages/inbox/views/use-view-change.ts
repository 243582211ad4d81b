import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAnnounce } from '../../../lib/announcer.tsx';
import { viewsQuery } from '../../../lib/queries.ts';

/** Makes one change of the saved views, says that it is made, and reads them again. */
export function useViewChange<Change>(send: (change: Change) => Promise<unknown>, message: string) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: send,
    onSuccess: async () => {
      announce(message);
      await queries.invalidateQueries({ queryKey: viewsQuery.queryKey });
    },
  });
}
