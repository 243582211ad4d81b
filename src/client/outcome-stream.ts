import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { pause, retryDelay } from './backoff.ts';

/** Milliseconds. The server sends a comment every 15 s; three missed comments mean that it is gone. */
const longestSilence = 45_000;
/** Characters. No outcome is longer; a longer event is not from Assentry. */
const longestEvent = 4_000_000;

export interface OutcomeStreamParts {
  /** Opens the stream from after the given position. */
  connect(lastEventId: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Something may have changed for this elicitation, or, with null, for any. */
  onWake(id: string | null): void;
}

export interface OutcomeStream {
  /** Ends a connection that has been silent for too long, so that a new one is made. */
  checkAlive(): void;
  stop(): void;
}

interface Position {
  lastEventId: string | undefined;
  heardAt: number;
  isReady: boolean;
}

/** Keeps one connection until it is stopped. Its events are only hints to read the row. */
export function startOutcomeStream({ connect, onWake }: OutcomeStreamParts): OutcomeStream {
  const stopped = new AbortController();
  const position: Position = { lastEventId: undefined, heardAt: Date.now(), isReady: false };
  let current = new AbortController();

  async function connectOnce(): Promise<void> {
    current = new AbortController();
    position.isReady = false;
    position.heardAt = Date.now();
    const body = await connect(position.lastEventId, current.signal);
    onWake(null);
    await readEvents(body, position, onWake);
  }

  async function keepConnected(): Promise<void> {
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      await connectOnce().catch(() => {}); // any error is handled in the same way: connect again
      current.abort();
      if (position.isReady) failures = 0;
      await pause(retryDelay(failures, null), stopped.signal).catch(() => {});
    }
  }

  void keepConnected();
  return {
    checkAlive: () => {
      if (Date.now() - position.heardAt > longestSilence) current.abort();
    },
    stop: () => {
      stopped.abort();
      current.abort();
    },
  };
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  position: Position,
  onWake: OutcomeStreamParts['onWake'],
): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: (event) => take(event, position, onWake), maxBufferSize: longestEvent });
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    position.heardAt = Date.now();
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

function take(message: EventSourceMessage, position: Position, onWake: OutcomeStreamParts['onWake']): void {
  if (message.id !== undefined) position.lastEventId = message.id;
  if (message.event === 'ready') {
    position.isReady = true;
    onWake(null);
  }
  if (message.event === 'elicitation') onWake(idIn(message.data));
}

/** An event that cannot be read may have been about anything. */
function idIn(data: string): string | null {
  try {
    const { id } = JSON.parse(data) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
