import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { matchPath, useNavigate, useSearchParams } from 'react-router';
import { listAddress, readFilters, requestAddress } from '../../inbox/inbox-url.ts';
import { queueQuery } from '../../../shell/queries.ts';
import { useHotkeys } from '../../../shell/use-hotkeys/use-hotkeys.tsx';
import { neighbourIn } from './neighbour-in.ts';

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
  // One after the other, so that each key counts, however fast they are pressed.
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

/** The address is ahead of the page while the next request is read. */
const idOfAddress = (): string | undefined => matchPath('/requests/:id', window.location.pathname)?.params.id;
