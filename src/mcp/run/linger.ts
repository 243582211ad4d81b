/**
 * Runs the work under a signal of its own that ends so many milliseconds after the given one: what is under way when
 * everyone has left can still be learned of, and undone.
 */
export async function linger<T>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => (timer = setTimeout(() => own.abort(signal.reason), ms));
  signal.addEventListener('abort', start);
  try {
    return await work(own.signal);
  } finally {
    signal.removeEventListener('abort', start);
    clearTimeout(timer);
  }
}
