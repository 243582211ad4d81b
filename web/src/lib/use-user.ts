import { useQuery } from '@tanstack/react-query';
import type { SignedIn } from '../../../src/contract/console/console.ts';
import { usersQuery } from './directory-queries.ts';
import { sessionQuery } from './queries.ts';

/** Who is signed in; null once the session has ended. */
export const useUser = (): SignedIn['user'] | null => useQuery(sessionQuery).data?.user ?? null;

/** Is there no second administrator who can sign in, so that no one can review what the only one writes? */
export function useIsOnlyAdministrator(): boolean {
  const users = useQuery(usersQuery).data;
  const able = users?.filter(({ role, hasPassword, disabledAt }) => role === 'admin' && hasPassword && !disabledAt);
  return able !== undefined && able.length < 2;
}
