import { performance } from 'node:perf_hooks';
import { setImmediate as afterWork, setTimeout as sleep } from 'node:timers/promises';

/** Characters from which a message is large. */
const large = 1024 * 1024;

/**
 * Large messages come one after the other, with a pause between them that is as long as the work on the one before: however
 * slow the machine is, half of the time is left for what is short. One alone waits for nothing.
 */
export class LargeMessageQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when a message of this size may be worked on, at once. */
  async waitTurn(size: number): Promise<void> {
    if (size < large) return;
    const before = this.#last;
    const turn = before.then(() => performance.now());
    this.#last = turn.then(async (start) => {
      await afterWork(); // what follows on the turn has been done by then
      await sleep(performance.now() - start, undefined, { ref: false });
    });
    await turn;
  }
}
