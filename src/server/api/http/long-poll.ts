import type { Request } from 'express';

/**
 * Runs the work under a signal that aborts when the time is over, the caller is gone, the node stops, or the work is
 * done. Its timer is held here: Node.js 20 collects an `AbortSignal.timeout` that only `AbortSignal.any` follows.
 *
 * @param timeoutMs milliseconds
 */
export async function longPoll<T>(
  request: Request,
  { shutdown, timeoutMs }: { shutdown: AbortSignal; timeoutMs: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  request.once('close', end);
  shutdown.addEventListener('abort', end);
  if (shutdown.aborted || request.socket.destroyed) end();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    request.off('close', end);
    shutdown.removeEventListener('abort', end);
    end();
  }
}
