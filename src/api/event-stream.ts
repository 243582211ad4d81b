import type { Request, Response } from 'express';

/** One open stream of server-sent events (HTML Living Standard, section 9.2). */
export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  /** Aborts when the reader has gone or the node stops. */
  signal: AbortSignal;
}

/** Milliseconds between comments that keep proxies from closing a quiet stream. */
const heartbeat = 15_000;

/** Starts the stream at once, so that the reader knows it is connected; ends it when the node stops. */
export function openEventStream(request: Request, response: Response, shutdown: AbortSignal): EventStream {
  const gone = new AbortController();
  const end = (): void => {
    clearInterval(timer);
    shutdown.removeEventListener('abort', end);
    gone.abort();
    response.end();
  };
  const timer = setInterval(() => response.write(':\n\n'), heartbeat);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  request.on('close', end);
  shutdown.addEventListener('abort', end);
  if (shutdown.aborted) end();
  return {
    signal: gone.signal,
    send(event, data, id) {
      if (gone.signal.aborted) return;
      response.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
  };
}
