import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Characters from which a message is large. */
const large = 1024 * 1024;
/** Milliseconds for each of them: at least twice what it takes, so that half of the time is left for others. */
const timePerLarge = 50;

/** Large messages come one after the other, so that what is short is served in between: one alone waits for nothing. */
export class Turns {
  #next = 0;

  /** Resolves when a message of this size may be worked on. */
  async take(size: number): Promise<void> {
    if (size < large) return;
    const now = performance.now();
    const start = Math.max(now, this.#next);
    this.#next = start + (size / large) * timePerLarge;
    if (start > now) await sleep(start - now);
  }
}
