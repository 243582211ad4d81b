import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#platform/model/problem';
import {
  isObject,
  metaKey,
  metaOf,
  paramsOf,
  progressTokenOf,
  type Frame,
  type FrameId,
  textInTurns,
  LineReader,
  errorFrame,
  idInUse,
  isFrameId,
  lineOf,
  textOfFrame,
  rpcCodes,
  rpcError,
  isModern,
} from '../frames/frame.ts';
import {
  MessageStream,
  large,
  type AnswerBudget,
  type AnswerReservation,
  emptyAnswer,
  refusal,
  type Exchange,
  type UpstreamAnswer,
  sessionOf,
  type Upstream,
} from './upstream.ts';
import { readUpstreamInTurns, type UpstreamLine } from '../frames/reading.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import { randomHex } from '#sdk/client/digest';
import { CallerLimiter, shareOf } from '../identity/limits.ts';
import { principalKey, type Caller } from '../identity/caller.ts';

interface ServerCommand {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A server that runs as a child of this process and speaks over its standard streams. */
export interface ServerProcess extends Pick<Child, 'stdin' | 'stdout' | 'stderr'> {
  /** Resolves with the exit code when it has ended and all its output is read. */
  ended: Promise<number>;
  /** Ends its input; if it does not stop, sends signals. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Milliseconds it has to stop after its input has ended, and after each signal. */
const grace = 1_500;

/** Starts the server; problem `config-invalid` if there is no such command. */
export async function startProcess({ command, args, env }: ServerCommand): Promise<ServerProcess> {
  const isGroup = process.platform !== 'win32';
  // A group of its own: programs that npx and the like start end with it, and Ctrl-C reaches the server through us.
  const child: Child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: isGroup });
  // Kept until it is read: Node.js discards unread output of a process that has ended.
  const [stdout, stderr] = [child.stdout.pipe(new PassThrough()), child.stderr.pipe(new PassThrough())];
  const isRead = Promise.allSettled([finished(stdout), finished(stderr)]);
  const closed = once(child, 'close').then(([code]) => isRead.then(() => (typeof code === 'number' ? code : 1)));
  closed.catch(() => {});
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new Problem('config-invalid', { detail: `Check the command: ${command} cannot be started.`, cause });
  }
  child.stdin.on('error', () => {}); // it has ended, which is noticed elsewhere
  const { stdin } = child;
  return { stdin, stdout, stderr, ended: closed, stop: () => stop(child, closed, isGroup) };
}

async function stop(child: Child, closed: Promise<number>, isGroup: boolean): Promise<void> {
  child.stdin.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await isOver(closed)) return;
    signalTo(child, signal, isGroup);
  }
  await isOver(closed);
}

async function isOver(closed: Promise<number>): Promise<boolean> {
  const waiting = new AbortController();
  const tired = sleep(grace, false, waiting).catch(() => false);
  const isClosed = await Promise.race([closed.then(() => true), tired]);
  waiting.abort();
  return isClosed;
}

function signalTo({ pid = 0 }: Child, signal: NodeJS.Signals, isGroup: boolean): void {
  try {
    process.kill(isGroup ? -pid : pid, signal);
  } catch {
    // it has ended meanwhile
  }
}

/** A request without an answer of the process. */
export interface OpenRequest {
  method: unknown;
  stream: MessageStream;
  /** Id from the client. */
  id: FrameId;
  token: FrameId | undefined;
  /** Id for the process. */
  sentId: FrameId;
  sentToken: FrameId | undefined;
}

/** A message of a process. */
interface Message {
  frame: Frame;
  text: string;
}

const subscription = metaKey('subscriptionId');

/**
 * Open requests of one process. If several clients share it, it gets numbers in place of their ids and progress tokens, and its
 * messages get them back.
 */
class OpenRequests {
  readonly #isShared: boolean;
  readonly #byId = new Map<FrameId, OpenRequest>();
  readonly #byToken = new Map<FrameId, OpenRequest>();
  #count = 0;

  constructor(isShared: boolean) {
    this.#isShared = isShared;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The latest opened request. */
  get latest(): OpenRequest | undefined {
    return [...this.#byId.values()].at(-1);
  }

  /** Streams that wait for an answer of the process. */
  get streams(): MessageStream[] {
    return [...this.#byId.values()].map(({ stream }) => stream);
  }

  /** Ends all requests, none of which will be answered. */
  takeAll(): OpenRequest[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    this.#byToken.clear();
    return all;
  }

  /** The request, and the frame for the process; null if its id is in use. */
  open(frame: Frame, stream: MessageStream): { request: OpenRequest; sent: Frame } | null {
    const id = frame.id as FrameId;
    const token = progressTokenOf(frame);
    const number = (this.#count += 1);
    const sentId = this.#isShared ? number : id;
    if (this.#byId.has(sentId)) return null;
    const sentToken = this.#isShared && token !== undefined ? number : token;
    const request = { method: frame.method, stream, id, token, sentId, sentToken };
    this.#byId.set(sentId, request);
    if (sentToken !== undefined) this.#byToken.set(sentToken, request);
    return { request, sent: this.#isShared ? renamed(frame, sentId, sentToken) : frame };
  }

  /** False if the request is no longer open. */
  close({ sentId, sentToken }: OpenRequest): boolean {
    if (sentToken !== undefined) this.#byToken.delete(sentToken);
    return this.#byId.delete(sentId);
  }

  /** The open request of this id, as the process knows it. */
  of(id: unknown): OpenRequest | undefined {
    return this.#byId.get(id as FrameId);
  }

  /** The request that a message names: by its answer, its progress or its subscription. */
  named(frame: Frame): OpenRequest | undefined {
    if (frame.method === undefined) return this.of(frame.id);
    if (frame.method === 'notifications/progress') {
      return this.#byToken.get(paramsOf(frame)['progressToken'] as FrameId);
    }
    return this.of(metaOf(frame)[subscription]);
  }

  /** The message as the client of this request reads it. */
  async restore(message: Message, request: OpenRequest): Promise<Message> {
    if (!this.#isShared) return message;
    const frame = restored(message.frame, request);
    return { frame, text: await textInTurns(frame) };
  }
}

function renamed(frame: Frame, id: FrameId, progressToken: FrameId | undefined): Frame {
  if (progressToken === undefined) return { ...frame, id };
  return { ...frame, id, params: { ...paramsOf(frame), _meta: { ...metaOf(frame), progressToken } } };
}

function restored(frame: Frame, { id, token }: OpenRequest): Frame {
  const { result } = frame;
  if (frame.method === undefined)
    return { ...frame, id, ...(isObject(result) && { result: withSubscription(result, id) }) };
  if (frame.method === 'notifications/progress')
    return { ...frame, params: { ...paramsOf(frame), progressToken: token } };
  return { ...frame, params: withSubscription(paramsOf(frame), id) };
}

/** Restores the id in a message of a subscription: `subscriptions/listen` gives its id to its messages. */
function withSubscription(part: Record<string, unknown>, id: FrameId): Record<string, unknown> {
  const { _meta: meta } = part;
  return isObject(meta) && meta[subscription] !== undefined
    ? { ...part, _meta: { ...meta, [subscription]: id } }
    : part;
}

interface Output {
  /** Caller whose room the output takes. */
  caller: string;
  answers: AnswerBudget;
  /** Limit of one message in bytes. */
  size: number;
  /** Aborts when nothing must wait for room any longer. */
  ended: AbortSignal;
  /** Do its clients have much unread output? */
  isBehind(): boolean;
  onLine(line: Buffer): Promise<void>;
  onTooLong(): void;
}

/**
 * Reads the output of a process only as far as there is room: a large message takes room before more of it is read, and
 * `onLine` must count the messages it passes on. The call of the next answer is unknown until it is read, so nothing is dropped
 * and the process waits.
 */
async function readOutput(stdout: Readable, { answers, size, ended, isBehind, ...output }: Output): Promise<void> {
  const reservation = answers.reserve(output.caller, null);
  ended.addEventListener('abort', () => reservation.release(), { once: true });
  const lines: Buffer[] = [];
  const reader = new LineReader(size, { onLine: (line) => lines.push(line), onTooLong: output.onTooLong });
  let reserved = 0;
  const reserve = async (more: number): Promise<void> => {
    await reservation.grow(more).catch(() => {}); // it ends
    reserved += more;
  };
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    reader.push(chunk);
    for (const line of lines.splice(0)) {
      await answers.largeMessages.waitTurn(line.length);
      await output.onLine(line);
      reservation.shrink(reserved);
      reserved = 0;
    }
    if (reader.unread > large && reserved === 0) await reserve(size);
    else if (isBehind()) await reserve(0);
  }
  reservation.release();
}

export interface SessionLimits {
  /** Time until the process must send its first message, in milliseconds. */
  timeout: number;
  /** Idle time after which a process is ended, in milliseconds. */
  idle: number;
  /** Limit of one message in bytes, and of characters waiting for a client. */
  size: number;
}

/** A readable message. */
type Told = Extract<UpstreamLine, { frame: Frame }>;

interface SessionParts {
  /** Does it serve requests without sessions, of one person? */
  isShared: boolean;
  /** The person whose requests it serves, or the owner of the session. */
  caller: string;
  limits: SessionLimits;
  answers: AnswerBudget;
  warn(sentence: string): void;
}

/** Limit of small messages kept until a client listens; later ones are lost. */
const maxKept = 1_000;

/**
 * One process, and its client; or, if it is shared, all clients without sessions. A message of the process goes to the request
 * it names, else to the client's listening stream, else to its latest request.
 */
class StdioSession {
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
    }).catch(() => {}); // it ends, which is noticed elsewhere
    const errors = new LineReader(limits.size, { onLine: (line) => warn(line.toString()), onTooLong: () => {} });
    process.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    this.#timer = setTimeout(() => this.#tooSilent(), limits.timeout).unref();
    this.ended = reading.then(() => process.ended).finally(() => this.#lose());
  }

  get #isBehind(): boolean {
    return [this.#listening, ...this.#requests.streams].some((stream) => stream !== null && stream.waiting > large);
  }

  /** False if it has ended, or was told to end. */
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

  /** Answer of the process, or of the gateway for it, to one request of HTTP. */
  ask(exchange: Exchange, headers?: Record<string, string>): UpstreamAnswer {
    const { method, frame } = exchange;
    if (method === 'DELETE') void this.stop();
    if (method === 'DELETE') return emptyAnswer(200);
    if (!frame) return this.#listen(exchange);
    const id = isFrameId(frame.id) ? frame.id : null;
    if (this.#process.stdin.writableLength > this.#limits.size) return refusal(503, id, slowReader);
    if (frame.method !== undefined && id !== null) return this.#open(frame, id, exchange, headers);
    // The process does not know ids of clients without a session.
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

  /** A stream that begins with the messages kept while no client listened. */
  #newStream(reservation: AnswerReservation | null, headers?: Record<string, string>): MessageStream {
    const stream = new MessageStream(this.#limits.size, reservation, headers);
    for (const message of this.#kept.splice(0)) stream.push(message);
    return stream;
  }

  /** Handles a closed stream. Without a session it cancels the request (2026-07-28); before, the process runs on. */
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

  /** Sends a message without a request to the client, if only one comes into question. */
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

  /** Handles the end of the process: the outcome of calls is unknown, and other requests can be repeated. */
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

  /** Ends the process after an idle time. */
  #rest(): void {
    if (this.#isSilent) return; // until its first message it has less time
    clearTimeout(this.#timer);
    const isUsed = this.#requests.size > 0 || this.#listening !== null;
    if (!isUsed) this.#timer = setTimeout(() => void this.stop(), this.#limits.idle).unref();
  }

  #tooSilent(): void {
    this.#warn(`It has said nothing in ${this.#limits.timeout / 1_000} seconds, so it is ended.`);
    void this.#process.stop();
  }

  /** Ends the process after a too long message, because its request is unknown. */
  #tooLong(): void {
    this.#warn(`It sent a message of more than ${this.#limits.size} bytes, so it is ended.`);
    void this.#process.stop();
  }
}

const slowReader = 'Try again later: the server does not read what it was sent.';

/** Shortest life of a healthy process, in milliseconds. */
const shortLife = 10_000;
const firstPause = 1_000;
const maxPauseMs = 60_000;

/** Next allowed start of a command: each time that its process ends early by itself, the pause doubles. */
export class Restarts {
  #failures = 0;
  #next = 0;

  /** Milliseconds until the next start is allowed. */
  pause(now: number): number {
    return Math.max(0, this.#next - now);
  }

  /** Notes that a process started at `startedAt` has ended by itself, or could not be started. */
  note(startedAt: number, now: number): void {
    this.#failures = now - startedAt < shortLife ? this.#failures + 1 : 0;
    if (this.#failures > 0) this.#next = now + Math.min(maxPauseMs, firstPause * 2 ** (this.#failures - 1));
  }
}

/** Command and limits of a server over stdio. */
export interface StdioServer extends ServerCommand, SessionLimits {
  name: string;
  calls: number;
  sharePerCaller: number;
  /** Limit of processes at a time. */
  sessions: number;
}

/** Name of the process shared by one person's requests without sessions. No session has such a name: it came in no header. */
const sharedBy = ({ principal }: Caller): string => `\n${principalKey(principal)}`;
const isShared = (name: string): boolean => name.startsWith('\n');

/**
 * A server over stdio, used like one over HTTP: each session has its own process, and requests of one person without sessions
 * share one.
 */
export class StdioUpstream implements Upstream {
  readonly name: string;
  readonly calls: number;
  readonly sharePerCaller: number;
  readonly timeout: number;
  readonly isShared = false;
  readonly #server: StdioServer;
  readonly #answers: AnswerBudget;
  readonly #warn: (sentence: string) => void;
  readonly #restarts = new Restarts();
  readonly #sessions = new Map<string, Promise<StdioSession>>();
  readonly #watches = new Set<Promise<void>>();
  /** Processes of each person. */
  readonly #limiter: CallerLimiter;

  constructor(server: StdioServer, { answers, warn }: { answers: AnswerBudget; warn(sentence: string): void }) {
    this.#answers = answers;
    this.name = server.name;
    this.calls = server.calls;
    this.sharePerCaller = server.sharePerCaller;
    this.timeout = server.timeout;
    this.#server = server;
    this.#warn = warn;
    this.#limiter = new CallerLimiter(shareOf(server.sessions, server.sharePerCaller));
  }

  async ask(exchange: Exchange): Promise<UpstreamAnswer> {
    const { headers, frame, signal } = exchange;
    signal.throwIfAborted();
    const id = frame && isFrameId(frame.id) ? frame.id : null;
    const named = sessionOf(headers);
    const session = named === undefined ? null : await this.#usable(named);
    if (session) return session.ask(exchange);
    if (named !== undefined) return refusal(404, id, 'Initialize again: this session has ended.');
    if (!frame) return refusal(405, null, 'Name your session: without one there is only POST.');
    if (isModern(frame)) return this.#askNew(sharedBy(exchange.caller), exchange, {});
    if (frame.method !== 'initialize') return refusal(400, id, 'Initialize first, and name your session.');
    const name = randomHex();
    return this.#askNew(name, exchange, { 'mcp-session-id': name });
  }

  async lossOf(headers: IncomingHttpHeaders): Promise<AbortSignal | null> {
    const name = sessionOf(headers);
    return name === undefined ? null : ((await this.#usable(name))?.lost ?? AbortSignal.abort());
  }

  async close(): Promise<void> {
    const sessions = await Promise.allSettled(this.#sessions.values());
    for (const session of sessions) if (session.status === 'fulfilled') void session.value.stop();
    await Promise.all(this.#watches);
  }

  async #usable(name: string): Promise<StdioSession | null> {
    const session = await this.#sessions.get(name)?.catch(() => null);
    return session?.isUsable ? session : null;
  }

  /** Asks in the session of this name, which begins if missing. */
  async #askNew(name: string, exchange: Exchange, headers: Record<string, string>): Promise<UpstreamAnswer> {
    const session =
      (await this.#usable(name)) ?? this.#faultOfStart(exchange.frame) ?? (await this.#start(name, exchange));
    exchange.signal.throwIfAborted();
    return session instanceof StdioSession ? session.ask(exchange, headers) : session;
  }

  #faultOfStart(frame: Frame | undefined): UpstreamAnswer | null {
    const id = frame && isFrameId(frame.id) ? frame.id : null;
    const pause = Math.ceil(this.#restarts.pause(performance.now()) / 1_000);
    const wait = { 'retry-after': String(pause) };
    if (pause > 0) return refusal(503, id, `Try again in ${pause} s: the server has ended by itself.`, wait);
    return this.#sessions.size < this.#server.sessions ? null : refusal(503, id, full, soon);
  }

  async #start(name: string, { caller, frame }: Exchange): Promise<StdioSession | UpstreamAnswer> {
    const key = principalKey(caller.principal);
    const leave = this.#limiter.acquire(key);
    if (!leave) return refusal(429, frame && isFrameId(frame.id) ? frame.id : null, ownFull, soon);
    const parts = { caller: key, limits: this.#server, answers: this.#answers, warn: this.#warn };
    const starting = startProcess(this.#server).then(
      (process) => new StdioSession(process, { isShared: isShared(name), ...parts }),
    );
    this.#sessions.set(name, starting);
    const watch = this.#watch(name, starting).finally(() => {
      leave();
      this.#watches.delete(watch);
    });
    this.#watches.add(watch);
    return starting.catch(() => refusal(503, null, 'Check the command: the server cannot be started.'));
  }

  /** Forgets a session after its end. Never rejects. */
  async #watch(name: string, starting: Promise<StdioSession>): Promise<void> {
    const startedAt = performance.now();
    let isOwn = true;
    try {
      const session = await starting;
      const code = await session.ended;
      isOwn = !session.isStopping;
      if (isOwn) this.#warn(`It has ended with code ${code}.`);
    } catch (error) {
      this.#warn(error instanceof Error ? error.message : String(error));
    }
    if (isOwn) this.#restarts.note(startedAt, performance.now());
    if (this.#sessions.get(name) === starting) this.#sessions.delete(name);
  }
}

const soon = { 'retry-after': '5' };
const ownFull = 'End a session that you no longer use, or try again later: you have as many as one caller may.';
const full = 'Try again later: as many clients are connected as the configuration allows.';
