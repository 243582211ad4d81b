import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { useAnnounce } from '../../../lib/announcer.tsx';
import { requestQuery } from '../../../lib/queries.ts';
import type { Reading } from './use-reading.ts';

/** A step that is no vote: sent, shown at once, and said. What this person changed is nothing to read again. */
export function useSideStep<Body>(
  detail: ElicitationDetail,
  reading: Reading,
  send: (body: Body) => Promise<ElicitationDetail>,
  said: string,
) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const key = requestQuery(detail.id, true).queryKey;
  return useMutation({
    mutationFn: send,
    onSuccess: async (now) => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData(key, now);
      reading.confirm(now);
      announce(said);
      void queries.invalidateQueries({ queryKey: ['inbox'] });
      void queries.invalidateQueries({ queryKey: ['breakGlass'] });
    },
    onError: () => void queries.invalidateQueries({ queryKey: key }),
  });
}
