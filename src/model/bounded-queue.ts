import { Problem } from './problem.ts';

/**
 * Lets so much work run at the same time; the rest waits in order. Throws `overloaded` at once if too many wait already.
 */
export function createBoundedQueue({ lanes, longest }: { lanes: number; longest: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < lanes) running += 1;
    else if (waiting.length < longest) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new Problem('overloaded', { retryAfter: 1 });
  }

  /** The next one takes over the lane, so that no one slips in between. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
