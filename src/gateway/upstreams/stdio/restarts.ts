/** Milliseconds a process lives at least, if nothing is wrong with it. */
const shortLife = 10_000;
const firstPause = 1_000;
const maxPauseMs = 60_000;

/** When a command may be started: each time that its process ends by itself soon, twice as long passes before the next. */
export class Restarts {
  #failures = 0;
  #next = 0;

  /** Milliseconds until the next start is allowed. */
  pause(now: number): number {
    return Math.max(0, this.#next - now);
  }

  /** A process that was started then has ended by itself, or could not be started. */
  note(startedAt: number, now: number): void {
    this.#failures = now - startedAt < shortLife ? this.#failures + 1 : 0;
    if (this.#failures > 0) this.#next = now + Math.min(maxPauseMs, firstPause * 2 ** (this.#failures - 1));
  }
}
