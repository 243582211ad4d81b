import { MemoryStore, type Options } from 'express-rate-limit';
import { Problem } from '../../../model/problem/problem.ts';

/**
 * Refuses a caller who comes too often, with the time after which to come again. Resolves with the way not to count this
 * call after all. Each node counts for itself.
 */
export type RateLimiter = (caller: string) => Promise<() => Promise<void>>;

/** Milliseconds. */
const minute = 60_000;

export function createRateLimiter(maxPerMinute: number): RateLimiter {
  const store = new MemoryStore();
  store.init({ windowMs: minute } as Options);
  return async (caller) => {
    const { totalHits, resetTime } = await store.increment(caller);
    if (totalHits > maxPerMinute) throw tooMany(resetTime);
    return () => store.decrement(caller);
  };
}

/** Problem `rate-limited`, with the seconds until the count begins again. */
function tooMany(resetTime: Date | undefined): Problem {
  const wait = (resetTime?.getTime() ?? Date.now()) - Date.now();
  return new Problem('rate-limited', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) });
}

/** Counts what each caller holds open, and refuses more than `max`; returns how to release it. */
export function createOpenLimiter(max: number, retryAfter = 10): (caller: string) => () => void {
  const open = new Map<string, number>();
  return (caller) => {
    const count = open.get(caller) ?? 0;
    if (count >= max) throw new Problem('rate-limited', { retryAfter });
    open.set(caller, count + 1);
    return () => {
      const remaining = (open.get(caller) ?? 1) - 1;
      if (remaining === 0) open.delete(caller);
      else open.set(caller, remaining);
    };
  };
}
