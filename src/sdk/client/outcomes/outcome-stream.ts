import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { pause, retryDelay } from '../transport/backoff.ts';

/** Milliseconds. The server sends a comment every 15 s; three missed comments mean that it is gone. */
const maxSilenceMs = 45_000;
/** Milliseconds in which a stream is ready, unless something on the way holds back what it should pass on. */
const maxReadyMs = 5_000;
/** Characters. No outcome is longer; a longer event is not from Assentry. */
const maxEventLength = 4_000_000;

export interface OutcomeStreamParts {
  /** Opens the stream from after the given position; a brief one ends with the first events, or soon without any. */
  connect(from: StreamStart, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** From here on every change is told; what changed before may have been missed, unless nothing was. */
  onReady(missesNothing: boolean): void;
  /** Something may have changed for any elicitation. */
  onWake(): void;
  /** This one has changed, and the row was this, as the server read it after the change. */
  onChange(id: string, row: unknown): void;
  /** Changes may be missed until it is ready again. */
  onBreak(): void;
}

export interface StreamStart {
  lastEventId: string | undefined;
  isBrief: boolean;
}

type Listener = Omit<OutcomeStreamParts, 'connect'>;

interface Position extends StreamStart {
  lastEventAt: number;
  /** Whether this connection goes on from a place. */
  resumes: boolean;
  isReady: boolean;
}

/**
 * Keeps one connection until it is stopped. Behind a proxy that passes on only whole answers, it becomes a chain of brief
 * streams, each from where the one before ended.
 */
export function startOutcomeStream({ connect, ...listener }: OutcomeStreamParts) {
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

export type OutcomeStream = ReturnType<typeof startOutcomeStream>;

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
  else onWake(); // an event that cannot be read may have been about any
}

function parse(data: string): { id: string } | null {
  try {
    const { id, ...row } = JSON.parse(data) as { id?: unknown };
    return typeof id === 'string' ? { id, ...row } : null;
  } catch {
    return null;
  }
}
