import type { ServerId } from '../model/id.ts';
import type { Topic } from '../machine/step.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import type { OutboxEvent } from '../store/outbox.ts';
import type { Engine } from './engine.ts';

export interface Follow {
  /** A position told earlier; what changed since comes first. Anything else starts now. */
  from?: string | undefined;
  server?: ServerId;
  topics?: readonly Topic[];
  signal: AbortSignal;
  /** Called once listening, with the position from which nothing is missed. */
  onReady(position: string): void;
}

export type OnRow = (row: ElicitationRow, event: OutboxEvent, position: string) => void | Promise<void>;

/**
 * Follows what changes until the signal aborts: each change at least once, with the row as it is then, in order.
 * Rows are read, not guessed: a wake-up only says where to look.
 */
export async function followChanges(engine: Engine, follow: Follow, onRow: OnRow): Promise<void> {
  const queue: [OutboxEvent, string][] = [];
  let wake = (): void => {};
  const unsubscribe = engine.feed.onChange((event, position) => {
    if (isWanted(follow, event)) queue.push([event, position]);
    wake();
  });
  const stop = (): void => wake();
  follow.signal.addEventListener('abort', stop);
  try {
    follow.onReady(engine.feed.position());
    for (const missed of await missedSince(engine, follow)) queue.push(missed);
    while (!follow.signal.aborted) {
      const next = queue.shift();
      if (next) await tell(engine, next, onRow);
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unsubscribe();
    follow.signal.removeEventListener('abort', stop);
  }
}

async function tell(engine: Engine, [event, position]: [OutboxEvent, string], onRow: OnRow): Promise<void> {
  const row = await engine.reader.elicitation(event.elicitationId);
  if (row) await onRow(row, event, position);
}

const isWanted = ({ server, topics }: Follow, event: OutboxEvent): boolean =>
  (server === undefined || event.serverId === server) && (topics === undefined || topics.includes(event.topic));

async function missedSince(engine: Engine, follow: Follow): Promise<[OutboxEvent, string][]> {
  if (!follow.from || !/^\d{1,20}$/.test(follow.from)) return [];
  const missed: [OutboxEvent, string][] = [];
  let from = follow.from;
  for (;;) {
    const page = await engine.outbox.readFrom(from);
    const position = page.position;
    missed.push(
      ...page.events
        .filter((event) => isWanted(follow, event))
        .map((event): [OutboxEvent, string] => [event, position]),
    );
    if (page.isLast) return missed;
    from = page.position;
  }
}
