import { Problem } from '#protocol/model/problem';
import { Turns } from '../frames/turns.ts';

/** What the answer to one client takes of what is held. */
export interface AnswerHold {
  /** Resolves when so much more may be read; problem `rate-limited` if there is no room in time, or its client has gone. */
  take(size: number): Promise<void>;
  give(size: number): void;
  /** Its client has taken it, or has gone. */
  leave(): void;
}

interface Waiter {
  caller: string;
  size: number;
  admit(): void;
  refuse(): void;
}

type NewWaiter = Pick<Waiter, 'caller' | 'size'> & { count(): void };

/** Milliseconds that a large answer waits for room before it is given up. */
const patienceMs = 30_000;

/**
 * The large answers that are read and not yet taken by their clients. Who finds no room waits, and reads no further
 * meanwhile, so that what the process holds does not grow with its callers. One caller has no more than a part.
 */
export class HeldAnswers {
  /** One large message is worked on at a time, whichever server it is of. */
  readonly turns = new Turns();
  readonly #limits: { all: number; each: number };
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #all = 0;

  constructor(limits: { all: number; each: number }) {
    this.#limits = limits;
  }

  hold(caller: string): AnswerHold {
    let own = 0;
    const waiters = new Set<Waiter>();
    let isOver = false;
    const give = (size: number): void => {
      const amount = Math.min(size, own);
      own -= amount;
      this.#change(caller, -amount);
      this.#admit();
    };
    return {
      give,
      take: async (size) => {
        if (isOver) throw crowded();
        // It is counted as soon as it is admitted, so that who leaves at that moment gives it back.
        await this.#place({ caller, size, count: () => void (own += size) }, waiters);
      },
      leave: () => {
        isOver = true;
        for (const waiter of waiters) waiter.refuse();
        give(own);
      },
    };
  }

  #place({ count, ...share }: NewWaiter, own: Set<Waiter>): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        own.delete(waiter);
        settle();
      };
      const refuse = (): void => end(() => reject(crowded()));
      const admit = (): void => {
        count();
        end(resolve);
      };
      const waiter: Waiter = { ...share, refuse, admit };
      const timer = setTimeout(refuse, patienceMs).unref();
      this.#waiting.add(waiter);
      own.add(waiter);
      this.#admit();
    });
  }

  /** In the order in which they came, but for those whose caller has all that one may. */
  #admit(): void {
    for (const waiter of this.#waiting) {
      const { caller, size } = waiter;
      if (this.#of(caller) + size > this.#limits.each) continue;
      if (this.#all + size > this.#limits.all) return;
      this.#change(caller, size);
      waiter.admit();
    }
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

const crowded = (): Problem =>
  new Problem('rate-limited', {
    detail: 'Try again later, or ask for less: too many large answers wait for their clients.',
  });
