import { useQuery } from '@tanstack/react-query';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { sessionQuery } from '../../access/sign-in/PasswordForm.tsx';

/** The signed-in person; null once the session has ended. */
export const useUser = (): SignedIn['user'] | null => useQuery(sessionQuery).data?.user ?? null;

/** Identity provider of the sign-in, if any: the person confirms their identity there. */
export const useOwnProvider = (): SignedIn['provider'] => useQuery(sessionQuery).data?.provider ?? null;
