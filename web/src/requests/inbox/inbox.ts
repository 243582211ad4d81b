import type { InboxEvent } from '#requests/inbox/contract/inbox';
import { callApi, loadFirstAnswers } from '../../client/call-api.ts';

export const readInbox = (search: URLSearchParams, signal: AbortSignal) =>
  callApi(`/api/elicitations?${search}`, { answer: (answers) => answers.Inbox, signal });

export const readBreakGlass = (signal: AbortSignal) =>
  callApi('/api/break-glass', { answer: (answers) => answers.BreakGlassList, signal });

interface InboxStreamHandlers {
  onEvent: (event: InboxEvent) => void;
  /** Called with false while no events arrive, so that the page polls. */
  onLive: (isLive: boolean) => void;
}

/** A message of the stream: a sign of life with the milliseconds to the next, a change, or a break. */
type Message = { kind: 'beat'; every: number } | { kind: 'inbox'; data: string } | { kind: 'broken' };

const reopenAfter = 30_000;
/** Milliseconds between two signs of life, until the first names the interval. */
const usualBeat = 15_000;
/** Name of the lock of the one tab that holds the stream, and of the channel to the others. */
const name = 'assentry-inbox';

/**
 * Listens until the returned function is called. One tab of a browser holds the stream and tells the others, because a browser
 * opens six connections to a server over HTTP/1.1. A tab is live while events arrive; after two missed signs of life the stream
 * is opened again. Without locks (a page over plain HTTP) each visible tab holds its own.
 */
export function openInboxStream({ onEvent, onLive }: InboxStreamHandlers): () => void {
  const channel = new BroadcastChannel(name);
  const ending = new AbortController();
  let stream: Stream | null = null;
  let pulse: ReturnType<typeof setTimeout> | undefined;
  let every = usualBeat;

  const hear = (message: Message): void => {
    if (message.kind === 'beat') every = message.every;
    clearTimeout(pulse);
    pulse = setTimeout(miss, 2.5 * every);
    if (message.kind === 'broken') return onLive(false);
    if (message.kind === 'inbox') return void readEvent(message.data, onEvent);
    onLive(true);
  };
  const tell = (message: Message): void => {
    channel.postMessage(message);
    hear(message);
  };
  const hold = (): void => {
    stream?.close();
    stream = openStream(tell);
    pulse ??= setTimeout(miss, 2.5 * every);
  };
  const letGo = (): void => {
    stream?.close();
    stream = null;
  };
  const miss = (): void => {
    onLive(false);
    pulse = setTimeout(miss, 2.5 * every);
    if (stream) hold();
    else if (document.visibilityState === 'visible') take();
  };
  const { take, leave } = takeTurns(hold, letGo, ending.signal);

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(data));
  take({ isPatient: true });
  return () => {
    ending.abort();
    clearTimeout(pulse);
    letGo();
    leave();
    channel.close();
  };
}

interface Stream {
  close(): void;
}

/** Opens the stream. The browser resumes a broken one with Last-Event-ID by itself; a refused one is opened again. */
function openStream(tell: (message: Message) => void): Stream {
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  const beat = ({ data }: MessageEvent<string>): void => {
    const sign = parseJson(data) as { every?: unknown } | undefined;
    tell({ kind: 'beat', every: typeof sign?.every === 'number' ? sign.every : usualBeat });
  };
  const open = () => {
    source = new EventSource('/api/stream');
    source.addEventListener('ready', beat);
    source.addEventListener('heartbeat', beat);
    source.addEventListener('inbox', ({ data }) => tell({ kind: 'inbox', data }));
    source.addEventListener('error', () => {
      tell({ kind: 'broken' });
      // A refused stream (signed out, node stopping) is closed for good by the browser.
      if (source.readyState === EventSource.CLOSED) reopening = setTimeout(open, reopenAfter);
    });
  };
  open();
  return {
    close() {
      clearTimeout(reopening);
      source.close();
    },
  };
}

/** Calls `hold` during this tab's turn to hold the stream, and `letGo` when another tab takes it. */
function takeTurns(hold: () => void, letGo: () => void, signal: AbortSignal) {
  if (!('locks' in navigator)) return holdWhileSeen(hold, letGo, signal);
  let release = (): void => {};
  const holdTurn = (): Promise<void> => {
    if (signal.aborted) return Promise.resolve();
    hold();
    return new Promise((resolve) => (release = resolve));
  };
  const wait = (): void => void navigator.locks.request(name, { signal }, holdTurn).catch(yieldTurn);
  /** Ends the turn: another tab took it, or this one ends. */
  const yieldTurn = (): void => {
    letGo();
    if (!signal.aborted) wait();
  };
  return {
    /** Waits for the turn, or takes it at once from a sleeping tab. */
    take({ isPatient = false } = {}): void {
      if (isPatient) wait();
      else void navigator.locks.request(name, { steal: true }, holdTurn).catch(yieldTurn);
    },
    leave: () => release(),
  };
}

function holdWhileSeen(hold: () => void, letGo: () => void, signal: AbortSignal) {
  const follow = (): void => (document.visibilityState === 'visible' ? hold() : letGo());
  document.addEventListener('visibilitychange', follow, { signal });
  return { take: follow, leave: () => {} };
}

async function readEvent(data: string, onEvent: (event: InboxEvent) => void): Promise<void> {
  const { InboxEvent } = await loadFirstAnswers();
  const event = InboxEvent.safeParse(parseJson(data));
  if (event.success) onEvent(event.data);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
