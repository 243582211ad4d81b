import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, everyAnswer } from '../../client/call.ts';
import { useIsSettled } from '../../ui/use-is-settled.ts';

/** Interval in milliseconds. */
const every = 300_000;

const reviewsDueQuery = queryOptions({
  queryKey: [...everyAnswer, 'policies', 'reviews'],
  // Loaded when it is asked for, not with the first page.
  queryFn: async ({ signal }) => call((await import('#policies/contract/routes')).policyRoutes.listReviews, { signal }),
  select: ({ versions }) => versions,
  staleTime: every,
  refetchInterval: every,
});

/** Versions of policies that wait for the person's review; read when nothing of the page waits for it. */
export const useReviewsDue = () => useQuery({ ...reviewsDueQuery, enabled: useIsSettled() }).data ?? [];
