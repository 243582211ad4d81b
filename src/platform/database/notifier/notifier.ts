import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/database.ts';
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
/** NOTIFY takes a lock for which the whole server waits: ten at once, and then one each ten milliseconds. */
const limits = { burst: 10, spacingMs: 10 };

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
  const waitFor = createSpacing(limits);
  const closing = new AbortController();
  let isWanted = false;
  let sending: Promise<void> | undefined;

  /** Commits that come meanwhile share the next one. */
  async function send(): Promise<void> {
    while (isWanted) {
      const wait = waitFor(performance.now());
      if (wait > 0) await sleep(wait, undefined, { signal: closing.signal }).catch(() => {}); // closing sends at once
      isWanted = false;
      await query(notification).catch(onError);
    }
    sending = undefined;
  }

  return {
    announce() {
      isWanted = true;
      sending ??= send();
    },
    async close() {
      closing.abort();
      await sending;
      await listener.close();
    },
  };
}

/** How long each must wait so that so many go at once, and one in each `spacingMs` from then on. Milliseconds. */
export function createSpacing({ burst, spacingMs }: { burst: number; spacingMs: number }): (now: number) => number {
  let evenly = 0; // when the next would be due if all had kept their distance
  return (now) => {
    const wait = Math.max(0, evenly - (burst - 1) * spacingMs - now);
    evenly = Math.max(evenly, now) + spacingMs;
    return wait;
  };
}
