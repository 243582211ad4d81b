import { useLayoutEffect, useRef } from 'react';

/** Milliseconds in which a finger that was already on its way is taken for no decision. */
const guardTime = 400;

/** Whether the button can be pressed for too short a time for anyone to have meant it. */
export function useGuard(isReady: boolean): () => boolean {
  const since = useRef(0);
  useLayoutEffect(() => {
    since.current = performance.now();
  }, [isReady]);
  return () => performance.now() - since.current < guardTime;
}
