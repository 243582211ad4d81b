import { queryOptions } from '@tanstack/react-query';
import { readSignInWays } from './session.ts';

/** How people sign in here: a setting, so it stays as it is. */
export const waysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ signal }) => readSignInWays(signal),
  staleTime: 300_000,
});
