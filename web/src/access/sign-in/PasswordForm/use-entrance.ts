import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { isServerPage } from './safe-next.ts';
import { sessionQuery } from './session-query.ts';

/** A way to be signed in: anyone who gets through goes where they were headed. */
export function useEntrance<Body>(enter: (body: Body) => Promise<SignedIn>, next = '/') {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: enter,
    onSuccess: async (signedIn) => {
      queries.setQueryData(sessionQuery.queryKey, signedIn);
      if (isServerPage(next)) location.replace(next);
      else await navigate(next, { replace: true });
    },
  });
}
