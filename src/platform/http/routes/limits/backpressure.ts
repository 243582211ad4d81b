interface BackpressureOptions {
  /** Milliseconds by which what follows this work is behind. */
  readLagMs(): Promise<number>;
  /** So far behind it may be. */
  maxLagMs: number;
  /** Milliseconds between two looks. No one looks while nothing is asked for. */
  intervalMs: number;
  /** Milliseconds for which work waits at most: if what follows stands still, waiting longer would not help. */
  timeoutMs: number;
}

/** Resolves at once, or when what follows this work has caught up, or after `timeoutMs`. */
export type Backpressure = () => Promise<void>;

/** Slows work down while what follows it is behind, so that what was begun is finished first. Refuses nothing. */
export function createBackpressure({ readLagMs, maxLagMs, intervalMs, timeoutMs }: BackpressureOptions): Backpressure {
  const waiting = new Set<() => void>();
  let isBehind = false;
  let isLooking = false;

  async function look(): Promise<void> {
    isLooking = true;
    const lagMs = await readLagMs().catch(() => 0); // a fault of the database is met by the work itself
    isBehind = lagMs > maxLagMs;
    if (!isBehind) for (const goOn of waiting) goOn();
    setTimeout(() => {
      isLooking = false;
      if (isBehind) void look();
    }, intervalMs).unref();
  }

  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer);
        waiting.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, timeoutMs);
      waiting.add(goOn);
    });

  return async () => {
    if (!isLooking) void look();
    if (isBehind) await wait();
  };
}
