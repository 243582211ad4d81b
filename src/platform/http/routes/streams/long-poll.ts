import type { ServerResponse } from 'node:http';
import { onceOver } from '../route/once-over.ts';

/**
 * Runs the work under a signal that aborts when the time is over, the caller is gone, the node stops, or the work is
 * done. Its timer is held here: Node.js 20 collects an `AbortSignal.timeout` that only `AbortSignal.any` follows.
 *
 * @param timeoutMs milliseconds
 */
export async function longPoll<T>(
  response: ServerResponse,
  { shutdown, timeoutMs }: { shutdown: AbortSignal; timeoutMs: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  onceOver(response, shutdown, end);
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    end();
  }
}
