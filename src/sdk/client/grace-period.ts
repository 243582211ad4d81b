import { onAbort } from './transport.ts';

/**
 * Runs the work under its own signal, which aborts this many milliseconds after the given one, so that work in progress
 * can still be finished and undone when its caller has left.
 */
export async function withGracePeriod<T>(
  graceMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => (timer = setTimeout(() => own.abort(signal.reason), graceMs));
  const ignore = onAbort(signal, start);
  try {
    return await work(own.signal);
  } finally {
    ignore();
    clearTimeout(timer);
  }
}
