import { Readable } from 'node:stream';
import { Problem, type ProblemCode } from '#platform/model/problem';
import {
  errorFrame,
  textOfFrame,
  rpcError,
  rpcCodes,
  type FrameId,
  RpcFault,
  type Frame,
  LargeMessageQueue,
} from '../frames/frame.ts';
import { type UpstreamLine, readUpstreamInTurns } from '../frames/reading.ts';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller } from '../identity/caller.ts';
import { SharedAmount } from '../identity/limits.ts';

/** Messages of a process on their way to one client, in order. */
export class MessageStream implements StreamAnswer {
  readonly status = 200;
  readonly isStream = true;
  readonly headers: Headers;
  readonly #messages = new Readable({ objectMode: true, read() {} });
  readonly #limit: number;
  readonly #reservation: AnswerReservation | null;
  #waiting = 0;

  /** `limit`: most characters that wait for a client that does not read. They count for `reservation`. */
  constructor(limit: number, reservation: AnswerReservation | null, headers: Record<string, string> = {}) {
    this.#limit = limit;
    this.#reservation = reservation;
    this.headers = new Headers(headers);
    this.#messages.on('error', () => {}); // its reader sees it
  }

  /** Characters that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  push(message: UpstreamLine): void {
    this.#waiting += lengthOf(message);
    this.#reservation?.add(lengthOf(message));
    if (this.#waiting <= this.#limit) this.#messages.push(message);
    else this.fail(new Problem('unavailable', { detail: 'Read faster: more messages wait than the gateway keeps.' }));
  }

  /** Ends the stream. */
  end(): void {
    this.#messages.push(null);
  }

  /** Drops waiting messages, and gives the reader this error. */
  fail(error: Error): void {
    this.#messages.destroy(error);
  }

  async *events(): AsyncGenerator<UpstreamEvent> {
    for await (const message of this.#messages as AsyncIterable<UpstreamLine>) {
      this.#waiting -= lengthOf(message);
      yield { message };
      this.#reservation?.shrink(lengthOf(message)); // the client has taken it
    }
  }
}

const lengthOf = (message: UpstreamLine): number => ('text' in message ? message.text.length : 0);

/** An answer without a message. */
export const emptyAnswer = (status: number): TextAnswer => ({
  status,
  headers: new Headers(),
  isStream: false,
  text: async () => '',
});

/** An answer that tells what to do instead. */
export function refusal(
  status: number,
  id: FrameId | null,
  sentence: string,
  headers: Record<string, string> = {},
): TextAnswer {
  const [code, problem] = faultOf(status);
  return {
    status,
    headers: new Headers({ 'content-type': 'application/json', ...headers }),
    isStream: false,
    text: async () => textOfFrame(errorFrame(id, rpcError(code, problem, sentence))),
  };
}

function faultOf(status: number): [code: number, problem: ProblemCode] {
  if (status === 429) return [rpcCodes.internal, 'rate-limited'];
  return status >= 500 ? [rpcCodes.internal, 'unavailable'] : [rpcCodes.invalidRequest, 'INVALID_INPUT'];
}

/** An MCP server behind the gateway, over any transport: one request of HTTP becomes one answer. */
export interface Upstream {
  readonly name: string;
  /** Limit of calls held or run at a time. */
  readonly calls: number;
  /** Share of it that one caller may take. */
  readonly sharePerCaller: number;
  /** Time until it must begin to answer, in milliseconds. */
  readonly timeout: number;
  /** One server serves everyone; otherwise each person, or each session, has its own process. */
  readonly isShared: boolean;
  /** The answer, as soon as it begins; rejects with `NoAnswer`, or with the signal's reason. */
  ask(exchange: Exchange): Promise<UpstreamAnswer>;
  /** Rejects with the error to answer if this person cannot be served; awaited before anything of a call begins. */
  admit?(caller: Caller): Promise<void>;
  /** Aborts when the session of these headers is lost, if the upstream runs here and can notice that. */
  lossOf(headers: IncomingHttpHeaders): Promise<AbortSignal | null>;
  /** Resolves when all of it on this machine has ended. */
  close(): Promise<void>;
}

export interface Exchange {
  method: 'POST' | 'GET' | 'DELETE';
  /** Caller of the request. */
  caller: Caller;
  /** Headers of the client's request. */
  headers: IncomingHttpHeaders;
  /** The posted message. */
  frame?: Frame;
  /** Further headers for the upstream. */
  more?: Record<string, string>;
  signal: AbortSignal;
  /** Reservation for the answer; null for a request of the gateway itself. */
  reservation: AnswerReservation | null;
}

interface AnswerHead {
  status: number;
  headers: Headers;
}

export interface StreamAnswer extends AnswerHead {
  isStream: true;
  events(): AsyncGenerator<UpstreamEvent>;
}

interface TextAnswer extends AnswerHead {
  isStream: false;
  text(): Promise<string>;
}

export type UpstreamAnswer = StreamAnswer | TextAnswer;

export interface UpstreamEvent {
  /** Null in an event that only names the place to resume. */
  message: UpstreamLine | null;
  id?: string | undefined;
  /** Milliseconds after which the client is to come back, if the stream ends. */
  retry?: number | undefined;
}

/** Bytes of one message, in either direction. */
export const maxMessageBytes = 32 * 1024 * 1024;

/** The messages of an answer: of a stream one by one, else the one in its text. */
export async function* messagesOf(answer: UpstreamAnswer): AsyncGenerator<UpstreamEvent> {
  if (answer.isStream) return yield* answer.events();
  const text = await answer.text();
  if (text.trim() !== '') yield { message: await readUpstreamInTurns(text) };
}

export const isOk = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300;

/** The session of the client's request; undefined if it belongs to none. */
export function sessionOf({ 'mcp-session-id': id }: IncomingHttpHeaders): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The upstream did not answer. */
export class NoAnswer extends Problem {
  /** The upstream was never given the request. */
  readonly isUnsent: boolean;

  constructor(cause: unknown) {
    super('unavailable', { detail: 'Try again later: the server cannot be reached.', cause });
    const { code } = (cause as { cause?: { code?: string } }).cause ?? {};
    this.isUnsent = code !== undefined && unsent.has(code);
  }
}

const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The upstream refused the request itself, such as for an unknown session. */
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

  static async of(answer: UpstreamAnswer): Promise<UpstreamRefusal> {
    const type = answer.headers.get('content-type') ?? 'text/plain';
    return new UpstreamRefusal(answer.status, answer.isStream ? '' : await answer.text(), type);
  }
}

/** Acts when this response is closed; at once if its client has already left, because no event follows. */
export function onceClosed(response: ServerResponse, act: () => void): void {
  if (response.destroyed) act();
  else response.once('close', act);
}

/** Room taken by the answer to one client. */
export interface AnswerReservation {
  /** Resolves when this much more may be read; problem `rate-limited` if there is no room in time, or its client has gone. */
  grow(size: number): Promise<void>;
  /** Counts data already here; others wait until there is room again. */
  add(size: number): void;
  shrink(size: number): void;
  /** Frees the room after its client has taken the answer, or has gone. */
  release(): void;
}

interface Waiter {
  caller: string;
  size: number;
  admit(): void;
  refuse(): void;
}

type NewWaiter = Pick<Waiter, 'caller' | 'size'> & { patienceMs: number | null; count(): void };

/** Size in characters from which a message reserves all its possible room before more of it is read. */
export const large = 256 * 1024;

/** Milliseconds that a large answer waits for room before it fails. */
const waitTimeoutMs = 30_000;

/**
 * Large answers that are read but not yet taken by their clients. An answer without room waits unread, so that the memory of
 * the process does not grow with its callers. One caller has no more than a part.
 */
export class AnswerBudget {
  /** Queue for one large message at a time, of any server. */
  readonly largeMessages = new LargeMessageQueue();
  readonly #used: SharedAmount;
  readonly #waiting = new Set<Waiter>();

  constructor(limits: { all: number; each: number }) {
    this.#used = new SharedAmount(limits);
  }

  /** `patienceMs`: longest wait for room; null for no limit. */
  reserve(caller: string, patienceMs: number | null = waitTimeoutMs): AnswerReservation {
    let own = 0;
    const waiters = new Set<Waiter>();
    let isOver = false;
    const shrink = (size: number): void => {
      const amount = Math.min(size, own);
      own -= amount;
      this.#used.add(caller, -amount);
      this.#admit();
    };
    return {
      shrink,
      add: (size) => {
        if (isOver) return;
        own += size;
        this.#used.add(caller, size);
      },
      grow: async (size) => {
        if (isOver) throw crowded();
        // Counted as soon as it is admitted, so that a client that leaves at that moment gives it back.
        await this.#place({ caller, size, patienceMs, count: () => void (own += size) }, waiters);
      },
      release: () => {
        isOver = true;
        for (const waiter of waiters) waiter.refuse();
        shrink(own);
      },
    };
  }

  /** Reserves room for this response, until it is closed. */
  reserveFor(caller: string, response: ServerResponse): AnswerReservation {
    const reservation = this.reserve(caller);
    onceClosed(response, () => reservation.release());
    return reservation;
  }

  #place({ count, patienceMs, ...share }: NewWaiter, own: Set<Waiter>): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        own.delete(waiter);
        settle();
      };
      const refuse = (): void => end(() => reject(crowded()));
      const admit = (): void => {
        count();
        end(resolve);
      };
      const waiter: Waiter = { ...share, refuse, admit };
      const timer = patienceMs === null ? undefined : setTimeout(refuse, patienceMs).unref();
      this.#waiting.add(waiter);
      own.add(waiter);
      this.#admit();
    });
  }

  /** Admits waiters in order of arrival, except those whose caller has its full part. */
  #admit(): void {
    for (const waiter of this.#waiting) {
      const { caller, size } = waiter;
      if (!this.#used.isLeftFor(caller, size)) continue;
      if (!this.#used.isLeft(size)) return;
      this.#used.add(caller, size);
      waiter.admit();
    }
  }
}

const crowded = (): Problem =>
  new Problem('rate-limited', {
    detail: 'Try again later, or ask for less: too many large answers wait for their clients.',
  });
