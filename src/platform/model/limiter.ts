import { Problem } from './problem.ts';

interface LimiterOptions {
  /** Limit of work at the same time. */
  concurrency: number;
  /** Limit of waiting work. */
  maxQueue: number;
  /** Longest wait in milliseconds; unlimited without it. */
  timeoutMs?: number;
}

/** Does the work when there is capacity. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Limits the work that runs at the same time; the rest waits in order. Throws `overloaded` at once if too many wait already,
 * and later if its time is over. Waiting work begins in its own turn of the event loop.
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

  /** Passes the place to the next one, so that nothing begins in between. */
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
