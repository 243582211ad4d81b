import { Turns } from '../frames/turns.ts';

/** What one message takes of a room. */
export interface Hold {
  /** False if it does not fit. */
  add(size: number): boolean;
  /** Resolves when it may be worked on. */
  turn(): Promise<void>;
  leave(): void;
}

/** Memory that messages share while they are in hand: one caller has no more than its part. */
export class Room {
  readonly #limits: { all: number; each: number };
  readonly #taken = new Map<string, number>();
  readonly #turns = new Turns();
  #all = 0;

  constructor(limits: { all: number; each: number }) {
    this.#limits = limits;
  }

  hold(caller: string): Hold {
    let own = 0;
    return {
      add: (size) => {
        const isFitting = this.#all + size <= this.#limits.all && this.#of(caller) + size <= this.#limits.each;
        if (isFitting) this.#change(caller, size);
        if (isFitting) own += size;
        return isFitting;
      },
      turn: () => this.#turns.take(own),
      leave: () => {
        this.#change(caller, -own);
        own = 0;
      },
    };
  }

  #of(caller: string): number {
    return this.#taken.get(caller) ?? 0;
  }

  #change(caller: string, size: number): void {
    const sum = this.#of(caller) + size;
    this.#all += size;
    if (sum > 0) this.#taken.set(caller, sum);
    else this.#taken.delete(caller);
  }
}
