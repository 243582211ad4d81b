/**
 * The questions of a run that are in progress at the same time. A client that gets questions as results gets all open
 * ones together. No accepted answer takes effect while another question would end the run, because the tool's code up
 * to there then runs again.
 */
export class Turn {
  readonly #undecided = new Set<object>();
  #isSuspended = false;
  #onQuiet: (() => void)[] = [];

  /** Counts a question in, until the function returned is called; calling it again changes nothing. */
  begin(): () => void {
    const question = {};
    this.#undecided.add(question);
    return () => {
      if (this.#undecided.delete(question)) this.#look();
    };
  }

  /** From now on nothing takes effect; resolves when every other question of the turn is decided. */
  suspend(): Promise<void> {
    this.#isSuspended = true;
    return new Promise((resolve) => this.#wait(resolve));
  }

  /** Resolves when no question is undecided; if it is suspended, never: the run ends. Rejects with the signal. */
  quiet(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#wait(() => {
        if (!this.#isSuspended) resolve();
      });
    });
  }

  #wait(then: () => void): void {
    this.#onQuiet.push(then);
    this.#look();
  }

  /** Checks after the tool's code had a chance to ask again. */
  #look(): void {
    setTimeout(() => {
      if (this.#undecided.size > 0) return;
      for (const then of this.#onQuiet.splice(0)) then();
    });
  }
}
