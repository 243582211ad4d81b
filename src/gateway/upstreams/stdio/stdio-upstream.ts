import type { IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';
import { randomHex } from '#sdk/client/digest/hex';
import { isFrameId, isModern, type Frame } from '../../frames/frame/frame.ts';
import { CallerLimiter, shareOf } from '../../identity/limits/caller-limiter.ts';
import { principalKey, type Caller } from '../../identity/caller.ts';
import type { AnswerBudget } from '../upstream/answer-budget.ts';
import { refusal } from '../upstream/message-stream.ts';
import { Restarts } from './restarts.ts';
import { startProcess, type ServerCommand } from './server-process.ts';
import { StdioSession, type SessionLimits } from './stdio-session.ts';
import { sessionOf, type Exchange, type Upstream, type UpstreamAnswer } from '../upstream/upstream.ts';

/** How a server over stdio is started. */
export interface StdioServer extends ServerCommand, SessionLimits {
  name: string;
  calls: number;
  sharePerCaller: number;
  /** The most processes at a time. */
  sessions: number;
}

/** Names the process that the requests of one person without sessions share. No session has such a name: it came in no header. */
const sharedBy = ({ principal }: Caller): string => `\n${principalKey(principal)}`;
const isShared = (name: string): boolean => name.startsWith('\n');

/** A server over stdio, as one over HTTP: each session has a process of its own, and requests of one person without sessions share one. */
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
  /** The processes that each person has. */
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

  /** Asks in the session of this name, which begins if there is none. */
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

  /** Forgets it when it has ended. Never rejects. */
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
