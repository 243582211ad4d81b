import pg from 'pg';
import { Problem } from '../../model/problem/problem.ts';
import { describeError } from '../../model/problem/system-error.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** A connection of its own, outside the pool. Throws `database-unavailable`; the caller ends it. */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  try {
    const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...config });
    client.on('error', () => {}); // a lost connection fails its current query; it must not end the process
    await client.connect();
    return client;
  } catch (cause) {
    throw databaseUnavailable(cause);
  }
}

/** Names the reason but never the connection string, which holds a password. */
export function databaseUnavailable(cause: unknown): Problem {
  const reason = describeError(cause) || 'there is no connection'; // if several addresses fail, the message is empty
  return new Problem('database-unavailable', {
    detail: `Check the database: it cannot be reached (${reason}).`,
    cause,
  });
}
