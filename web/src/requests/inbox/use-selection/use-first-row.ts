import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { InboxItem } from '#requests/inbox/contract/inbox';
import { requestAddress, type InboxFilters } from '../inbox-url.ts';

const byItself = { isOpenedByItself: true };

/** Whether no one chose the request that is open. */
export const wasOpenedByItself = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isOpenedByItself' in state;

/** Where a request has its place next to the list, the first one that can be read opens by itself. */
export function useFirstRow(rows: InboxItem[], filters: InboxFilters, isEmpty: boolean): void {
  const navigate = useNavigate();
  const first = isEmpty ? rows.find(({ message }) => message !== null)?.id : undefined;
  useEffect(() => {
    if (first !== undefined) void navigate(requestAddress(first, filters), { replace: true, state: byItself });
  }, [first, filters, navigate]);
}
