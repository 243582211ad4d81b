import { randomUUID } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from './database.ts';
import { listen } from './listen.ts';

/** Wakes the other nodes. A lost wake-up delays an outcome until their next periodic check, and never loses it. */
export interface Notifier {
  /** Call it after a commit. Notifications go in batches over one connection, never inside the writing transaction. */
  announce(): void;
  close(): Promise<void>;
}

/** For a database without LISTEN: the other nodes look for themselves. */
export const noNotifier: Notifier = { announce() {}, async close() {} };

const channel = 'assentry';
/** Milliseconds during which commits share the next notification: NOTIFY takes a lock for which the whole server waits. */
const gather = 10;

export async function startNotifier(
  { query }: Pick<Database, 'query'>,
  url: string,
  { onWake, onError }: { onWake(): void; onError(error: unknown): void },
): Promise<Notifier> {
  // This node's own commit has already woken it.
  const self = randomUUID();
  // Its own commit need not reach the disk, where it would keep commits of changes waiting.
  const notification = Prisma.sql`SELECT set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${self})`;
  const onPayload = (sender: string): void => (sender === self ? undefined : onWake());
  const listener = await listen(url, channel, { onPayload, onUp: onWake, onError });
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  let sending: Promise<unknown> = Promise.resolve();
  const send = (): void => {
    isWanted = false;
    timer = setTimeout(rest, gather);
    sending = query(notification).catch(onError);
  };
  const rest = (): void => {
    timer = undefined;
    if (isWanted) send();
  };
  return {
    announce() {
      isWanted = true;
      if (timer === undefined) send();
    },
    async close() {
      clearTimeout(timer);
      await sending;
      await listener.close();
    },
  };
}
