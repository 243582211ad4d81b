import { useMutation, useQueryClient } from '@tanstack/react-query';
import { holdsQuery } from '../../lib/queries.ts';

/** Sends one change of the holds, and has the list of them read again. */
export function useChangeHolds<Change, Result>(send: (change: Change) => Promise<Result>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => queries.invalidateQueries({ queryKey: holdsQuery.queryKey }),
  });
}
