import { performance } from 'node:perf_hooks';
import { setImmediate as afterOthers } from 'node:timers/promises';

/** Milliseconds of work after which everything else has its turn: a short call has about ten turns. */
const slice = 5;

/** All that works in turns shares them, so that there is one slice between two turns of everything else. */
let last: Promise<void> = Promise.resolve();

/** Does the work with turns for everything else in between; it yields where it can be interrupted. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  let end = performance.now() + slice;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    last = last.then(() => afterOthers());
    await last;
    end = performance.now() + slice;
  }
}
