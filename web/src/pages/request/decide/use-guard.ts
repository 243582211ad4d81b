import { useLayoutEffect, useRef } from 'react';

/** Milliseconds in which a finger that was already on its way is taken for no decision. */
const guardTime = 400;

/** Whether the button can be pressed, or has stood in its place, for too short a time for anyone to have meant it. */
export function useGuard(isReady: boolean, isMoved: boolean): () => boolean {
  const since = useRef(0);
  useLayoutEffect(() => {
    since.current = performance.now();
  }, [isReady, isMoved]);
  return () => performance.now() - since.current < guardTime;
}
