import { Problem } from '../model/problem.ts';
import { longestTimer } from './backoff.ts';

/**
 * Runs the work under a signal that follows the given one and also ends after so many milliseconds.
 * Not AbortSignal.any: its followers stay registered with a long-lived signal.
 */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const follow = () => own.abort(signal?.reason);
  const timer = setTimeout(() => own.abort(tooSlow(ms)), Math.min(ms, longestTimer));
  signal?.addEventListener('abort', follow);
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  }
}

const tooSlow = (ms: number): Problem =>
  new Problem('unavailable', { detail: `Assentry did not answer within ${ms} milliseconds.` });
