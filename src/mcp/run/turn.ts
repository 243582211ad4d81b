/**
 * The questions a run has on their way at one time.
 * A client that is asked by the result gets all that are open together; and no accepted answer is acted upon while
 * another question would end the run, for then the tool's code up to there runs again.
 */
export class Turn {
  readonly #undecided = new Set<object>();
  #isParked = false;
  #onQuiet: (() => void)[] = [];

  /** Counts a question in, until the function returned is called; calling it again changes nothing. */
  begin(): () => void {
    const question = {};
    this.#undecided.add(question);
    return () => {
      if (this.#undecided.delete(question)) this.#look();
    };
  }

  /** From now on nothing is acted upon; resolves once every other question of the turn is decided. */
  park(): Promise<void> {
    this.#isParked = true;
    return new Promise((resolve) => this.#wait(resolve));
  }

  /** Resolves when no question is undecided; where one was parked, never: the run ends. Rejects with the signal. */
  quiet(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#wait(() => {
        if (!this.#isParked) resolve();
      });
    });
  }

  #wait(then: () => void): void {
    this.#onQuiet.push(then);
    this.#look();
  }

  /** Looks after the tool's code had its chance to ask on. */
  #look(): void {
    setTimeout(() => {
      if (this.#undecided.size > 0) return;
      for (const then of this.#onQuiet.splice(0)) then();
    });
  }
}
