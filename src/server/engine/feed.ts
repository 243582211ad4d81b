import type { ElicitationId } from '#protocol/model/id';
import { outboxPage, type Outbox } from '../store/elicitation/outbox.ts';
import type { CommittedEvent } from '../store/transactor.ts';

type Listener = (event: CommittedEvent) => void;

/** Tells the waiters of this node what changed, on whichever node it was changed. */
export interface Feed {
  /** Calls back for every change that commits from now on, at least once. The row holds the truth. */
  onChange(listener: Listener): () => void;
  /** Resolves when this elicitation changes, or when the signal aborts. */
  changed(id: ElicitationId, signal: AbortSignal): Promise<void>;
  /** Signals that there may be something to read; cheap, and never waits. */
  wake(): void;
  /** Takes what this node has committed: it is told at once if no other change came between, and read otherwise. */
  publish(events: CommittedEvent[]): void;
  /** The place of the last change that was told. From here on, no later commit is missed. */
  position(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface FeedOptions {
  /** Milliseconds between two looks without a wake-up. */
  every?: number;
  onError(error: unknown): void;
}

export function createFeed(outbox: Pick<Outbox, 'head' | 'readFrom'>, { every = 1000, onError }: FeedOptions): Feed {
  const listeners = new Set<Listener>();
  const waiters = createWaiters();
  let position = 0;

  const announce = (event: CommittedEvent): void => {
    if (event.place <= position) return; // it came while this was read
    position = event.place;
    for (const listener of listeners) listener(event);
    waiters.wake(event.elicitationId);
  };
  const readPage = async (): Promise<boolean> => {
    const events = await outbox.readFrom(position);
    events.forEach(announce);
    return events.length === outboxPage;
  };
  const reading = createReading(readPage, { every, onError });

  return {
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changed: waiters.wait,
    wake: reading.wake,
    publish(events) {
      if (events[0]?.place === position + 1) events.forEach(announce);
      else reading.wake();
    },
    position: () => position,
    async start() {
      position = await outbox.head();
      reading.start();
    },
    stop: reading.stop,
  };
}

interface Reading {
  wake(): void;
  start(): void;
  stop(): Promise<void>;
}

/** Reads when it is woken, and now and then without: one page at a time, until there is no more. */
function createReading(readPage: () => Promise<boolean>, { every, onError }: Required<FeedOptions>): Reading {
  let isWanted = false;
  let current: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = true;

  async function read(): Promise<void> {
    try {
      while (isWanted && !isStopped) {
        isWanted = false; // a wake-up during the reading asks for another one
        if (await readPage()) isWanted = true;
      }
    } catch (error) {
      onError(error);
    } finally {
      current = undefined;
      rest();
    }
  }

  function rest(): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(wake, every);
  }

  function wake(): void {
    clearTimeout(timer);
    isWanted = true;
    if (!isStopped) current ??= read();
  }

  return {
    wake,
    start() {
      isStopped = false;
      rest();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

interface Waiters {
  wait: Feed['changed'];
  wake(id: ElicitationId): void;
}

/** Those who wait for the next change of one elicitation. */
function createWaiters(): Waiters {
  const waiting = new Map<ElicitationId, Set<() => void>>();
  return {
    wait: (id, signal) =>
      new Promise((resolve) => {
        const wakes = waiting.get(id) ?? new Set();
        const wake = (): void => {
          wakes.delete(wake);
          if (wakes.size === 0) waiting.delete(id);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.set(id, wakes.add(wake));
        if (signal.aborted) wake();
        else signal.addEventListener('abort', wake);
      }),
    wake(id) {
      for (const wake of waiting.get(id) ?? []) wake();
    },
  };
}
