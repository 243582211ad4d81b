import { ElicitationState } from '#requests/asking/contract/open';
import { isClosed } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import { maxTimerMs } from '../transport/backoff.ts';
import { FreshAnswers } from './fresh-answers.ts';
import { assertSignal, onAbort } from '../transport/linked-signal.ts';
import { startOutcomeStream, type OutcomeStream, type OutcomeStreamParts } from './outcome-stream.ts';

/** Milliseconds between two reads of every awaited row, in case a wake-up was lost. */
const netInterval = 20_000;
/** Milliseconds for which the stream stays open without a wait: calls that follow each other share it. */
const restBeforeClosing = 500;
/** How many rows are read at a time. */
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

/** Everyone here who waits for one elicitation. */
interface Watch {
  id: string;
  waits: Set<Wait>;
  isQueued: boolean;
  last: ElicitationState | undefined;
  abandoned: AbortController;
}

/**
 * All waits of a client share one stream, which closes soon after the last of them. The row alone decides: as it is read,
 * or as the stream brings it when it has closed, since what is closed never changes again.
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

  /** Asks, and keeps the answer for a wait that follows: it then needs no read of its own. */
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

/** When its time is over, a wait answers with the last read, or with the read that is under way. */
function endWait({ last }: Watch, wait: Wait): void {
  if (last) return wait.resolve(last);
  wait.isOverdue = true;
}

const shorten = (timeout: number): number => Math.min(Math.max(timeout, 0), maxTimerMs);

/** Errors that asking again cannot change. Any other error is an outage, and waits survive outages. */
const isFinal = (error: unknown): boolean => error instanceof Problem && finalCodes.has(error.code);

const finalCodes = new Set<Problem['code']>(['not-found', 'unauthenticated', 'forbidden', 'INVALID_INPUT']);
