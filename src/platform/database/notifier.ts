import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from './generated/prisma/client.ts';
import type { Database } from './database.ts';
import pg from 'pg';
import { connectClient, databaseUnavailable, startOptions, endIfSilent } from './connection.ts';

/** Wakes the other nodes. A lost wake-up delays an outcome until their next periodic check, and never loses it. */
interface Notifier {
  /** Announces a commit, after it. Notifications go in batches over one connection, never inside the writing transaction. */
  announce(): void;
  close(): Promise<void>;
}

/** Notifier for a database without LISTEN: the other nodes poll. */
export const noNotifier: Notifier = { announce() {}, async close() {} };

const channel = 'assentry';
/** Limits of NOTIFY, which takes a lock of the whole server: ten at once, then one each ten milliseconds. */
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

  /** Sends notifications; commits that arrive meanwhile share the next one. */
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

/** Wait in milliseconds before each call, so that `burst` go at once and then one in each `spacingMs`. */
export function createSpacing({ burst, spacingMs }: { burst: number; spacingMs: number }): (now: number) => number {
  let evenly = 0; // due time of the next if all had kept their distance
  return (now) => {
    const wait = Math.max(0, evenly - (burst - 1) * spacingMs - now);
    evenly = Math.max(evenly, now) + spacingMs;
    return wait;
  };
}

interface Listener {
  onPayload: (payload: string) => void;
  /** Called after each connection is made. Earlier notifications are lost, so read again. */
  onUp?: () => void;
  onError?: (error: Error) => void;
}

export interface Listening {
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/**
 * Listens to a channel on a separate connection, which is made again whenever it is lost. Throws `database-unavailable` if the
 * first connection fails; later failures go to `onError` and are retried.
 */
export async function listen(url: string, channel: string, listener: Listener): Promise<Listening> {
  let current: pg.Client | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const connect = async (): Promise<void> => {
    const options = startOptions();
    const client = await connectClient({
      connectionString: url,
      keepAlive: true,
      application_name: 'assentry listen',
      options,
    });
    endIfSilent(client);
    client.on('notification', ({ payload }) => listener.onPayload(payload ?? ''));
    client.on('error', (error) => lose(client, error));
    client.on('end', () => lose(client));
    await subscribe(client, channel);
    if (isClosed) return client.end();
    current = client; // only now: before this point the awaiting caller retries
    listener.onUp?.();
  };
  const lose = (client: pg.Client, error?: Error): void => {
    if (current !== client) return;
    current = undefined;
    if (error) listener.onError?.(error);
    retryAfter(FIRST_RETRY_MS);
  };
  const retryAfter = (delay: number): void => {
    if (isClosed) return;
    retryTimer = setTimeout(() => {
      connect().catch((error: Error) => {
        listener.onError?.(error);
        retryAfter(Math.min(delay * 2, LAST_RETRY_MS));
      });
    }, delay);
  };

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retryTimer);
      const client = current;
      current = undefined;
      await client?.end();
    },
  };
}

async function subscribe(client: pg.Client, channel: string): Promise<void> {
  try {
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  } catch (cause) {
    await client.end().catch(() => {});
    throw databaseUnavailable(cause);
  }
}
