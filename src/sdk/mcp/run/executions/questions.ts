import type { ElicitationState } from '#requests/asking/contract/open';
import type { Question } from '../../question/question/question.ts';

/** A question and its outcome. */
export interface Recorded {
  question: Pick<Question, 'mode' | 'schema'>;
  state: ElicitationState;
}

/** The questions of a run: what is open, what is awaited, and what was answered. */
export class Questions {
  /** Stored questions that are neither closed nor given up. */
  readonly #open = new Set<ElicitationState>();
  /** The requester's questions that are answered on a page, even without this call. */
  readonly #onPages = new Set<string>();
  readonly #decisions = new Set<Promise<unknown>>();
  readonly #answers: Map<string, Recorded>;

  /** With the answers of the run that this one continues. */
  constructor(former?: Questions) {
    this.#answers = new Map(former ? former.#answers : []);
  }

  get open(): ReadonlySet<ElicitationState> {
    return this.#open;
  }

  add(question: ElicitationState): void {
    this.#open.add(question);
  }

  /** False if it was not open. */
  remove(question: ElicitationState): boolean {
    return this.#open.delete(question);
  }

  addPage({ id }: ElicitationState): void {
    this.#onPages.add(id);
  }

  hasPage({ id }: ElicitationState): boolean {
    return this.#onPages.has(id);
  }

  /** Counts as awaited until it settles. */
  async during<T>(decision: Promise<T>): Promise<T> {
    this.#decisions.add(decision);
    try {
      return await decision;
    } finally {
      this.#decisions.delete(decision);
    }
  }

  /** Also those that are asked meanwhile. */
  async allDecided(): Promise<void> {
    while (this.#decisions.size > 0) await Promise.allSettled(this.#decisions);
  }

  answerAt(step: string): Recorded | undefined {
    return this.#answers.get(step);
  }

  /** False if this step had an answer already. */
  record(step: string, answer: Recorded): boolean {
    const isNew = !this.#answers.has(step);
    this.#answers.set(step, answer);
    return isNew;
  }
}
