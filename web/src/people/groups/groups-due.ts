import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, everyAnswer } from '../../client/call.ts';
import { useIsSettled } from '../../ui/use-is-settled.ts';

/** Interval in milliseconds; members are confirmed in days. */
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

/** Number of groups whose members the person must confirm; read when nothing of the page waits for it. */
export const useGroupsDue = (): number => useQuery({ ...groupsDueQuery, enabled: useIsSettled() }).data ?? 0;
