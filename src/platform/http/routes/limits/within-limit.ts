import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { addressOf } from './address-of.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Acquire } from './concurrency-limiter.ts';

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
