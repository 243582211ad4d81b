import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { useAnnounce } from '../../shell/announcer.tsx';
import { requestQuery } from '../../shell/queries.ts';
import type { Reading } from './use-answer.ts';

interface SideStep<Body> {
  send: (body: Body) => Promise<ElicitationDetail>;
  /** Announcement after the step. */
  done: string;
  /** Runs even if the step's part of the page has gone: a pushed change may remove it before the answer. */
  onDone?: () => void;
}

/** A step that is no vote: sent, shown at once and announced. The person's own change needs no second reading. */
export function useSideStep<Body>(detail: ElicitationDetail, reading: Reading, { send, done, onDone }: SideStep<Body>) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const key = requestQuery(detail.id, true).queryKey;
  return useMutation({
    mutationFn: send,
    onSuccess: async (now) => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData(key, now);
      reading.confirm(now);
      announce(done);
      onDone?.();
      void queries.invalidateQueries({ queryKey: ['inbox'] });
      void queries.invalidateQueries({ queryKey: ['breakGlass'] });
    },
    onError: () => void queries.invalidateQueries({ queryKey: key }),
  });
}
