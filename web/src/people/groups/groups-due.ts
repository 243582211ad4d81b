import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, everyAnswer } from '../../client/call.ts';
import { useIsSettled } from '../../ui/use-is-settled.ts';

/** Members are confirmed in days. Milliseconds. */
const every = 600_000;

const groupsDueQuery = queryOptions({
  queryKey: [...everyAnswer, 'confirmations'],
  // Loaded when it is asked for, not with the first page.
  queryFn: async ({ signal }) =>
    call((await import('#people/groups/contract')).groupConfirmationRoutes.listGroupsDue, { signal }),
  select: ({ groups }) => groups.length,
  staleTime: every,
  refetchInterval: every,
});

/** How many groups wait for the person to confirm their members; read once nothing of the page waits for it. */
export const useGroupsDue = (): number => useQuery({ ...groupsDueQuery, enabled: useIsSettled() }).data ?? 0;
