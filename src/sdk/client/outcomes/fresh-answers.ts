import type { ElicitationState } from '#requests/asking/contract/open';
import { isClosed } from '#requests/asking/contract/elicitation';

/** Names and answers kept at most. */
const maxKept = 1000;

/**
 * Answers that are still whole: the stream was listening before they were asked for, and has not named their request
 * since. Who waits for one of them need not read it again.
 */
export class FreshAnswers {
  /** Counts what the stream has said. */
  #place = 0;
  /** Nothing said after this place was missed; none while no stream listens. */
  #since = Number.POSITIVE_INFINITY;
  readonly #changed = new Map<string, number>();
  readonly #kept = new Map<string, ElicitationState>();

  /** From here on every change arrives. */
  listen(): void {
    this.#since = Math.min(this.#since, (this.#place += 1));
  }

  /** Whatever changes from here on may be missed. */
  deafen(): void {
    this.#since = Number.POSITIVE_INFINITY;
    this.#changed.clear();
    this.#kept.clear();
  }

  changed(id: string): void {
    this.#kept.delete(id);
    this.#changed.delete(id);
    this.#changed.set(id, (this.#place += 1));
    const [oldest] = this.#changed;
    if (!oldest || this.#changed.size <= maxKept) return;
    this.#changed.delete(oldest[0]);
    this.#since = Math.max(this.#since, oldest[1]);
  }

  /** To be taken before a question is sent, and given back with its answer. */
  place(): number {
    return this.#place;
  }

  keep(askedAt: number, state: ElicitationState): void {
    const isWhole = askedAt >= this.#since && (this.#changed.get(state.id) ?? 0) <= askedAt;
    if (!isWhole || isClosed(state.status)) return;
    this.#kept.set(state.id, state);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
  }

  /** The answer, if it still holds; it is given out once. */
  take(id: string): ElicitationState | undefined {
    const state = this.#kept.get(id);
    this.#kept.delete(id);
    return state;
  }
}
