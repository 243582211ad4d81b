import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { textOfFrame, type Frame } from '../../frames/frame/frame.ts';
import { onceClosed } from '../../upstreams/upstream/once-closed.ts';

/** Milliseconds after which a stream begins at the latest, and between comments that keep proxies from closing it. */
export const heartbeat = 5_000;

/**
 * The answer to one call of a client: a stream that begins as late as it can, so that before it begins the answer can
 * still be a status.
 */
export class ClientAnswer {
  /** True when the transport has taken the answer; false if it never does. */
  readonly isTaken: Promise<boolean>;
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.isTaken = new Promise((resolve) => {
      response.once('finish', () => resolve(true));
      onceClosed(response, () => resolve(false));
    });
    this.#timer = setInterval(() => this.#wait(), heartbeat);
    onceClosed(response, () => clearInterval(this.#timer));
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  get isConnected(): boolean {
    return !this.#response.destroyed;
  }

  begin(): void {
    if (this.hasBegun || !this.isConnected) return;
    this.#response.writeHead(200, streamHeaders);
    this.#response.flushHeaders();
  }

  /** A message on the way to the answer. Resolves when there is room for more. */
  send(text: string, id?: string): Promise<void> {
    this.begin();
    return writeTo(this.#response, eventOf(text, id));
  }

  end(text: string): void {
    void this.send(text);
    endWith(this.#response);
  }

  #wait(): void {
    this.begin();
    beat(this.#response);
  }
}

/** A comment that keeps a stream open; nothing once its last message was sent, though its client has not read that. */
export function beat(response: ServerResponse): void {
  if (!response.writableEnded && !response.destroyed) response.write(': waiting\n\n');
}

export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** One message as an event. It has no line end in it. */
export const eventOf = (text: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${text}\n\n`;

/** Milliseconds in which a client takes something of what waits for it, or is taken for gone. */
const idleTimeoutMs = 60_000;

/** Resolves when there is room for more, or no one reads any more. */
export async function writeTo(response: ServerResponse, text: string, timeoutMs = idleTimeoutMs): Promise<void> {
  if (response.destroyed || response.write(text) || response.destroyed) return;
  response.setTimeout(timeoutMs); // of no progress: then the connection is closed
  const over = new AbortController(); // takes the other listener away
  await Promise.race(['drain', 'close'].map((event) => once(response, event, over))).finally(() => over.abort());
  response.setTimeout(0);
}

/** The last that the client is sent. */
export function endWith(response: ServerResponse, text = '', timeoutMs = idleTimeoutMs): void {
  response.end(text);
  if (!response.writableFinished) response.setTimeout(timeoutMs);
}

/** Milliseconds for the rest of a request that was answered without it. */
const dismissTimeoutMs = 5_000;

/** Reads no more of a request than its client needs to get to the answer. */
export function dismiss(request: IncomingMessage): void {
  request.resume();
  const timer = setTimeout(() => request.destroy(), dismissTimeoutMs).unref();
  request.once('close', () => clearTimeout(timer));
}

export const isJsonType = (type: string): boolean => type.startsWith('application/json');

/** Passes a server's text on. What is no JSON is plain text, because a page of the server would run under our address. */
export function answerWithText(
  response: ServerResponse,
  status: number,
  { text, type, headers = {} }: { text: string; type: string; headers?: Record<string, string> },
): void {
  const shown = isJsonType(type) ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(status, { ...headers, ...(text !== '' && { 'content-type': shown }) });
  endWith(response, text);
}

/** The same for a client that may come again in some seconds: there is too much at once. */
export function refuseForNow(response: ServerResponse, status: number, frame: Frame): void {
  response.setHeader('retry-after', '5');
  answerWith(response, status, frame);
}

/** A whole answer, of one message. */
export function answerWith(response: ServerResponse, status: number, frame: Frame): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  endWith(response, textOfFrame(frame));
}
