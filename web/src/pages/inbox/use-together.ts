import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import { castVote } from '../../api/elicitations.ts';
import { useAnnounce } from '../../lib/announcer.tsx';
import { mostTogether, sortBulk } from '../../lib/bulk.ts';
import { requestQuery } from '../../lib/queries.ts';
import { together as words } from './words.ts';

export type Action = 'accept' | 'decline';
/** What became of one of them. */
export type Outcome = { detail: ElicitationDetail } | { error: unknown };

/** Reads the chosen requests as they are now, and votes on each with the digest that was shown. */
export function useTogether(ids: string[]) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const reads = useQueries({
    // Read once: what changes under the reader is refused by its digest, never silently shown anew.
    queries: ids
      .slice(0, mostTogether)
      .map((id) => ({ ...requestQuery(id, true), staleTime: Infinity, refetchOnMount: 'always' as const })),
  });
  const [seen, setSeen] = useState<ElicitationDetail[] | null>(null);
  const isRead = reads.every(({ isPending, isFetching }) => !isPending && !isFetching);
  if (seen === null && isRead) setSeen(reads.flatMap(({ data }) => (data === undefined ? [] : [data])));
  const bulk = sortBulk(seen ?? []);
  const send = useMutation({
    mutationFn: async ({ action, comment }: { action: Action; comment: string }) => {
      const said = comment === '' ? {} : { comment };
      const found = new Map<string, Outcome>();
      // One after the other: who reads the log sees them in the order of the list.
      for (const { id, digest } of bulk.together) {
        const vote = { digest, action, ...said, ...(action === 'accept' && { content: {} }) };
        found.set(
          id,
          await castVote(id, vote).then(
            (detail) => ({ detail }),
            (error: unknown) => ({ error }),
          ),
        );
        setOutcomes(new Map(found));
      }
      return found;
    },
    onSuccess: (found) => {
      const done = [...found.values()].filter((outcome) => 'detail' in outcome).length;
      announce(words.done(done, found.size));
      void queries.invalidateQueries({ queryKey: ['inbox'] });
      for (const id of ids) void queries.invalidateQueries({ queryKey: ['request', id] });
    },
  });
  return { isRead: seen !== null, missing: reads.filter(({ isError }) => isError).length, bulk, outcomes, send };
}
