import { Problem } from './problem.ts';

interface LimiterOptions {
  /** How much work runs at the same time. */
  concurrency: number;
  /** How much waits. */
  maxQueue: number;
  /** Milliseconds for which it waits at most; without it, as long as it takes. */
  timeoutMs?: number;
}

/** Does the work when there is capacity. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets so much work run at the same time; the rest waits in order. Throws `overloaded` at once if too many wait already,
 * and later if its time is over. Work that has waited begins in a turn of the event loop of its own.
 */
export function createLimiter({ concurrency, maxQueue, timeoutMs }: LimiterOptions): Limiter {
  const waiting = new Set<() => void>();
  let running = 0;

  async function acquire(): Promise<void> {
    if (running < concurrency) running += 1;
    else if (waiting.size < maxQueue) await wait();
    else throw overloaded();
  }

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        setImmediate(resolve);
      };
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => waiting.delete(begin) && reject(overloaded()), timeoutMs);
      waiting.add(begin);
    });
  }

  /** The next one takes over the place, so that nothing begins in between. */
  function release(): void {
    const [next] = waiting;
    if (next && waiting.delete(next)) next();
    else running -= 1;
  }

  return async (work) => {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  };
}

const overloaded = (): Problem => new Problem('overloaded', { retryAfter: 1 });
