/** How much of something is in use: by all callers, and by each of them, who may use a part of it only. */
export class SharedAmount {
  readonly #limits: { all: number; each: number };
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  constructor(limits: { all: number; each: number }) {
    this.#limits = limits;
  }

  /** Is so much left for everyone? */
  isLeft(size: number): boolean {
    return this.#all + size <= this.#limits.all;
  }

  /** Is so much left of this caller's part? */
  isLeftFor(caller: string, size: number): boolean {
    return this.#of(caller) + size <= this.#limits.each;
  }

  /** A negative size is given back. */
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
