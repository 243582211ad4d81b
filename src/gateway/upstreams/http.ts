import { errorFrame, isFrameId, notPassedOn, textOfFrame, type FrameId, LargeMessageQueue } from '../frames/frame.ts';
import { inTurns } from '#platform/crypto/in-turns';
import { SecretFinder } from '../own-files/own-files.ts';
import { type UpstreamLine, readUpstreamInTurns } from '../frames/reading.ts';
import {
  type UpstreamAnswer,
  type UpstreamEvent,
  large,
  type AnswerReservation,
  refusal,
  NoAnswer,
  type Exchange,
  type Upstream,
} from './upstream.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Problem } from '#platform/model/problem';
import type { Caller } from '../identity/caller.ts';
import type {
  CredentialManner,
  Lack,
  PersonCredentials,
  PersonHeaders,
  UpstreamTokens,
  UpstreamTokenSource,
} from './credentials.ts';

/** Headers with credentials of their sender. */
const secretHeader = /auth|cookie|key|secret|token|password/i;

/** The answer without the gateway's own credentials: a server may repeat them to a client. */
function keepCredentials(
  answer: UpstreamAnswer,
  sent: Readonly<Record<string, string>>,
  id: FrameId | null,
): UpstreamAnswer {
  const secrets = Object.entries(sent).filter(([name]) => secretHeader.test(name));
  if (secrets.length === 0) return answer;
  const finder = new SecretFinder(secrets.map(([name, value]) => ({ name, value: value.split(' ').at(-1) ?? '' })));
  if (answer.isStream) return { ...answer, isStream: true, events: () => without(finder, answer.events()) };
  const text = async (): Promise<string> => {
    const whole = await answer.text();
    return (await inTurns(finder.search(whole))) === null ? whole : textOfFrame(errorFrame(id, notPassedOn(fault)));
  };
  return { ...answer, text };
}

async function* without(finder: SecretFinder, events: AsyncGenerator<UpstreamEvent>): AsyncGenerator<UpstreamEvent> {
  for await (const event of events) {
    const { message } = event;
    const isSafe = !message || 'fault' in message || (await inTurns(finder.search(message.frame))) === null;
    yield isSafe ? event : { ...event, message: faultOf(message) };
  }
}

function faultOf({ frame: { method, id } }: Exclude<UpstreamLine, { fault: string }>): UpstreamLine {
  return { fault, id: method === undefined && isFrameId(id) ? id : null };
}

const fault = 'it carries credentials of the gateway';

/** Address and credentials of a server over HTTP. */
export interface HttpServer {
  name: string;
  url: string;
  /** Source of the gateway's token. */
  token?: UpstreamTokenSource | undefined;
  /** Each person has their own credentials, sent in this manner. */
  credentials?: CredentialManner | undefined;
  /** Headers of each request, in place of the client's of the same names. */
  headers: Record<string, string>;
  /** The server is the gateway itself, which checks the client's own token once more. */
  isOwn?: boolean;
  /** Time until the server must begin to answer, in milliseconds. */
  timeout: number;
  calls: number;
  sharePerCaller: number;
  /** Limit of one message in characters. */
  size: number;
}

/** Methods that reveal no personal data at a server that answers them without credentials, and change nothing there. */
const openMethods = /^(?:initialize|ping|server\/discover|notifications\/.*|.*\/list)$/;

/** The client's headers that an upstream gets: those of MCP. The client's credentials stay here. */
const passedOn = /^(?:accept|mcp-session-id|mcp-protocol-version|mcp-method|mcp-name|last-event-id)$/;
/** Further headers for the gateway itself, which judges the client's messages. */
const passedOnToItself = /^(?:authorization|mcp-param-.*)$/;

interface HttpUpstreamParts {
  tokens?: UpstreamTokens;
  people?: PersonCredentials;
  /** Credentials of people are looked for only after the server has refused a request without them. */
  onlyIfRefused?: boolean;
  /** Queue of large messages; its own if absent. */
  largeMessages?: LargeMessageQueue;
}

/** A server over HTTP. Redirects to another origin are not followed, because they would take the credentials along. */
export class HttpUpstream implements Upstream {
  readonly name: string;
  readonly calls: number;
  readonly sharePerCaller: number;
  readonly timeout: number;
  readonly isShared = true;
  readonly #server: HttpServer;
  readonly #tokens: UpstreamTokens | undefined;
  readonly #people: PersonCredentials | undefined;
  readonly #largeMessages: LargeMessageQueue;
  /** True while no request without credentials was refused. */
  #isOpen: boolean;

  /** With `tokens`, each request carries one; with `people`, the credentials of its person. */
  constructor(server: HttpServer, parts: HttpUpstreamParts = {}) {
    const { tokens, people, largeMessages = new LargeMessageQueue(), onlyIfRefused = false } = parts;
    this.#largeMessages = largeMessages;
    this.#isOpen = onlyIfRefused;
    this.name = server.name;
    this.calls = server.calls;
    this.sharePerCaller = server.sharePerCaller;
    this.timeout = server.timeout;
    this.#server = server;
    this.#tokens = tokens;
    this.#people = people;
  }

  /** A 401 is about the gateway's credentials. The client would take it for its own, so it gets another error. */
  async ask(exchange: Exchange): Promise<UpstreamAnswer> {
    const { caller, frame } = exchange;
    const [token, own] = await Promise.all([this.#tokens?.find(caller), this.#ownOf(exchange)]);
    const credentials = {
      ...(typeof own === 'object' && own.headers),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const id = frame && isFrameId(frame.id) ? frame.id : null;
    const raw = await this.#send(exchange, credentials);
    const answer = keepCredentials(raw, { ...this.#server.headers, ...credentials }, id);
    if (answer.status !== 401) return answer;
    if (!answer.isStream) await answer.text().catch(() => {}); // frees the connection
    if (this.#people && own === undefined) {
      this.#isOpen = false;
      return this.ask(exchange);
    }
    if (own && this.#people)
      throw await (typeof own === 'string'
        ? this.#people.ask(caller, own)
        : this.#people.refuse(caller, own.credential));
    if (token !== undefined) await this.#tokens?.forget(caller, token);
    return refusal(502, id, unauthorized);
  }

  async admit(caller: Caller): Promise<void> {
    await this.#people?.require(caller);
  }

  /** Credentials of the person. Judged calls need them; a client connects and lists without them, if the server allows it. */
  async #ownOf({ caller, frame }: Exchange): Promise<PersonHeaders | Lack | undefined> {
    if (this.#isOpen) return undefined;
    const isOpen = frame === undefined || openMethods.test(String(frame.method));
    return isOpen ? this.#people?.find(caller) : this.#people?.require(caller);
  }

  async #send(
    { method, headers, frame, more, signal, reservation }: Exchange,
    credentials: Record<string, string>,
  ): Promise<UpstreamAnswer> {
    const { url, size, isOwn = false } = this.#server;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.timeout);
    const either = AbortSignal.any([signal, late.signal]);
    const body = frame && { body: textOfFrame(frame) };
    try {
      const sent = { ...more, ...this.#headersFor(headers, frame !== undefined), ...credentials };
      const { response, host } = await followOwn(url, {
        method,
        headers: sent,
        ...body,
        redirect: 'manual',
        signal: either,
      });
      const id = frame && isFrameId(frame.id) ? frame.id : null;
      if (host !== null) return await refuseAnswer(response, id, elsewhere(host));
      if (frame?.method === 'initialize' && takesNoPost(response))
        return await refuseAnswer(response, id, legacy(response.status));
      const isAnswered = frame === undefined || (frame.method !== undefined && id !== null);
      if (!isAnswered && response.ok) return await withoutBody(response);
      return answerOf(response, { size, queue: this.#largeMessages, reservation, isOwn });
    } catch (cause) {
      signal.throwIfAborted();
      throw new NoAnswer(cause);
    } finally {
      clearTimeout(timer);
    }
  }

  async lossOf(): Promise<null> {
    return null;
  }

  /** No-op: nothing of the server runs here. */
  async close(): Promise<void> {}

  #headersFor(headers: IncomingHttpHeaders, hasBody: boolean): Record<string, string> {
    const { isOwn = false } = this.#server;
    const passed = Object.entries(headers).filter(([name, value]) => {
      return typeof value === 'string' && (passedOn.test(name) || (isOwn && passedOnToItself.test(name)));
    });
    return {
      ...(Object.fromEntries(passed) as Record<string, string>),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...this.#server.headers,
    };
  }
}

interface Reading {
  /** Limit of one message in characters. */
  size: number;
  queue: LargeMessageQueue;
  reservation: AnswerReservation | null;
  /** The answer is from the gateway itself, which has reserved room there: to wait for more could be for ever. */
  isOwn: boolean;
}

/** An answer over HTTP, without messages longer than allowed. */
function answerOf(response: Response, reading: Reading): UpstreamAnswer {
  const { status, headers, ok } = response;
  const isStream = ok && headers.get('content-type')?.startsWith('text/event-stream') === true;
  return isStream
    ? { status, headers, isStream, events: () => eventsOf(response, reading) }
    : { status, headers, isStream, text: () => textOf(response, reading) };
}

/** The reservation of one message. */
class ReservedMessage {
  readonly #reading: Reading;
  #taken = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async growTo(length: number): Promise<void> {
    const { size, reservation, isOwn } = this.#reading;
    if (isOwn) reservation?.add(length - this.#taken);
    if (isOwn) this.#taken = length;
    if (this.#taken > 0 || length <= large) return;
    await reservation?.grow(size);
    this.#taken = size;
  }

  /** Reduces the reservation to this length. */
  shrinkTo(length: number): void {
    if (length >= this.#taken) return;
    this.#reading.reservation?.shrink(this.#taken - length);
    this.#taken = length;
  }
}

async function textOf(response: Response, reading: Reading): Promise<string> {
  const { size, queue } = reading;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const message = new ReservedMessage(reading);
  let text = '';
  for await (const chunk of bytesOf(response)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > size) throw tooLong(size);
    await message.growTo(text.length);
  }
  message.shrinkTo(text.length);
  await queue.waitTurn(text.length);
  return text + decoder.decode();
}

async function* eventsOf(response: Response, reading: Reading): AsyncGenerator<UpstreamEvent> {
  const { size, queue } = reading;
  const events: EventSourceMessage[] = [];
  let isTooLong = false;
  let retry: number | undefined;
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    onRetry: (milliseconds) => void (retry = milliseconds),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
    maxBufferSize: size,
  });
  const decoder = new TextDecoder('utf-8');
  const message = new ReservedMessage(reading);
  let unread = 0;
  for await (const chunk of bytesOf(response)) {
    const text = decoder.decode(chunk, { stream: true });
    unread += text.length;
    parser.feed(text);
    for (const { data, id } of events.splice(0)) {
      unread = 0;
      message.shrinkTo(data.length);
      await queue.waitTurn(data.length);
      yield { id, retry, message: data.trim() === '' ? null : await readUpstreamInTurns(data) };
      message.shrinkTo(0); // the client has taken it
    }
    if (isTooLong) throw tooLong(size);
    await message.growTo(unread);
  }
}

/** Bytes of the body; ends the exchange when the reader stops. */
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

const redirects = new Set([301, 302, 303, 307, 308]);
const elsewhere = (host: string): string =>
  `Ask the operator: the server answers at another address (${host}), and no redirect there is followed.`;
const legacy = (status: number): string =>
  `Ask the operator: the server takes no POST here (${status}). If it speaks HTTP+SSE, the transport of 2024, give the address of its Streamable HTTP; that is often /mcp instead of /sse.`;

/** Does an address of HTTP+SSE refuse a POST? An MCP server refuses `initialize` in JSON, which is passed on. */
const takesNoPost = ({ status, headers }: Response): boolean =>
  (status === 404 || status === 405) && !/^application\/json\b/i.test(headers.get('content-type') ?? '');
/** Redirects that keep method and body. */
const keepsMethod = new Set([307, 308]);
const maxRedirects = 3;

/** The answer, also after redirects within the server's own origin; the host of any other redirect. */
async function followOwn(url: string, init: RequestInit): Promise<{ response: Response; host: string | null }> {
  let at = url;
  for (let followed = 0; ; followed += 1) {
    const response = await fetch(at, init);
    if (!redirects.has(response.status)) return { response, host: null };
    const location = response.headers.get('location') ?? '';
    const next = URL.canParse(location, at) ? new URL(location, at) : null;
    const isOwn = next !== null && next.origin === new URL(url).origin && keepsMethod.has(response.status);
    if (!isOwn || followed === maxRedirects) return { response, host: next?.host ?? 'unreadable' };
    await response.body?.cancel();
    at = next.href;
  }
}

async function refuseAnswer(response: Response, id: FrameId | null, sentence: string): Promise<UpstreamAnswer> {
  await response.body?.cancel();
  return refusal(502, id, sentence);
}

/** Drops the body of an answer to a notification or an answer. */
async function withoutBody(response: Response): Promise<UpstreamAnswer> {
  await response.body?.cancel();
  const headers = new Headers(response.headers);
  headers.delete('content-type');
  return { status: response.status, headers, isStream: false, text: async () => '' };
}
const unauthorized = 'Ask the operator: the server does not take the credentials of the gateway. Nothing was run.';

const tooLong = (size: number): Problem =>
  new Problem('unavailable', {
    detail: `The server's answer is not passed on: it is longer than ${size} characters.`,
  });
