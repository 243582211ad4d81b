import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { pause, retryDelay, maxTimerMs, assertSignal, onAbort } from './transport.ts';
import { ElicitationState } from '#requests/asking/contract/open';
import { isClosed } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';

/** Milliseconds. The server sends a comment every 15 s; three missed comments mean that it is gone. */
const maxSilenceMs = 45_000;
/** Milliseconds in which a stream is ready, unless a proxy on the way buffers it. */
const maxReadyMs = 5_000;
/** Characters. No outcome is longer; a longer event is not from Assentry. */
const maxEventLength = 4_000_000;

interface OutcomeStreamParts {
  /** Opens the stream from after the given position; a brief one ends with the first events, or soon without any. */
  connect(from: StreamStart, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Called when every later change will be reported; earlier ones may have been missed, unless `missesNothing`. */
  onReady(missesNothing: boolean): void;
  /** Called when any elicitation may have changed. */
  onWake(): void;
  /** Called when this one has changed, with the row as the server read it after the change. */
  onChange(id: string, row: unknown): void;
  /** Called when changes may be missed until the stream is ready again. */
  onBreak(): void;
}

export interface StreamStart {
  lastEventId: string | undefined;
  isBrief: boolean;
}

type Listener = Omit<OutcomeStreamParts, 'connect'>;

interface Position extends StreamStart {
  lastEventAt: number;
  /** Does this connection continue from a place? */
  resumes: boolean;
  isReady: boolean;
}

/**
 * Keeps one connection until it is stopped. Behind a proxy that passes on only whole answers, it becomes a chain of brief
 * streams, each from the end of the one before.
 */
function startOutcomeStream({ connect, ...listener }: OutcomeStreamParts) {
  const stopped = new AbortController();
  const position: Position = {
    lastEventId: undefined,
    isBrief: false,
    lastEventAt: Date.now(),
    resumes: false,
    isReady: false,
  };
  let current = new AbortController();

  async function connectOnce(): Promise<void> {
    current = new AbortController();
    position.isReady = false;
    position.resumes = position.lastEventId !== undefined;
    position.lastEventAt = Date.now();
    const late = position.isBrief ? undefined : setTimeout(becomeBrief, maxReadyMs);
    try {
      const body = await connect(position, current.signal);
      await readEvents(body, position, listener);
    } finally {
      clearTimeout(late);
    }
  }

  function becomeBrief(): void {
    if (position.isReady) return;
    position.isBrief = true;
    current.abort();
  }

  async function keepConnected(): Promise<void> {
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      await connectOnce().catch(() => {}); // any error is handled in the same way: connect again
      current.abort();
      listener.onBreak();
      if (position.isReady) failures = 0;
      await pause(retryDelay(failures, null), stopped.signal).catch(() => {});
    }
  }

  void keepConnected();
  return {
    /** Ends a connection that has been silent for too long, so that a new one is made. */
    checkAlive: () => {
      if (Date.now() - position.lastEventAt > maxSilenceMs) current.abort();
    },
    stop: () => {
      stopped.abort();
      current.abort();
    },
  };
}

type OutcomeStream = ReturnType<typeof startOutcomeStream>;

async function readEvents(body: ReadableStream<Uint8Array>, position: Position, listener: Listener): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: (event) => take(event, position, listener), maxBufferSize: maxEventLength });
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    position.lastEventAt = Date.now();
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

function take(message: EventSourceMessage, position: Position, { onReady, onWake, onChange }: Listener): void {
  if (message.id !== undefined) position.lastEventId = message.id;
  if (message.event === 'ready') {
    position.isReady = true;
    onReady(position.isBrief && position.resumes && !message.data.includes('hasGap'));
  }
  if (message.event !== 'elicitation') return;
  const row = parse(message.data);
  if (row) onChange(row.id, row);
  else onWake(); // an unreadable event may have been about any elicitation
}

function parse(data: string): { id: string } | null {
  try {
    const { id, ...row } = JSON.parse(data) as { id?: unknown };
    return typeof id === 'string' ? { id, ...row } : null;
  } catch {
    return null;
  }
}

/** Limit of kept names and answers. */
const maxKept = 1000;

/**
 * Answers that are still current: the stream was listening before they were requested, and has not named their request since. A
 * wait for one of them need not read it again.
 */
class FreshAnswers {
  /** Counts the stream's messages. */
  #place = 0;
  /** Place after which no message was missed; infinite while no stream listens. */
  #since = Number.POSITIVE_INFINITY;
  readonly #changed = new Map<string, number>();
  readonly #kept = new Map<string, ElicitationState>();

  /** Notes that every later change arrives. */
  listen(): void {
    this.#since = Math.min(this.#since, (this.#place += 1));
  }

  /** Notes that later changes may be missed. */
  deafen(): void {
    this.#since = Number.POSITIVE_INFINITY;
    this.#changed.clear();
    this.#kept.clear();
  }

  changed(id: string): void {
    this.#kept.delete(id);
    this.#changed.delete(id);
    this.#changed.set(id, (this.#place += 1));
    const [oldest] = this.#changed;
    if (!oldest || this.#changed.size <= maxKept) return;
    this.#changed.delete(oldest[0]);
    this.#since = Math.max(this.#since, oldest[1]);
  }

  /** Place to take before a question is sent, and give back with its answer. */
  place(): number {
    return this.#place;
  }

  keep(askedAt: number, state: ElicitationState): void {
    const isWhole = askedAt >= this.#since && (this.#changed.get(state.id) ?? 0) <= askedAt;
    if (!isWhole || isClosed(state.status)) return;
    this.#kept.set(state.id, state);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
  }

  /** The answer, if still current; it is given out once. */
  take(id: string): ElicitationState | undefined {
    const state = this.#kept.get(id);
    this.#kept.delete(id);
    return state;
  }
}

/** Milliseconds between two reads of every awaited row, in case a wake-up was lost. */
const netInterval = 20_000;
/** Milliseconds for which the stream stays open without a wait: calls that follow each other share it. */
const restBeforeClosing = 500;
/** Limit of rows read at a time. */
const concurrency = 6;

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds; without it there is no limit but the elicitation's own. */
  timeout?: number | undefined;
  /**
   * If given, the wait also ends when an approver asks the requester something; the inquiry of this id does not count.
   */
  afterInquiry?: string | null | undefined;
}

interface OutcomeWaitParts {
  read(id: string, signal: AbortSignal): Promise<ElicitationState>;
  connect: OutcomeStreamParts['connect'];
}

interface Wait {
  isOverdue: boolean;
  afterInquiry: string | null | undefined;
  resolve(state: ElicitationState): void;
  reject(error: unknown): void;
}

/** All waits for one elicitation. */
interface Watch {
  id: string;
  waits: Set<Wait>;
  isQueued: boolean;
  last: ElicitationState | undefined;
  abandoned: AbortController;
}

/**
 * Waits of a client, which share one stream that closes soon after the last of them. The row alone decides: as read, or as the
 * stream brings it closed, since a closed row never changes again.
 */
export class OutcomeWaits {
  readonly #parts: OutcomeWaitParts;
  readonly #watches = new Map<string, Watch>();
  readonly #queue: Watch[] = [];
  readonly #fresh = new FreshAnswers();
  #reading = 0;
  #stream: OutcomeStream | undefined;
  #net: ReturnType<typeof setInterval> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: OutcomeWaitParts) {
    this.#parts = parts;
  }

  waitForOutcome(id: string, { signal, timeout, afterInquiry }: WaitOptions = {}): Promise<ElicitationState> {
    return new Promise((resolve, reject) => {
      assertSignal(signal);
      if (signal?.aborted) return reject(signal.reason);
      const watch = this.#watches.get(id) ?? this.#addWatch(id);
      const leave = () => {
        clearTimeout(timer);
        ignore?.();
        this.#removeWait(watch, wait);
      };
      const wait: Wait = {
        isOverdue: false,
        afterInquiry,
        resolve: (state) => {
          leave();
          resolve(state);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const timer = timeout === undefined ? undefined : setTimeout(() => endWait(watch, wait), shorten(timeout));
      const ignore = signal && onAbort(signal, () => wait.reject(signal.reason));
      watch.waits.add(wait);
      const answer = this.#fresh.take(id);
      if (answer && !isAwaited(answer, wait)) watch.last ??= answer;
      else this.#wake(watch); // an outcome may have come before this wait was registered
    });
  }

  /** Asks, and keeps the answer for a following wait, which then needs no read of its own. */
  async ask<T extends ElicitationState>(send: () => Promise<T>): Promise<T> {
    const place = this.#fresh.place();
    const state = await send();
    this.#fresh.keep(place, state);
    return state;
  }

  #addWatch(id: string): Watch {
    const watch = { id, waits: new Set<Wait>(), isQueued: false, last: undefined, abandoned: new AbortController() };
    this.#watches.set(id, watch);
    clearTimeout(this.#rest);
    this.#stream ??= startOutcomeStream({
      connect: this.#parts.connect,
      onReady: (missesNothing) => {
        this.#fresh.listen();
        if (!missesNothing) this.#wakeAll();
      },
      onWake: () => this.#wakeAll(),
      onChange: (changed, row) => this.#onChange(changed, row),
      onBreak: () => this.#fresh.deafen(),
    });
    this.#net ??= setInterval(() => this.#castNet(), netInterval);
    return watch;
  }

  #removeWait(watch: Watch, wait: Wait): void {
    watch.waits.delete(wait);
    if (watch.waits.size > 0 || this.#watches.get(watch.id) !== watch) return;
    this.#watches.delete(watch.id);
    watch.abandoned.abort('No one waits for it.'); // without a reason, it would make an error with a stack
    if (this.#watches.size === 0) this.#rest = setTimeout(() => this.#close(), restBeforeClosing);
  }

  #close(): void {
    clearInterval(this.#net);
    this.#stream?.stop();
    this.#net = this.#stream = undefined;
    this.#fresh.deafen();
  }

  #castNet(): void {
    this.#stream?.checkAlive();
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const watch of this.#watches.values()) this.#wake(watch);
  }

  #onChange(id: string, row: unknown): void {
    this.#fresh.changed(id);
    const watch = this.#watches.get(id);
    if (!watch) return;
    const { data } = ElicitationState.safeParse(row);
    if (data && isClosed(data.status)) for (const wait of watch.waits) wait.resolve(data);
    else this.#wake(watch);
  }

  #wake(watch: Watch): void {
    if (watch.isQueued) return;
    watch.isQueued = true;
    this.#queue.push(watch);
    this.#readNext();
  }

  #readNext(): void {
    const watch = this.#reading < concurrency ? this.#queue.shift() : undefined;
    if (!watch) return;
    watch.isQueued = false; // a wake-up from here on asks for another read: this one may be too early to see it
    this.#reading += 1;
    void this.#check(watch).finally(() => {
      this.#reading -= 1;
      this.#readNext();
    });
  }

  async #check(watch: Watch): Promise<void> {
    if (watch.abandoned.signal.aborted) return;
    try {
      const state = await this.#parts.read(watch.id, watch.abandoned.signal);
      watch.last = state;
      for (const wait of watch.waits) if (wait.isOverdue || isAwaited(state, wait)) wait.resolve(state);
    } catch (error) {
      for (const wait of watch.waits) if (wait.isOverdue || isFinal(error)) wait.reject(error);
    }
  }
}

const isAwaited = ({ status, inquiry }: ElicitationState, { afterInquiry }: Wait): boolean =>
  isClosed(status) || (afterInquiry !== undefined && inquiry !== undefined && inquiry.id !== afterInquiry);

/** Ends a wait after its time with the last read, or with the current one. */
function endWait({ last }: Watch, wait: Wait): void {
  if (last) return wait.resolve(last);
  wait.isOverdue = true;
}

const shorten = (timeout: number): number => Math.min(Math.max(timeout, 0), maxTimerMs);

/** Is it an error that asking again cannot change? Any other error is an outage, and waits survive outages. */
const isFinal = (error: unknown): boolean => error instanceof Problem && finalCodes.has(error.code);

const finalCodes = new Set<Problem['code']>(['not-found', 'unauthenticated', 'forbidden', 'INVALID_INPUT']);
