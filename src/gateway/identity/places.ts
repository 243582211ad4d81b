/** Something that each caller may have a few of at a time. */
export class Places {
  readonly #max: number;
  readonly #taken = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** How to leave the place, once; null if this caller has as many as one may. */
  take(caller: string): (() => void) | null {
    const count = this.#taken.get(caller) ?? 0;
    if (count >= this.#max) return null;
    this.#taken.set(caller, count + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#leave(caller);
      isTaken = false;
    };
  }

  #leave(caller: string): void {
    const count = this.#taken.get(caller) ?? 0;
    if (count > 1) this.#taken.set(caller, count - 1);
    else this.#taken.delete(caller);
  }
}

/** As much of all as one caller may take: at least one. */
export const shareOf = (all: number, share: number): number => Math.max(1, Math.floor(all * share));
