import { useQuery } from '@tanstack/react-query';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { sessionQuery } from '../../access/sign-in/PasswordForm.tsx';

/** Who is signed in; null once the session has ended. */
export const useUser = (): SignedIn['user'] | null => useQuery(sessionQuery).data?.user ?? null;

/** Where they signed in, if that was an identity provider: there they prove again who they are. */
export const useOwnProvider = (): SignedIn['provider'] => useQuery(sessionQuery).data?.provider ?? null;
