import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { signIn } from '../../api/session.ts';
import { sessionQuery } from '../../lib/queries.ts';

/** Signs in by password or by link, then goes where the person was headed. */
export function useSignIn(next: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signIn,
    onSuccess: async (signedIn) => {
      queries.setQueryData(sessionQuery.queryKey, signedIn);
      await navigate(next, { replace: true });
    },
  });
}

export type SignInMutation = ReturnType<typeof useSignIn>;
