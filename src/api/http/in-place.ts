import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { addressOf } from './note-refusal.ts';
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
    const leave = take(nameOf(request, response));
    void read(request, response, (error?: unknown) => {
      leave();
      next(error);
    });
  };

/** Whose place it is: the caller's, or of an address until the caller is known. */
export const nameOf = (request: Request, { locals }: Response): string =>
  (locals['caller'] as { id: string } | undefined)?.id ?? addressOf(request);
