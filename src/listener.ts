import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import type { Serving } from './config/serving.ts';

/** Milliseconds in which the head of a request must arrive. */
const headTime = 10_000;
/** Milliseconds after which a connection is closed on which nothing moves: longer than a long poll, or two heartbeats. */
const longestStandstill = 75_000;
/** Milliseconds between two looks at what is late. */
const lookEvery = 1_000;
/** Milliseconds between two notes of connections that were one too many. */
const noteEvery = 60_000;

const full = 'a caller found no connection left: raise ASSENTRY_MAX_CONNECTIONS, or add nodes';

/** A server that slow senders and readers cannot hold up: connections are bounded in number, and what moves on them in time. */
export function createListener(
  serve: RequestListener,
  {
    connections,
    requestTimeout,
    keepAliveTimeout,
  }: Pick<Serving, 'connections' | 'requestTimeout' | 'keepAliveTimeout'>,
  log: Pick<Logger, 'warn'>,
): Server {
  const headersTimeout = Math.min(headTime, requestTimeout);
  const times = { requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval: lookEvery };
  const http = createServer(times, serve);
  http.maxConnections = connections;
  http.setTimeout(longestStandstill);
  let notedAt = -noteEvery;
  http.on('drop', () => {
    if (performance.now() - notedAt < noteEvery) return;
    notedAt = performance.now();
    log.warn(full);
  });
  return http;
}

/** Lets the answers in progress end, until their time is over; from the beginning on, no connection is accepted. */
export async function drain(http: Server, shutdown: AbortController, patience: number): Promise<void> {
  http.keepAliveTimeout = 1; // from here on a connection ends with the answer in progress
  const closed = closeListener(http);
  shutdown.abort();
  const timer = setTimeout(() => http.closeAllConnections(), patience);
  await closed;
  clearTimeout(timer);
}

export const closeListener = (http: Server): Promise<void> =>
  new Promise((resolve) => {
    if (http.listening) http.close(() => resolve());
    else resolve();
  });
