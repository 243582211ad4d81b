import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface EventReader {
  /** Everything heard so far, in order. */
  events: EventSourceMessage[];
  /** Resolves when the stream has ended, from whichever side. */
  ended: Promise<void>;
  /** Cuts the connection; what was on the way is lost. */
  cut(): void;
}

/** Reads a stream of server-sent events; `onEvent` may cut it. */
export async function readEvents(
  url: string,
  headers: Record<string, string>,
  onEvent: (event: EventSourceMessage, reader: EventReader) => void = () => {},
): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(url, { headers, signal: gone.signal });
  if (!response.ok || !response.body) throw new TypeError(`There is no stream: ${response.status}`);
  const events: EventSourceMessage[] = [];
  const reader: EventReader = { events, ended: Promise.resolve(), cut: () => gone.abort() };
  const parser = createParser({
    onEvent(event) {
      if (gone.signal.aborted) return;
      events.push(event);
      onEvent(event, reader);
    },
  });
  reader.ended = drain(response.body, (text) => parser.feed(text)).catch(() => {});
  return reader;
}

async function drain(body: ReadableStream<Uint8Array>, feed: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of body) feed(decoder.decode(chunk, { stream: true }));
}
