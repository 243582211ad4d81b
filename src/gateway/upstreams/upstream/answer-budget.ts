import type { ServerResponse } from 'node:http';
import { Problem } from '#platform/model/problem/problem';
import { LargeMessageQueue } from '../../frames/frame/large-message-queue.ts';
import { SharedAmount } from '../../identity/limits/shared-amount.ts';
import { onceClosed } from './once-closed.ts';

/** What the answer to one client takes of what is held. */
export interface AnswerReservation {
  /** Resolves when so much more may be read; problem `rate-limited` if there is no room in time, or its client has gone. */
  grow(size: number): Promise<void>;
  /** Counts what is here already; others wait until there is room again. */
  add(size: number): void;
  shrink(size: number): void;
  /** Its client has taken it, or has gone. */
  release(): void;
}

interface Waiter {
  caller: string;
  size: number;
  admit(): void;
  refuse(): void;
}

type NewWaiter = Pick<Waiter, 'caller' | 'size'> & { patienceMs: number | null; count(): void };

/** Characters from which on a message takes its room before more of it is read: all that it may become. */
export const large = 256 * 1024;

/** Milliseconds that a large answer waits for room before it is given up. */
const waitTimeoutMs = 30_000;

/**
 * The large answers that are read and not yet taken by their clients. Who finds no room waits, and reads no further
 * meanwhile, so that what the process holds does not grow with its callers. One caller has no more than a part.
 */
export class AnswerBudget {
  /** One large message is worked on at a time, whichever server it is of. */
  readonly largeMessages = new LargeMessageQueue();
  readonly #used: SharedAmount;
  readonly #waiting = new Set<Waiter>();

  constructor(limits: { all: number; each: number }) {
    this.#used = new SharedAmount(limits);
  }

  /** `patienceMs`: how long it waits for room; null for as long as it takes. */
  reserve(caller: string, patienceMs: number | null = waitTimeoutMs): AnswerReservation {
    let own = 0;
    const waiters = new Set<Waiter>();
    let isOver = false;
    const shrink = (size: number): void => {
      const amount = Math.min(size, own);
      own -= amount;
      this.#used.add(caller, -amount);
      this.#admit();
    };
    return {
      shrink,
      add: (size) => {
        if (isOver) return;
        own += size;
        this.#used.add(caller, size);
      },
      grow: async (size) => {
        if (isOver) throw crowded();
        // It is counted as soon as it is admitted, so that who leaves at that moment gives it back.
        await this.#place({ caller, size, patienceMs, count: () => void (own += size) }, waiters);
      },
      release: () => {
        isOver = true;
        for (const waiter of waiters) waiter.refuse();
        shrink(own);
      },
    };
  }

  /** The same for what is sent by this response, until it is closed. */
  reserveFor(caller: string, response: ServerResponse): AnswerReservation {
    const reservation = this.reserve(caller);
    onceClosed(response, () => reservation.release());
    return reservation;
  }

  #place({ count, patienceMs, ...share }: NewWaiter, own: Set<Waiter>): Promise<void> {
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
      const timer = patienceMs === null ? undefined : setTimeout(refuse, patienceMs).unref();
      this.#waiting.add(waiter);
      own.add(waiter);
      this.#admit();
    });
  }

  /** In the order in which they came, but for those whose caller has all that one may. */
  #admit(): void {
    for (const waiter of this.#waiting) {
      const { caller, size } = waiter;
      if (!this.#used.isLeftFor(caller, size)) continue;
      if (!this.#used.isLeft(size)) return;
      this.#used.add(caller, size);
      waiter.admit();
    }
  }
}

const crowded = (): Problem =>
  new Problem('rate-limited', {
    detail: 'Try again later, or ask for less: too many large answers wait for their clients.',
  });
