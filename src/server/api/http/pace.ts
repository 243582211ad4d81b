import { MemoryStore, type Options } from 'express-rate-limit';
import { Problem } from '#protocol/model/problem';

/** What this node allows one caller. */
export interface Rates {
  /** Requests that one requester may open in a minute. */
  opened: number;
  /** Calls of one server, person or address in a minute. */
  calls: number;
  /** Streams that one server or person may have open. */
  streams: number;
  /** Calls that the node works on at the same time, and bodies that arrive at the same time. */
  inProgress: number;
  /** How many of them may be of one server, person or address. */
  inProgressPerCaller: number;
}

/**
 * Refuses a caller who comes too often, with the time after which to come again. Resolves with the way not to count this
 * call after all. Each node counts for itself.
 */
export type Pace = (caller: string) => Promise<() => Promise<void>>;

/** Milliseconds. */
const minute = 60_000;

export function createPace(maxInMinute: number): Pace {
  const store = new MemoryStore();
  store.init({ windowMs: minute } as Options);
  return async (caller) => {
    const { totalHits, resetTime } = await store.increment(caller);
    if (totalHits > maxInMinute) throw tooMany(resetTime);
    return () => store.decrement(caller);
  };
}

/** Problem `rate-limited`, with the seconds until the count begins again. */
function tooMany(resetTime: Date | undefined): Problem {
  const wait = (resetTime?.getTime() ?? Date.now()) - Date.now();
  return new Problem('rate-limited', { retryAfter: Math.max(1, Math.ceil(wait / 1000)) });
}

/** Counts what each caller holds open, and refuses more than `most`; gives back the way to let go of it. */
export function createSeats(most: number, retryAfter = 10): (caller: string) => () => void {
  const seats = new Map<string, number>();
  return (caller) => {
    const count = seats.get(caller) ?? 0;
    if (count >= most) throw new Problem('rate-limited', { retryAfter });
    seats.set(caller, count + 1);
    return () => {
      const remaining = (seats.get(caller) ?? 1) - 1;
      if (remaining === 0) seats.delete(caller);
      else seats.set(caller, remaining);
    };
  };
}
