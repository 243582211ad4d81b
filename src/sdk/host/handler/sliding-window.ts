const minute = 60_000;

/** Counts the questions of the last minute; times are milliseconds of a monotonic clock. */
export class SlidingWindow {
  #taken: number[] = [];

  /** Returns true and counts one if fewer than `limit` were counted in the minute before `now`. */
  tryTake(limit: number, now: number): boolean {
    if (this.countAt(now) >= limit) return false;
    this.#taken.push(now);
    return true;
  }

  countAt(now: number): number {
    this.#taken = this.#taken.filter((at) => now - at < minute);
    return this.#taken.length;
  }
}

const windows = new Map<string, SlidingWindow>();

/** One window for each server's name in this process: a server that makes its client reconnect gains nothing. */
export function mayAsk(server: string, limit: number, now = performance.now()): boolean {
  for (const [name, window] of windows) if (window.countAt(now) === 0) windows.delete(name);
  const window = windows.get(server) ?? new SlidingWindow();
  windows.set(server, window);
  return window.tryTake(limit, now);
}
