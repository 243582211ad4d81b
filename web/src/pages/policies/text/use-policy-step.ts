import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { isWaiting } from '../../../api/changes.ts';
import { useAnnounce } from '../../../lib/announcer.tsx';
import { changes } from '../../../ui/later-words/change-words.ts';

export type PolicyStep<Step, Result> = UseMutationResult<Result, Error, Step>;

/** Sends one step of a version's life, says what it did, and has every page about policies read it again. */
export function usePolicyStep<Step, Result>(
  send: (step: Step) => Promise<Result>,
  message: string,
): PolicyStep<Step, Result> {
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: send,
    onSuccess: async (result) => {
      announce(isWaiting(result) ? changes.waiting : message);
      await Promise.all(
        ['list', 'history', 'version', 'shadow', 'reviews'].map((part) =>
          queries.invalidateQueries({ queryKey: ['policies', part] }),
        ),
      );
    },
  });
}
