import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { matchPath, useNavigate, useSearchParams } from 'react-router';
import { listAddress, readFilters, requestAddress } from '../inbox/inbox-url.ts';
import { queueQuery } from '../../shell/queries.ts';
import { useHotkeys } from '../../shell/use-hotkeys.tsx';

/** `j`, `k` and `n` go through the queue this request was opened from; `/` goes back to its filters. */
export function useQueueKeys(id: string): void {
  const filters = readFilters(useSearchParams()[0]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const lastStep = useRef<Promise<void>>(Promise.resolve());
  const go = async (step: 1 | -1) => {
    const queue = await queries.fetchQuery(queueQuery(filters));
    const next = neighbourIn(queue, idOfAddress() ?? id, step);
    if (next !== null) await navigate(requestAddress(next, filters));
  };
  // Runs steps one after the other, so that each key counts, however fast they are pressed.
  const goOn = (step: 1 | -1) => {
    lastStep.current = lastStep.current.then(() => go(step)).catch(() => undefined);
  };
  useHotkeys('request', (key) => {
    if (key === 'j' || key === 'n') goOn(1);
    else if (key === 'k') goOn(-1);
    else if (key === '/') void navigate(listAddress(filters));
    else return false;
    return true;
  });
}

/** Id in the address, which is ahead of the page while the next request is read. */
const idOfAddress = (): string | undefined => matchPath('/requests/:id', window.location.pathname)?.params.id;

/** The request before or after this one in the queue; the first if this one has left it, null at the end. */
export function neighbourIn(queue: readonly string[], id: string, step: 1 | -1): string | null {
  const at = queue.indexOf(id);
  return (at < 0 ? queue[0] : queue[at + step]) ?? null;
}
