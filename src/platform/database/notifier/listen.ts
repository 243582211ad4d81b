import pg from 'pg';
import { connectClient, databaseUnavailable } from '../connection/connect-client.ts';
import { startOptions } from '../connection/session-settings.ts';
import { endIfSilent } from '../connection/silence.ts';

interface Listener {
  onPayload: (payload: string) => void;
  /** Called after each connection is made. What was sent before is lost, so read again. */
  onUp?: () => void;
  onError?: (error: Error) => void;
}

export interface Listening {
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/**
 * Listens to a channel on a separate connection, which is made again whenever it is lost. Throws `database-unavailable`
 * if the first connection fails; later failures go to `onError` and are retried.
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
