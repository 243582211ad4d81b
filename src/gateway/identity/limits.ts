import { LargeMessageQueue } from '../frames/frame.ts';

/** An amount in use, by all callers and by each of them; a caller may use only a part. */
export class SharedAmount {
  readonly #limits: { all: number; each: number };
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  constructor(limits: { all: number; each: number }) {
    this.#limits = limits;
  }

  /** Is this much left in all? */
  isLeft(size: number): boolean {
    return this.#all + size <= this.#limits.all;
  }

  /** Is this much left of this caller's part? */
  isLeftFor(caller: string, size: number): boolean {
    return this.#of(caller) + size <= this.#limits.each;
  }

  /** Adds to the amount in use; a negative size gives back. */
  add(caller: string, size: number): void {
    const sum = this.#of(caller) + size;
    this.#all += size;
    if (sum > 0) this.#byCaller.set(caller, sum);
    else this.#byCaller.delete(caller);
  }

  #of(caller: string): number {
    return this.#byCaller.get(caller) ?? 0;
  }
}

/** Limits how many things each caller has at a time. */
export class CallerLimiter {
  readonly #used: SharedAmount;

  constructor(max: number) {
    this.#used = new SharedAmount({ all: Number.POSITIVE_INFINITY, each: max });
  }

  /** Function that releases it, once; null if this caller has reached the limit. */
  acquire(caller: string): (() => void) | null {
    if (!this.#used.isLeftFor(caller, 1)) return null;
    this.#used.add(caller, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#used.add(caller, -1);
      isHeld = false;
    };
  }
}

/** One caller's share of all, at least one. */
export const shareOf = (all: number, share: number): number => Math.max(1, Math.floor(all * share));

/** One message's share of the budget. */
export interface Reservation {
  /** Adds to the reservation; false if it does not fit. */
  add(size: number): boolean;
  /** Resolves when work on it may begin. */
  waitTurn(): Promise<void>;
  release(): void;
}

/** Memory shared by messages in hand; one caller gets no more than its part. */
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
