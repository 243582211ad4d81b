import { Problem } from '../../../model/problem/problem.ts';
import { createOpenLimiter } from './rate-limiter.ts';

/**
 * Takes a place until the returned function is called. Throws at once, so that no one waits in a long queue:
 * `overloaded` if the node has no place left, `rate-limited` if this caller has none.
 */
export type Acquire = (caller: string) => () => void;

/** So many places, and not all of them for one caller. */
export function createConcurrencyLimiter({ inAll, perCaller }: { inAll: number; perCaller: number }): Acquire {
  const acquire = createOpenLimiter(perCaller, 1);
  let count = 0;
  return (caller) => {
    if (count >= inAll) throw new Problem('overloaded', { retryAfter: 1 });
    const release = acquire(caller);
    count += 1;
    let isOccupied = true;
    return () => {
      if (!isOccupied) return;
      isOccupied = false;
      count -= 1;
      release();
    };
  };
}
