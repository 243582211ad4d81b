import { queryOptions, useQuery } from '@tanstack/react-query';
import { useIsSettled } from '../../ui/use-is-settled.ts';

/** Members are confirmed in days. Milliseconds. */
const every = 600_000;

const groupsDueQuery = queryOptions({
  queryKey: ['directory', 'groups-due'],
  // Loaded when it is asked for, not with the first page.
  queryFn: async ({ signal }) => (await import('../users/directory.ts')).readGroupsDue(signal),
  select: ({ groups }) => groups.length,
  staleTime: every,
  refetchInterval: every,
});

/** How many groups wait for the person to confirm their members; read once nothing of the page waits for it. */
export const useGroupsDue = (): number => useQuery({ ...groupsDueQuery, enabled: useIsSettled() }).data ?? 0;
