import { useSyncExternalStore } from 'react';
import { serverNow } from '../../client/call-api.ts';

/** The present in milliseconds, refreshed each second by one timer for the whole page. */
export const useNow = (): number => useSyncExternalStore(listen, () => now);

/** What follows from the present: drawn again only when that changes, so that a thousand rows do not each second. */
export const useFromNow = <T extends string | boolean>(read: (now: number) => T): T =>
  useSyncExternalStore(listen, () => read(now));

let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  now = serverNow();
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}
