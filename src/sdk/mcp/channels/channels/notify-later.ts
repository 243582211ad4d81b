import type { ElicitationState } from '../../../client/client.ts';
import type { UrlSending } from '../../question/call/incoming-call.ts';
import type { Run } from '../../run/run/run.ts';

/** Questions whose end this process reports to their clients although the call is over. */
const watched = new Set<string>();

export const isNotifiedLater = ({ id }: ElicitationState): boolean => watched.has(id);

/** Tells the client that the person is done at the address, after the call and while the connection lasts. */
export function notifyLater({ client }: Run, urls: UrlSending, { id }: ElicitationState, elicitationId: string): void {
  watched.add(id);
  client
    .waitForOutcome(id, { signal: urls.ended() })
    .then(async (state) => isDone(state) && (await urls.notifyLater(elicitationId)))
    .catch(() => {}) // the connection has ended
    .finally(() => watched.delete(id));
}

/** The person finished there; an expiry, or a newer question, does not count. */
export const isDone = ({ status, cause }: ElicitationState): boolean =>
  status === 'accepted' || status === 'declined' || (status === 'cancelled' && cause === 'user');

const ends = new WeakMap<object, AbortSignal>();

/** Aborts when this server's connection ends; the author's own handler for that runs as well. */
export function connectionEnd(server: { onclose?: (() => void) | undefined }): AbortSignal {
  const signal = ends.get(server);
  if (signal) return signal;
  const ended = new AbortController();
  const { onclose } = server;
  server.onclose = () => {
    ended.abort();
    onclose?.();
  };
  ends.set(server, ended.signal);
  return ended.signal;
}
