import type { Topic } from '../model/elicitation.ts';
import type { ServerId } from '../model/id.ts';
import type { ElicitationRow } from '../store/elicitation/row.ts';
import type { OutboxEvent } from '../store/elicitation/outbox.ts';
import type { Engine } from './engine.ts';
import { provenRow } from './proven-row.ts';

interface Follow {
  /** An earlier place; changes since then come first. Any other value starts now. */
  from?: string | undefined;
  server?: ServerId;
  topics?: readonly Topic[];
  signal: AbortSignal;
  /** Called once listening, with the place from which nothing is missed. */
  onReady(place: string): void;
}

interface Change {
  row: ElicitationRow;
  event: OutboxEvent;
}

/** Is told together what came together, so that the reader's rights are checked once for all of it. */
type OnChanges = (changes: Change[]) => void | Promise<void>;

/**
 * Follows changes until the signal aborts: each change at least once, with the current row. A reader can stop at any
 * event and resume from that event's place. A wake-up only says which row to read.
 */
export async function followChanges(engine: Engine, follow: Follow, onChanges: OnChanges): Promise<void> {
  const live: OutboxEvent[] = [];
  let wake = (): void => {};
  const unsubscribe = engine.feed.onChange((event) => {
    if (isWanted(follow, event)) live.push(event);
    wake();
  });
  const stop = (): void => wake();
  follow.signal.addEventListener('abort', stop);
  try {
    const from = readPlace(follow.from);
    // The reader keeps its old place until it has the changes it missed.
    follow.onReady(from ?? engine.feed.position());
    const missed = from === null ? [] : await missedSince(engine, follow, from);
    while (!follow.signal.aborted) {
      const next = missed.length > 0 ? missed.splice(0, together) : live.splice(0, together);
      if (next.length > 0) await tell(engine, next, follow.signal, onChanges);
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unsubscribe();
    follow.signal.removeEventListener('abort', stop);
  }
}

/** The most events whose rows are read in one statement. */
const together = 64;

async function tell(engine: Engine, events: OutboxEvent[], signal: AbortSignal, onChanges: OnChanges): Promise<void> {
  const rows = await Promise.all(events.map(({ elicitationId }) => provenRow(engine, elicitationId)));
  // The event only says which row to read; the row says who may see it.
  const changes = events.flatMap((event, at) => {
    const row = rows[at];
    return row?.serverId === event.serverId ? [{ row, event }] : [];
  });
  if (changes.length > 0 && !signal.aborted) await onChanges(changes);
}

const isWanted = ({ server, topics }: Follow, event: OutboxEvent): boolean =>
  (server === undefined || event.serverId === server) && (topics === undefined || topics.includes(event.topic));

/** What PostgreSQL counts transactions and rows with. */
const highest = { xid: 2n ** 64n - 1n, id: 2n ** 63n - 1n };

function readPlace(text: string | undefined): string | null {
  const [, xid, id = '0'] = /^(\d{1,20})(?:\.(\d{1,19}))?$/.exec(text ?? '') ?? [];
  const isPlace = xid !== undefined && BigInt(xid) <= highest.xid && BigInt(id) <= highest.id;
  return isPlace ? `${xid}.${id}` : null;
}

async function missedSince(engine: Engine, follow: Follow, from: string): Promise<OutboxEvent[]> {
  const { events } = await engine.outbox.readFrom(from);
  return events.filter((event) => isWanted(follow, event));
}
