import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import type { InboxEvent } from '#requests/inbox/contract/inbox';
import { openInboxStream } from './inbox.ts';
import { countsQuery } from '../../shell/queries.ts';
import { useIsSettled } from '../../ui/use-is-settled.ts';
import { WaitingContext } from './use-waiting.ts';

const LiveContext = createContext(false);

/** True while events arrive; otherwise pages poll every few seconds. */
export const useIsLive = (): boolean => use(LiveContext);

/** Keeps one stream open for the whole console and refreshes the queries of each event. */
export function LiveInbox({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const isSettled = useIsSettled();
  useEffect(() => {
    if (!isSettled) return;
    let isFirst = true;
    let isLiveNow = false;
    const onLive = (live: boolean) => {
      // Reads the changes from before the stream was open.
      if (live && !isLiveNow) void queries.invalidateQueries({ queryKey: ['inbox'] });
      if (live && !isLiveNow && !isFirst) void queries.invalidateQueries({ queryKey: ['request'] });
      [isFirst, isLiveNow] = [false, live];
      setIsLive(live);
    };
    return openInboxStream({ onEvent: (event) => refresh(queries, event), onLive });
  }, [queries, isSettled]);
  return <LiveContext value={isLive}>{children}</LiveContext>;
}

function refresh(queries: QueryClient, { id, topic }: InboxEvent): void {
  void queries.invalidateQueries({ queryKey: ['inbox'] });
  void queries.invalidateQueries({ queryKey: ['request', id] });
  if (topic === 'break-glass') void queries.invalidateQueries({ queryKey: ['breakGlass'] });
}

export function WaitingProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...countsQuery(useIsLive()), enabled: useIsSettled() });
  const waiting = data?.mine ?? 0;
  useEffect(() => void navigator.setAppBadge?.(waiting), [waiting]); // on the icon of an installed console
  return <WaitingContext value={waiting}>{children}</WaitingContext>;
}
