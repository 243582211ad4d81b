import { AsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/** Milliseconds of work between two turns of other work: a short call has about ten turns. */
const slice = 5;

/** Work that waits for the next turn, the oldest first. */
const waiting: (() => void)[] = [];
let end = 0;
let isOpen = false;

/** Is there time left in the slice that all work in turns shares? */
function hasTime(): boolean {
  const now = performance.now();
  if (!isOpen) {
    isOpen = true;
    end = now + slice;
    setImmediate(takeTurn);
  }
  return now < end;
}

function takeTurn(): void {
  isOpen = false;
  while (waiting.length > 0 && hasTime()) waiting.shift()?.();
}

/** Does the work at once if there is time left, else after a turn of other work. */
export const inTurn = <Result>(work: () => Result): Promise<Result> =>
  new Promise((resolve, reject) => {
    const run = (): void => {
      try {
        resolve(work());
      } catch (error) {
        reject(error as Error);
      }
    };
    if (waiting.length === 0 && hasTime()) run();
    else waiting.push(AsyncResource.bind(run)); // it runs in the turn of another request, and keeps its own context
  });

/** Does the work with turns of other work in between; it yields where it can be interrupted. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = await inTurn(() => {
      let next = work.next();
      while (!next.done && hasTime()) next = work.next();
      return next;
    });
    if (step.done) return step.value;
  }
}

/** Does interruptible work without interruption. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
