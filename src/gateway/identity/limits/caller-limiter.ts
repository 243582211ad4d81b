import { SharedAmount } from './shared-amount.ts';

/** Something that each caller may have a few of at a time. */
export class CallerLimiter {
  readonly #used: SharedAmount;

  constructor(max: number) {
    this.#used = new SharedAmount({ all: Number.POSITIVE_INFINITY, each: max });
  }

  /** How to release it, once; null if this caller has as many as one may. */
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

/** As much of all as one caller may take: at least one. */
export const shareOf = (all: number, share: number): number => Math.max(1, Math.floor(all * share));
