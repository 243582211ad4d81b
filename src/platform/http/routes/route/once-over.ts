import type { ServerResponse } from 'node:http';

/** Acts when the answer is over or the node stops; at once if either was before, for which there is no other event. */
export function onceOver(response: ServerResponse, shutdown: AbortSignal, act: () => void): void {
  const over = (): void => {
    response.off('close', over);
    shutdown.removeEventListener('abort', over);
    act();
  };
  response.once('close', over);
  shutdown.addEventListener('abort', over);
  if (response.destroyed || shutdown.aborted) over();
}
