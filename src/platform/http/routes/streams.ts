import type { ServerResponse } from 'node:http';
import { onceOver } from './route.ts';

/** One open stream of server-sent events (HTML Living Standard, section 9.2). */
export interface EventStream {
  send(event: string, data: unknown, id?: number): void;
  end(): void;
  /** Aborts when the reader has gone or the node stops. */
  signal: AbortSignal;
}

/** Limit of unread bytes of a reader, who can resume from where it has read to. */
const maxUnread = 1024 * 1024;

interface StreamLife {
  shutdown: AbortSignal;
  /** Milliseconds between comments that keep proxies from closing a quiet stream. */
  heartbeat: number;
  /** Is each an event, so that a page sees it? Browsers show it no comments. */
  isHeartbeatSeen?: boolean;
  /** May the reader still get events? Checked at every heartbeat. */
  mayListen(): Promise<boolean>;
  onEnd(): void;
}

/**
 * Starts the stream at once, so that the reader sees it is connected. Ends it when the node stops, and soon after the reader is
 * signed out, its key is revoked, or it stops reading.
 */
export function openEventStream(
  response: ServerResponse,
  { shutdown, heartbeat, isHeartbeatSeen = false, mayListen, onEnd }: StreamLife,
): EventStream {
  const gone = new AbortController();
  const end = (): void => {
    if (gone.signal.aborted) return;
    onEnd();
    clearInterval(timer);
    gone.abort();
    response.end();
  };
  const cut = (): void => {
    end();
    response.destroy();
  };
  const write = (text: string): void => {
    if (gone.signal.aborted) return;
    response.write(text);
    if (response.writableLength > maxUnread) cut();
  };
  const beat = async (): Promise<void> => {
    const may = await mayListen().catch(() => true); // an unreachable database says nothing about the reader
    if (!may) end();
    else if (response.writableNeedDrain) cut();
    else write(isHeartbeatSeen ? `event: heartbeat\ndata: ${JSON.stringify({ every: heartbeat })}\n\n` : ':\n\n');
  };
  const timer = setInterval(() => void beat(), heartbeat);
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  onceOver(response, shutdown, end);
  return {
    signal: gone.signal,
    end,
    send(event, data, id) {
      write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
  };
}

/**
 * Runs the work under a signal that aborts when the time is over, the caller has gone, the node stops, or the work is done. Its
 * timer is held here: Node.js 20 collects an `AbortSignal.timeout` that only `AbortSignal.any` follows.
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
