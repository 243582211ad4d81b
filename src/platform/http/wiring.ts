import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Serving } from '../config/serving.ts';

/** Milliseconds in which the head of a request must arrive. */
const headTime = 10_000;
/** Milliseconds after which an idle connection is closed: longer than a long poll, or two heartbeats. */
const maxStandstillMs = 75_000;
/** Milliseconds between two checks of late connections. */
const lookIntervalMs = 1_000;
/** Milliseconds in which a new connection brings its first bytes; browsers open more connections than they use. */
const firstBytesTime = 1_000;
/** Milliseconds between two checks of such connections while a server drains. */
const drainLookEvery = 50;
/** Milliseconds between two log lines about surplus connections. */
const noteIntervalMs = 60_000;

const full = 'a caller found no connection left: raise ASSENTRY_MAX_CONNECTIONS, or add nodes';

/** A server that slow senders and readers cannot block: connections are bounded in number, and their traffic in time. */
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
  const times = { requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval: lookIntervalMs };
  const http = createServer(times, serve);
  http.maxConnections = connections;
  http.setTimeout(maxStandstillMs);
  traffic.set(http, watchTraffic(http));
  let notedAt = -noteIntervalMs;
  http.on('drop', () => {
    if (performance.now() - notedAt < noteIntervalMs) return;
    notedAt = performance.now();
    log.warn(full);
  });
  return http;
}

interface Traffic {
  /** Time of each connection. */
  connections: Map<Socket, number>;
  answers: Set<ServerResponse>;
}

const traffic = new WeakMap<Server, Traffic>();

function watchTraffic(http: Server): Traffic {
  const watched: Traffic = { connections: new Map(), answers: new Set() };
  http.on('connection', (socket) => {
    watched.connections.set(socket, performance.now());
    socket.once('close', () => watched.connections.delete(socket));
  });
  http.on('request', (_request, response) => {
    watched.answers.add(response);
    response.once('close', () => watched.answers.delete(response));
  });
  return watched;
}

/** Lets the answers in progress end within their time; accepts no new connection. */
export async function drain(http: Server, shutdown: AbortController, timeoutMs: number): Promise<void> {
  const { connections, answers } = traffic.get(http) ?? { connections: new Map<Socket, number>(), answers: [] };
  for (const answer of answers) endConnectionAfter(answer);
  http.prependListener('request', (_request, response) => endConnectionAfter(response));
  const closed = closeListener(http);
  shutdown.abort();
  const look = setInterval(() => closeUnused(connections), drainLookEvery);
  const timer = setTimeout(() => http.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(look);
  clearTimeout(timer);
}

function endConnectionAfter(answer: ServerResponse): void {
  const { socket } = answer;
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
  else answer.once('finish', () => socket?.end());
}

/** Closes unused connections, which Node.js takes for ones in use. */
function closeUnused(connections: Map<Socket, number>): void {
  const latest = performance.now() - firstBytesTime;
  for (const [socket, madeAt] of connections) if (socket.bytesRead === 0 && madeAt < latest) socket.destroy();
}

export const closeListener = (http: Server): Promise<void> =>
  new Promise((resolve) => {
    if (http.listening) http.close(() => resolve());
    else resolve();
  });
