import { Problem } from '#platform/model/problem';
import { maxTimerMs } from './backoff.ts';
import { linkSignals } from './linked-signal.ts';

/** Runs the work under a signal that follows the given one and also ends after so many milliseconds. */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const own = linkSignals(signal);
  const timer = setTimeout(() => own.abort(new TooSlow(ms)), Math.min(ms, maxTimerMs));
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    own.release();
  }
}

/** Waits for the work for at most so many milliseconds; it goes on all the same. Rejects with it. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}

class TooSlow extends Problem {
  constructor(ms: number) {
    super('unavailable', { detail: `Try again later: Assentry did not answer within ${ms} milliseconds.` });
  }
}

export const isTooSlow = (error: unknown): boolean => error instanceof TooSlow;
