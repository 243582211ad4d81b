import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { castVotes } from '../../inbox/elicitations.ts';
import { readInbox } from '../../inbox/inbox.ts';
import { inboxSearch, type InboxFilters } from '../../inbox/inbox-url.ts';
import type { Outcome } from '../use-together.ts';

/** The most requests that are declined with one press; the rest stays for the next. */
const maxDeclined = 1000;
/** How many the server takes at a time. */
const batch = 50;

export interface Matches {
  items: InboxItem[];
  /** Whether there are more than these. */
  isCut: boolean;
}

/** Everything that matches and that the reader may vote on, read once: what comes later is not declined unseen. */
export function useMatches(filters: InboxFilters) {
  return useQuery({
    queryKey: ['decline-all', JSON.stringify(filters)],
    queryFn: ({ signal }) => readAll(filters, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
}

async function readAll(filters: InboxFilters, signal: AbortSignal): Promise<Matches> {
  const items: InboxItem[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(inboxSearch(filters, cursor), signal);
    items.push(...page.items.filter(({ mine }) => mine));
    cursor = page.next;
  } while (cursor !== null && items.length < maxDeclined);
  return { items: items.slice(0, maxDeclined), isCut: cursor !== null || items.length > maxDeclined };
}

/** Declines them in batches, each request with its own vote; it can be stopped between two batches. */
export function useDeclineAll() {
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const isStopped = useRef(false);
  const send = useMutation({
    mutationFn: async ({ items, comment }: { items: InboxItem[]; comment: string }) => {
      isStopped.current = false;
      for (let from = 0; from < items.length && !isStopped.current; from += batch) {
        const some = items.slice(from, from + batch).map(({ id, digest }) => ({ id, digest }));
        const { results } = await castVotes({ items: some, action: 'decline', comment });
        setOutcomes((before) => [...before, ...results]);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['inbox'] }),
  });
  return { send, outcomes, stop: () => void (isStopped.current = true) };
}
