import type { ServerResponse } from 'node:http';

/** Acts when this response is closed; at once if its client has left already, for which there is no other event. */
export function onceClosed(response: ServerResponse, act: () => void): void {
  if (response.destroyed) act();
  else response.once('close', act);
}
