import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { isProblemOf } from '../../../client/call-api/api-problem.ts';
import { readSession } from './session.ts';

const maxRetries = 2;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  // Signed out in one tab, signed in again in another: coming back asks at once.
  staleTime: ({ state }) => (state.data ? 60_000 : 0),
});

/** What every page asks and changes with; an answer that no one is signed in, or not
 * completely, counts for all of them. */
export function makeQueryClient(): QueryClient {
  const noteSignedOut = (error: unknown) => {
    if (isProblemOf(error, 'unauthenticated')) client.setQueryData(sessionQuery.queryKey, null);
    // Each page leads to the step that is left, once the session says which it is.
    if (isProblemOf(error, 'second-factor-needed')) void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noteSignedOut }),
    mutationCache: new MutationCache({ onError: noteSignedOut }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < maxRetries && isProblemOf(error, 'unavailable'),
        staleTime: 5_000,
        networkMode: 'always',
      },
      // Whether a lost decision arrived is for the person to see, not for a loop to guess.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
