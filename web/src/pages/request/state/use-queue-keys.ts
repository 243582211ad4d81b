import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { listAddress, readFilters, requestAddress } from '../../../lib/inbox-url.ts';
import { queueQuery } from '../../../lib/queries.ts';
import { useHotkeys } from '../../../lib/use-hotkeys.tsx';
import { neighbourIn } from './neighbour-in.ts';

/** `j`, `k` and `n` go through the queue this request was opened from; `/` goes back to its filters. */
export function useQueueKeys(id: string): void {
  const filters = readFilters(useSearchParams()[0]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const go = async (step: 1 | -1) => {
    const queue = await queries.fetchQuery(queueQuery(filters));
    const next = neighbourIn(queue, id, step);
    if (next !== null) await navigate(requestAddress(next, filters));
  };
  useHotkeys((key) => {
    if (key === 'j' || key === 'n') void go(1).catch(() => undefined);
    else if (key === 'k') void go(-1).catch(() => undefined);
    else if (key === '/') void navigate(listAddress(filters));
    else return false;
    return true;
  });
}
