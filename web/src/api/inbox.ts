import type { InboxEvent } from '#protocol/contract/console/console';
import { callApi, loadFirstAnswers } from './call-api.ts';

export const readInbox = (search: URLSearchParams, signal: AbortSignal) =>
  callApi(`/api/elicitations?${search}`, { answer: (answers) => answers.Inbox, signal });

export const readBreakGlass = (signal: AbortSignal) =>
  callApi('/api/break-glass', { answer: (answers) => answers.BreakGlassList, signal });

interface InboxStreamHandlers {
  onEvent: (event: InboxEvent) => void;
  /** False while nothing arrives by itself, so that the page asks instead. */
  onLive: (isLive: boolean) => void;
}

const reopenAfter = 30_000;

/** Listens until the returned function is called. The browser resumes a broken stream with Last-Event-ID by itself. */
export function openInboxStream({ onEvent, onLive }: InboxStreamHandlers): () => void {
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource('/api/stream');
    source.addEventListener('open', () => onLive(true));
    source.addEventListener('inbox', (message) => void readEvent(message, onEvent));
    source.addEventListener('error', () => {
      onLive(false);
      // A refused stream (signed out, node stopping) is closed for good by the browser.
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, reopenAfter);
    });
  };
  open();
  return () => {
    clearTimeout(reopening);
    source.close();
  };
}

async function readEvent(message: MessageEvent<string>, onEvent: (event: InboxEvent) => void): Promise<void> {
  const { InboxEvent } = await loadFirstAnswers();
  const event = InboxEvent.safeParse(parseJson(message.data));
  if (event.success) onEvent(event.data);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
