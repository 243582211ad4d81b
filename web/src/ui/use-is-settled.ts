import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState } from 'react';

export const SettledContext = createContext(true);

/** True after all content of the page has arrived: the rest is loaded after it. */
export const useIsSettled = (): boolean => use(SettledContext);

/**
 * Longest wait in milliseconds: a page without requests is settled by then; on a slow phone, others take longer than two
 * seconds.
 */
const atLatest = 4_000;

/** Pause in milliseconds, so that arrived content can be drawn and pressed first. */
const afterDrawing = 100;

export function useSettling(): boolean {
  const queries = useQueryClient();
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const cache = queries.getQueryCache();
    const look = () => {
      const isShown = cache
        .getAll()
        .some(({ queryKey, state }) => queryKey[0] !== 'session' && state.status !== 'pending');
      if (isShown && queries.isFetching() === 0)
        requestAnimationFrame(() => setTimeout(() => setIsSettled(true), afterDrawing));
    };
    const timer = setTimeout(() => setIsSettled(true), atLatest);
    look();
    const unsubscribe = cache.subscribe(look);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [queries]);
  return isSettled;
}
