import { rateLimit, type Options, ipKeyGenerator, MemoryStore } from 'express-rate-limit';
import { Problem } from '../../model/problem.ts';
import type { Request, NextFunction, RequestHandler, Response } from 'express';

interface BackpressureOptions {
  /** Lag of the following work in milliseconds. */
  readLagMs(): Promise<number>;
  /** Allowed lag. */
  maxLagMs: number;
  /** Milliseconds between two checks, made only while calls arrive. */
  intervalMs: number;
  /** Longest wait in milliseconds: if the following work stands still, waiting longer would not help. */
  timeoutMs: number;
}

/** Resolves at once, or when the following work has caught up, or after `timeoutMs`. */
export type Backpressure = () => Promise<void>;

/** Slows work down while the following work is behind, so that begun work is finished first. Refuses nothing. */
export function createBackpressure({ readLagMs, maxLagMs, intervalMs, timeoutMs }: BackpressureOptions): Backpressure {
  const waiting = new Set<() => void>();
  let isBehind = false;
  let isLooking = false;

  async function look(): Promise<void> {
    isLooking = true;
    const lagMs = await readLagMs().catch(() => 0); // a fault of the database is met by the work itself
    isBehind = lagMs > maxLagMs;
    if (!isBehind) for (const goOn of waiting) goOn();
    setTimeout(() => {
      isLooking = false;
      if (isBehind) void look();
    }, intervalMs).unref();
  }

  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer);
        waiting.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, timeoutMs);
      waiting.add(goOn);
    });

  return async () => {
    if (!isLooking) void look();
    if (isBehind) await wait();
  };
}

/** Slows down guessing of passwords and links, for each address or other key. */
export const limitGuesses = (options: Partial<Options> = {}) =>
  rateLimit({
    ...options,
    windowMs: 60_000,
    limit: 20,
    skipSuccessfulRequests: true,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: () => {
      throw new Problem('rate-limited');
    },
  });

/** Address of a caller. One IPv6 network counts as one source. */
export const addressOf = ({ ip }: Request): string => (ip === undefined ? 'unknown' : ipKeyGenerator(ip, 64));

/** Does the work in a place of this caller. */
export async function withinLimit<T>(acquire: Acquire, caller: string, work: () => Promise<T>): Promise<T> {
  const release = acquire(caller);
  try {
    return await work();
  } finally {
    release();
  }
}

/** Reads a body in a place of its sender. */
export const readWithinLimit =
  (read: RequestHandler, acquire: Acquire) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const release = acquireUncounted(acquire, request, response);
    void read(request, response, (error?: unknown) => {
      release();
      next(error);
    });
  };

/** Counts a call by its address, at a door that serves none of our callers. */
export const countAddress =
  ({ countCall }: { countCall: RateLimiter }): RequestHandler =>
  (request, _response, next) =>
    void countCall(addressOf(request)).then(
      () => next(),
      (error: unknown) => next(error),
    );

/** Takes a place; a call refused for lack of one does not count against the caller's minute, because it comes again soon. */
export function acquireUncounted(acquire: Acquire, request: Request, response: Response): () => void {
  try {
    return acquire(limiterKeyOf(request, response));
  } catch (error) {
    const uncount = response.locals['uncount'] as (() => Promise<void>) | undefined;
    void uncount?.();
    throw error;
  }
}

/** Key of the place and the minute: the caller, or an address until the caller is known; by the route's budget. */
export function limiterKeyOf(request: Request, { locals }: Response): string {
  const name = (locals['caller'] as { id: string } | undefined)?.id ?? addressOf(request);
  return locals['isOfExecution'] ? `${name} execution` : name;
}

/**
 * Takes a place until the returned function is called. Throws at once, so that there is no long queue: `overloaded` if the node
 * has no place left, `rate-limited` if this caller has none.
 */
export type Acquire = (caller: string) => () => void;

/** Limits places in all, and those of one caller. */
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

/**
 * Refuses a caller after too many calls, with the time after which to come again. Resolves with a function that uncounts this
 * call. Each node counts for itself.
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

/** Limits what each caller holds open to `max`; returns how to release it. */
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
