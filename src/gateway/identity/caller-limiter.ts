/** Something that each caller may have a few of at a time. */
export class CallerLimiter {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** How to release it, once; null if this caller has as many as one may. */
  acquire(caller: string): (() => void) | null {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= this.#max) return null;
    this.#counts.set(caller, count + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(caller);
      isHeld = false;
    };
  }

  #release(caller: string): void {
    const count = this.#counts.get(caller) ?? 0;
    if (count > 1) this.#counts.set(caller, count - 1);
    else this.#counts.delete(caller);
  }
}

/** As much of all as one caller may take: at least one. */
export const shareOf = (all: number, share: number): number => Math.max(1, Math.floor(all * share));
