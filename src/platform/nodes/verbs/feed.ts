import type { ElicitationId } from '../../model/id.ts';
import { outboxPage, type Outbox } from '#requests/asking/store/opening';
import type { CommittedEvent } from '../../database/transactor.ts';

type Listener = (event: CommittedEvent) => void;

interface FeedOptions {
  /** Milliseconds between two checks without a wake-up. */
  every?: number;
  onError(error: unknown): void;
}

/** Tells the waiters of this node about changes of all nodes. */
export function createFeed(outbox: Pick<Outbox, 'head' | 'readFrom'>, { every = 1000, onError }: FeedOptions) {
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
    /** Calls back for every later commit, at least once. The row holds the truth. */
    onChange(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Resolves when this elicitation changes, or when the signal aborts. */
    changed: waiters.wait,
    /** Signals that there may be news; cheap, and never waits. */
    wake: reading.wake,
    /** Announces this node's commit: at once if no other change came between, else once it has been read. */
    publish(events: CommittedEvent[]) {
      if (events[0]?.place === position + 1) events.forEach(announce);
      else reading.wake();
    },
    /** The place of the last announced change. From here on, no later commit is missed. */
    position: (): number => position,
    async start() {
      position = await outbox.head();
      reading.start();
    },
    stop: reading.stop,
  };
}

export type Feed = ReturnType<typeof createFeed>;

/** Reads after a wake-up, and now and then without: one page at a time, until there is no more. */
function createReading(readPage: () => Promise<boolean>, { every, onError }: Required<FeedOptions>) {
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

/** Waiters for the next change of one elicitation. */
function createWaiters() {
  const waiting = new Map<ElicitationId, Set<() => void>>();
  return {
    wait: (id: ElicitationId, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
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
    wake(id: ElicitationId) {
      for (const wake of waiting.get(id) ?? []) wake();
    },
  };
}
