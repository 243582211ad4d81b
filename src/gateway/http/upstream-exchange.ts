import type { IncomingHttpHeaders } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Problem } from '../../model/problem.ts';
import { rpcCodes, rpcError, RpcFault } from '../frames/frame.ts';
import type { HttpUpstream } from './gateway-config.ts';

export interface Exchange {
  method: 'POST' | 'GET' | 'DELETE';
  /** Those of the client's request. */
  headers: IncomingHttpHeaders;
  body?: string;
  signal: AbortSignal;
}

/** The client's headers that an upstream gets: those of MCP. Its credentials are its own. */
const passedOn = ['accept', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];

/** Characters of one message, in either direction. */
export const longestMessage = 32 * 1024 * 1024;

/** The upstream's answer, as soon as it begins. No redirect is followed, because it would take the credentials along. */
export async function askUpstream(
  upstream: HttpUpstream,
  { method, headers, body, signal }: Exchange,
): Promise<Response> {
  const pairs = passedOn.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
  const sent = {
    ...(Object.fromEntries(pairs) as Record<string, string>),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...upstream.headers,
  };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), upstream.timeout);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    return await fetch(upstream.url, {
      method,
      headers: sent,
      ...(body && { body }),
      redirect: 'error',
      signal: either,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new NoAnswer(cause);
  } finally {
    clearTimeout(timer);
  }
}

/** The upstream did not answer. */
export class NoAnswer extends Problem {
  /** It was never given the request. */
  readonly isUnsent: boolean;

  constructor(cause: unknown) {
    super('unavailable', { detail: 'Try again later: the server cannot be reached.', cause });
    const { code } = (cause as { cause?: { code?: string } }).cause ?? {};
    this.isUnsent = code !== undefined && unsent.has(code);
  }
}

const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The upstream refused the request itself, as it does for a session it does not know. */
export class UpstreamRefusal extends RpcFault {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;

  private constructor(status: number, body: string, contentType: string) {
    super(rpcError(rpcCodes.internal, 'unavailable', `Connect again: the server refused this with status ${status}.`));
    this.status = status;
    this.body = body;
    this.contentType = contentType;
  }

  static async of(response: Response): Promise<UpstreamRefusal> {
    const type = response.headers.get('content-type') ?? 'text/plain';
    return new UpstreamRefusal(response.status, await textOf(response), type);
  }
}

export const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/** The body, if it is not too long. */
export async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const chunk of bytesOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > longestMessage) throw tooLong();
  }
  return text + decoder.decode();
}

/** The events of a stream, one after the other; of any other answer, its body as one. */
export async function* eventsOf(response: Response): AsyncGenerator<Pick<EventSourceMessage, 'data' | 'id'>> {
  if (!isStream(response)) return yield { data: await textOf(response), id: undefined };
  const events: EventSourceMessage[] = [];
  let isTooLong = false;
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
    maxBufferSize: longestMessage,
  });
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of bytesOf(response)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
    if (isTooLong) throw tooLong();
  }
}

/** Ends the exchange when no more is wanted. */
async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return;
      yield part.value;
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

const tooLong = (): Problem =>
  new Problem('unavailable', {
    detail: `The server's answer is not passed on: it is longer than ${longestMessage} characters.`,
  });
