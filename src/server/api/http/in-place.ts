import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { addressOf } from './address-of.ts';
import type { TakePlace } from './places.ts';

/** Does the work in a place of this caller. */
export async function inPlace<T>(take: TakePlace, caller: string, work: () => Promise<T>): Promise<T> {
  const leave = take(caller);
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Reads a body in a place of its sender. */
export const readInPlace =
  (read: RequestHandler, take: TakePlace) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const leave = takeUncounted(take, request, response);
    void read(request, response, (error?: unknown) => {
      leave();
      next(error);
    });
  };

/** Who finds no place comes again soon: the call that is refused does not count against the caller's minute. */
export function takeUncounted(take: TakePlace, request: Request, response: Response): () => void {
  try {
    return take(payerOf(request, response));
  } catch (error) {
    const uncount = response.locals['uncount'] as (() => Promise<void>) | undefined;
    void uncount?.();
    throw error;
  }
}

/** Whose place and minute it is: the caller's, or of an address until the caller is known; by the route's budget. */
export function payerOf(request: Request, { locals }: Response): string {
  const name = (locals['caller'] as { id: string } | undefined)?.id ?? addressOf(request);
  return locals['isOfExecution'] ? `${name} execution` : name;
}
