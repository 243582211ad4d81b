import { setMaxListeners } from 'node:events';
import { Problem } from '#platform/model/problem/problem';
import {
  errorFrame,
  idInUse,
  isFrameId,
  lineOf,
  textOfFrame,
  rpcCodes,
  rpcError,
  type Frame,
  type FrameId,
} from '../../frames/frame/frame.ts';
import { LineReader } from '../../frames/frame/line-reader.ts';
import { readUpstreamInTurns, type UpstreamLine } from '../../frames/reading/read-upstream.ts';
import { large, type AnswerBudget, type AnswerReservation } from '../upstream/answer-budget.ts';
import { emptyAnswer, MessageStream, refusal } from '../upstream/message-stream.ts';
import { OpenRequests, type OpenRequest } from './open-requests.ts';
import { readOutput } from './read-output.ts';
import type { ServerProcess } from './server-process.ts';
import type { Exchange, UpstreamAnswer } from '../upstream/upstream.ts';

export interface SessionLimits {
  /** Milliseconds until the process says its first word. */
  timeout: number;
  /** Milliseconds after which a process that no one uses is ended. */
  idle: number;
  /** Bytes of one message, and characters that wait for a client. */
  size: number;
}

/** A message that can be read. */
type Told = Extract<UpstreamLine, { frame: Frame }>;

interface SessionParts {
  /** It serves requests without sessions, of one person. */
  isShared: boolean;
  /** Who that is, or whose session it is. */
  caller: string;
  limits: SessionLimits;
  answers: AnswerBudget;
  warn(sentence: string): void;
}

/** Messages that are kept until a client listens, if they are not large; what comes after them is lost. */
const maxKept = 1_000;

/**
 * One process, and the client it was started for; or, if it is shared, all clients without sessions. What the process
 * says goes to the request it names, else to the client's listening stream, else to its latest request.
 */
export class StdioSession {
  /** Resolves with the exit code when it has ended. */
  readonly ended: Promise<number>;
  readonly #process: ServerProcess;
  readonly #lost = new AbortController();
  readonly #stopping = new AbortController();
  readonly #isShared: boolean;
  readonly #limits: SessionLimits;
  readonly #warn: (sentence: string) => void;
  readonly #requests: OpenRequests;
  #listening: MessageStream | null = null;
  #kept: Told[] = [];
  #timer: NodeJS.Timeout;
  #isSilent = true;
  #isGone = false;

  constructor(process: ServerProcess, { isShared, caller, limits, answers, warn }: SessionParts) {
    setMaxListeners(0, this.#lost.signal); // each held call listens
    this.#process = process;
    this.#isShared = isShared;
    this.#limits = limits;
    this.#warn = warn;
    this.#requests = new OpenRequests(isShared);
    const reading = readOutput(process.stdout, {
      caller,
      answers,
      size: limits.size,
      ended: this.#stopping.signal,
      isBehind: () => this.#isBehind,
      onLine: (line) => this.#take(line),
      onTooLong: () => this.#tooLong(),
    }).catch(() => {}); // it ends, which shows by itself
    const errors = new LineReader(limits.size, { onLine: (line) => warn(line.toString()), onTooLong: () => {} });
    process.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    this.#timer = setTimeout(() => this.#tooSilent(), limits.timeout).unref();
    this.ended = reading.then(() => process.ended).finally(() => this.#lose());
  }

  get #isBehind(): boolean {
    return [this.#listening, ...this.#requests.streams].some((stream) => stream !== null && stream.waiting > large);
  }

  /** False if it has ended, or was told to. */
  get isUsable(): boolean {
    return !this.isStopping && !this.#isGone;
  }

  /** Aborts when it has ended. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** True if it ends because it was told to. */
  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** What the process, or the gateway for it, answers to one request of HTTP. */
  ask(exchange: Exchange, headers?: Record<string, string>): UpstreamAnswer {
    const { method, frame } = exchange;
    if (method === 'DELETE') void this.stop();
    if (method === 'DELETE') return emptyAnswer(200);
    if (!frame) return this.#listen(exchange);
    const id = isFrameId(frame.id) ? frame.id : null;
    if (this.#process.stdin.writableLength > this.#limits.size) return refusal(503, id, slowReader);
    if (frame.method !== undefined && id !== null) return this.#open(frame, id, exchange, headers);
    // Ids without a session are not those that the process has.
    if (!this.#isShared) this.#write(frame);
    this.#rest();
    return emptyAnswer(202);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#process.stop();
  }

  #open(
    frame: Frame,
    id: FrameId,
    { signal, reservation }: Exchange,
    headers?: Record<string, string>,
  ): UpstreamAnswer {
    const stream = this.#newStream(reservation, headers);
    const opened = this.#requests.open(frame, stream);
    if (!opened) return refusal(400, id, idInUse.message);
    signal.addEventListener('abort', () => this.#leave(opened.request, signal.reason), { once: true });
    this.#write(opened.sent);
    this.#rest();
    return stream;
  }

  #listen({ signal, reservation }: Exchange): UpstreamAnswer {
    if (this.#listening) return refusal(409, null, 'Use the stream that is open: a session has one.');
    const stream = this.#newStream(reservation);
    this.#listening = stream;
    signal.addEventListener('abort', () => {
      stream.fail(new Problem('not-now', { cause: signal.reason }));
      this.#listening = null;
      this.#rest();
    });
    this.#rest();
    return stream;
  }

  /** It begins with what was said when no one listened. */
  #newStream(reservation: AnswerReservation | null, headers?: Record<string, string>): MessageStream {
    const stream = new MessageStream(this.#limits.size, reservation, headers);
    for (const message of this.#kept.splice(0)) stream.push(message);
    return stream;
  }

  /** Without a session the end of the stream cancels the request (2026-07-28); before, the process runs on. */
  #leave(request: OpenRequest, reason: unknown): void {
    if (!this.#requests.close(request)) return;
    request.stream.fail(new Problem('not-now', { cause: reason }));
    const params = { requestId: request.sentId };
    if (this.#isShared) this.#write({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    this.#rest();
  }

  #write(frame: Frame): void {
    this.#process.stdin.write(lineOf(frame));
  }

  async #take(line: Buffer): Promise<void> {
    this.#isSilent = false;
    if (line.length === 0) return;
    const message = await readUpstreamInTurns(line);
    if ('fault' in message) this.#takeFault(message.fault, message.id);
    else await this.#takeMessage(message);
    this.#rest();
  }

  async #takeMessage(message: Told): Promise<void> {
    const { frame } = message;
    const request = this.#requests.named(frame);
    if (!request) return this.#tell(message);
    const restored = await this.#requests.restore(message, request);
    if (this.#requests.of(request.sentId) !== request) return; // its client has left meanwhile
    request.stream.push(restored);
    if (frame.method === undefined) this.#finish(request);
  }

  /** What names no request is for the client, if it is clear which one that is. */
  #tell(message: Told): void {
    const { method, id } = message.frame;
    if (method === undefined) return; // the client of this request has left
    if (this.#isShared) {
      const isOwn = this.#requests.size === 1 && id === undefined && method !== 'notifications/progress';
      if (isOwn) this.#requests.latest?.stream.push(message);
      return;
    }
    const stream = this.#listening ?? this.#requests.latest?.stream;
    if (stream) return stream.push(message);
    this.#keep(message);
  }

  #keep(message: Told): void {
    const size = this.#kept.reduce((sum, { text }) => sum + text.length, message.text.length);
    if (this.#kept.length < maxKept && size <= large) this.#kept.push(message);
  }

  #takeFault(fault: string, id: FrameId | null): void {
    const request = this.#requests.of(id);
    if (!request) return this.#warn(`A message is dropped: ${fault}`);
    request.stream.push({ fault, id: request.id });
    this.#finish(request);
  }

  #finish(request: OpenRequest): void {
    this.#requests.close(request);
    request.stream.end();
  }

  /** The process has gone: the outcome of calls is unknown, and everything else can be asked again. */
  #lose(): void {
    this.#isGone = true;
    clearTimeout(this.#timer);
    for (const { method, id, stream } of this.#requests.takeAll()) {
      if (method === 'tools/call') {
        stream.fail(new Problem('outcome-unknown'));
        continue;
      }
      const frame = errorFrame(id, rpcError(rpcCodes.internal, 'unavailable', 'Connect again: the server has ended.'));
      stream.push({ frame, text: textOfFrame(frame), isOwn: true });
      stream.end();
    }
    this.#listening?.end();
    this.#lost.abort();
  }

  /** Ends it after a while in which no one waits for it. */
  #rest(): void {
    if (this.#isSilent) return; // until its first word it has less time
    clearTimeout(this.#timer);
    const isUsed = this.#requests.size > 0 || this.#listening !== null;
    if (!isUsed) this.#timer = setTimeout(() => void this.stop(), this.#limits.idle).unref();
  }

  #tooSilent(): void {
    this.#warn(`It has said nothing in ${this.#limits.timeout / 1_000} seconds, so it is ended.`);
    void this.#process.stop();
  }

  /** Whose answer that was can not be known. */
  #tooLong(): void {
    this.#warn(`It sent a message of more than ${this.#limits.size} bytes, so it is ended.`);
    void this.#process.stop();
  }
}

const slowReader = 'Try again later: the server does not read what it was sent.';
