import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState } from 'react';

export const SettledContext = createContext(true);

/** True once all that the page itself shows has come: what no one waits for is loaded after it. */
export const useIsSettled = (): boolean => use(SettledContext);

/** A page that asks for nothing is settled by then; on a slow phone, others take longer than two seconds. Milliseconds. */
const atLatest = 4_000;

/** So that what has come can be drawn and pressed first. Milliseconds. */
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
