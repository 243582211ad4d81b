/** A signal that follows others until it is released; AbortSignal.any would stay registered with long-lived signals. */
interface LinkedSignal {
  signal: AbortSignal;
  abort(reason: unknown): void;
  /** Stops following; the signal itself is left as it is. */
  release(): void;
}

export function linkSignals(...sources: (AbortSignal | undefined)[]): LinkedSignal {
  const own = new AbortController();
  const signals = sources.filter((source) => source !== undefined);
  const follow = () => own.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const source of signals) source.addEventListener('abort', follow);
  if (signals.some(({ aborted }) => aborted)) follow();
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => {
      for (const source of signals) source.removeEventListener('abort', follow);
    },
  };
}

/** Runs the work under a signal that follows all of these until the work is done. */
export async function underSignals<T>(
  sources: (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = linkSignals(...sources);
  try {
    return await work(linked.signal);
  } finally {
    linked.release();
  }
}
