import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bulkRoutes, type BulkVoteResult } from '#requests/voting/contract/votes';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { call } from '../../client/call.ts';
import { useAnnounce } from '../../shell/announcer.tsx';
import { sortBulk } from '../inbox/bulk.ts';
import { maxTogether } from '../inbox/choose-rows.ts';
import { requestQuery } from '../../shell/queries.ts';
import { together as words } from '../inbox/words/together-words.ts';

export type Action = 'accept' | 'decline';
/** Outcome of one request. */
export type Outcome = BulkVoteResult['results'][number];

/** Reads the selected requests, and votes on all with the shown digests. */
export function useTogether(ids: string[]) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const reads = useQueries({
    queries: ids.slice(0, maxTogether).map((id) => ({ ...requestQuery(id, true), refetchOnMount: 'always' as const })),
  });
  // Read once: a later change is refused by its digest, never silently shown again.
  const [visible, setSeen] = useState<ElicitationDetail[] | null>(null);
  const isRead = reads.every(({ isFetching }) => !isFetching);
  if (visible === null && isRead) setSeen(reads.flatMap(({ data }) => (data === undefined ? [] : [data])));
  const bulk = sortBulk(visible ?? []);
  const send = useMutation({
    mutationFn: ({ action, comment, details }: { action: Action; comment: string; details: ElicitationDetail[] }) => {
      const items = details.map(({ id, digest }) => ({ id, digest }));
      return call(bulkRoutes.castVotes, { body: { items, action, ...(comment !== '' && { comment }) } });
    },
    onSuccess: ({ results }) => {
      announce(words.done(countDone(results), results.length));
      void queries.invalidateQueries({ queryKey: ['inbox'] });
      for (const { id } of results) void queries.invalidateQueries({ queryKey: ['request', id] });
    },
  });
  return { isRead: visible !== null, missing: reads.filter(({ isError }) => isError).length, bulk, send };
}

export const countDone = (results: Outcome[]): number => results.filter(({ problem }) => problem === null).length;
