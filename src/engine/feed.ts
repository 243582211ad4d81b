import type { ElicitationId } from '../model/id.ts';
import type { Outbox, OutboxEvent } from '../store/elicitation/outbox.ts';

export type Listener = (event: OutboxEvent) => void;

/** Tells the waiters of this node what changed, on whichever node it was changed. */
export interface Feed {
  /** Calls back for every change that commits from now on, at least once. The row holds the truth. */
  onChange(listener: Listener): () => void;
  /** Resolves when this elicitation changes, or when the signal aborts. */
  changed(id: ElicitationId, signal: AbortSignal): Promise<void>;
  /** Signals that there may be something to read; cheap, and never waits. */
  poke(): void;
  /** From here on, no later commit is missed. */
  position(): string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface FeedOptions {
  /** Milliseconds between two looks without a wake-up: what a lost wake-up costs at most. */
  every?: number;
  onError(error: unknown): void;
}

export function createFeed(outbox: Pick<Outbox, 'head' | 'readFrom'>, { every = 1000, onError }: FeedOptions): Feed {
  const listeners = new Set<Listener>();
  const waiters = createWaiters();
  const { readOn, ...place } = createReader(outbox);
  let isWanted = false;
  let isReading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = true;

  const tell = (event: OutboxEvent): void => {
    for (const listener of listeners) listener(event);
    waiters.wake(event.elicitationId);
  };

  async function read(): Promise<void> {
    try {
      while (isWanted && !isStopped) {
        isWanted = false; // a poke during the reading asks for another one
        (await readOn()).forEach(tell);
      }
    } catch (error) {
      onError(error);
    } finally {
      isReading = undefined;
      rest();
    }
  }

  function rest(): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(poke, every);
  }

  function poke(): void {
    clearTimeout(timer);
    isWanted = true;
    if (!isStopped) isReading ??= read();
  }

  return {
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changed: waiters.wait,
    poke,
    position: place.position,
    async start() {
      await place.start();
      isStopped = false;
      rest();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await isReading;
    },
  };
}

interface FeedReader {
  start(): Promise<void>;
  position(): string;
  /** The changes that were not reported before; moves the place forward. */
  readOn(): Promise<OutboxEvent[]>;
}

function createReader(outbox: Pick<Outbox, 'head' | 'readFrom'>): FeedReader {
  let lastIds = new Set<string>();
  let position = '0';
  return {
    async start() {
      position = await outbox.head();
    },
    position: () => position,
    async readOn() {
      const { events, position: next } = await outbox.readFrom(position);
      const fresh = events.filter(({ id }) => !lastIds.has(id));
      // Rows above the horizon come again with the next read, so only the ids of this read are remembered.
      lastIds = new Set(events.map(({ id }) => id));
      position = next;
      return fresh;
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
