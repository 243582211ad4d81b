import { onAbort } from './linked-signal.ts';

/** Milliseconds. */
const firstDelay = 250;
const maxDelayMs = 8_000;
/** Milliseconds. If the server asks for a longer wait, that is the answer, and there is no retry. */
export const maxRetryAfterMs = 2_000;
/** The longest a timer of JavaScript can run; a longer one would fire at once. */
export const maxTimerMs = 2_147_483_647;

/**
 * How long to pause before the next try: as long as the server asked for, and then exponential with full jitter, so that
 * many callers who were refused together do not return together.
 */
export function retryDelay(failures: number, retryAfter: number | null, random: () => number = Math.random): number {
  const ceiling = Math.min(maxDelayMs, firstDelay * 2 ** failures);
  return (retryAfter ?? 0) + Math.round(ceiling * random());
}

/** Retry-After in milliseconds: a number of seconds or an HTTP date; null if it is unusable. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/**
 * Resolves after so many milliseconds, or rejects with the signal's reason; leaves no timer and no listener. A pause in
 * the background does not keep a process from ending.
 */
export function pause(ms: number, signal?: AbortSignal, { isBackground = false } = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      ignore?.();
      settle();
    };
    const timer = setTimeout(() => end(resolve), Math.min(ms, maxTimerMs));
    if (isBackground && typeof timer === 'object') timer.unref(); // browsers have numbers
    const ignore = signal && onAbort(signal, () => end(() => reject(signal.reason)));
  });
}
