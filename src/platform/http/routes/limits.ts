import { rateLimit, type Options, ipKeyGenerator, MemoryStore } from 'express-rate-limit';
import { Problem } from '../../model/problem.ts';
import type { Request, NextFunction, RequestHandler, Response } from 'express';

interface BackpressureOptions {
  /** Milliseconds by which what follows this work is behind. */
  readLagMs(): Promise<number>;
  /** So far behind it may be. */
  maxLagMs: number;
  /** Milliseconds between two looks. No one looks while nothing is asked for. */
  intervalMs: number;
  /** Milliseconds for which work waits at most: if what follows stands still, waiting longer would not help. */
  timeoutMs: number;
}

/** Resolves at once, or when what follows this work has caught up, or after `timeoutMs`. */
export type Backpressure = () => Promise<void>;

/** Slows work down while what follows it is behind, so that what was begun is finished first. Refuses nothing. */
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

/** Where a caller is. One IPv6 network counts as one source. */
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

/** Counts a call at a door that serves no caller of ours, by the address it comes from. */
export const countAddress =
  ({ countCall }: { countCall: RateLimiter }): RequestHandler =>
  (request, _response, next) =>
    void countCall(addressOf(request)).then(
      () => next(),
      (error: unknown) => next(error),
    );

/** Who finds no place comes again soon: the call that is refused does not count against the caller's minute. */
export function acquireUncounted(acquire: Acquire, request: Request, response: Response): () => void {
  try {
    return acquire(limiterKeyOf(request, response));
  } catch (error) {
    const uncount = response.locals['uncount'] as (() => Promise<void>) | undefined;
    void uncount?.();
    throw error;
  }
}

/** Whose place and minute it is: the caller's, or of an address until the caller is known; by the route's budget. */
export function limiterKeyOf(request: Request, { locals }: Response): string {
  const name = (locals['caller'] as { id: string } | undefined)?.id ?? addressOf(request);
  return locals['isOfExecution'] ? `${name} execution` : name;
}

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
