import { Problem } from './problem.ts';

interface QueueLimits {
  /** How much work runs at the same time. */
  lanes: number;
  /** How much waits for a lane. */
  longest: number;
  /** Milliseconds for which it waits at most; without it, as long as it takes. */
  patience?: number;
}

/** Does the work when its turn comes. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets so much work run at the same time; the rest waits in order. Throws `overloaded` at once if too many wait already,
 * and later if no lane becomes free in time. Work that has waited begins in a turn of the event loop of its own.
 */
export function createBoundedQueue({ lanes, longest, patience }: QueueLimits): InTurn {
  const waiting = new Set<() => void>();
  let running = 0;

  async function enter(): Promise<void> {
    if (running < lanes) running += 1;
    else if (waiting.size < longest) await stand();
    else throw overloaded();
  }

  function stand(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        setImmediate(resolve);
      };
      const timer =
        patience === undefined ? undefined : setTimeout(() => waiting.delete(begin) && reject(overloaded()), patience);
      waiting.add(begin);
    });
  }

  /** The next one takes over the lane, so that no one slips in between. */
  function leave(): void {
    const [next] = waiting;
    if (next && waiting.delete(next)) next();
    else running -= 1;
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

const overloaded = (): Problem => new Problem('overloaded', { retryAfter: 1 });
