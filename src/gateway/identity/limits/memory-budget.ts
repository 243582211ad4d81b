import { LargeMessageQueue } from '../../frames/frame/large-message-queue.ts';
import { SharedAmount } from './shared-amount.ts';

/** What one message takes of the budget. */
export interface Reservation {
  /** False if it does not fit. */
  add(size: number): boolean;
  /** Resolves when it may be worked on. */
  waitTurn(): Promise<void>;
  release(): void;
}

/** Memory that messages share while they are in hand: one caller has no more than its part. */
export class MemoryBudget {
  readonly #used: SharedAmount;
  readonly #largeMessages = new LargeMessageQueue();

  constructor(limits: { all: number; each: number }) {
    this.#used = new SharedAmount(limits);
  }

  reserve(caller: string): Reservation {
    let own = 0;
    return {
      add: (size) => {
        const isFitting = this.#used.isLeft(size) && this.#used.isLeftFor(caller, size);
        if (isFitting) this.#used.add(caller, size);
        if (isFitting) own += size;
        return isFitting;
      },
      waitTurn: () => this.#largeMessages.waitTurn(own),
      release: () => {
        this.#used.add(caller, -own);
        own = 0;
      },
    };
  }
}
