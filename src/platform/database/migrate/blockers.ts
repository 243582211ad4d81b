import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Milliseconds between two looks, so that a wait for a lock of one second is seen. */
const pauseMs = 300;
const noSession = 'none that this login can see';

interface Watch {
  /** Ends the watch; resolves with the sessions that were waited for last. */
  stop(): Promise<string>;
}

/** The process that serves this connection at PostgreSQL. */
export async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

interface WatchOptions {
  /** Called when the backend waits for other sessions than before, and once a minute. */
  tell?: ((sessions: string) => void) | undefined;
  /** The backend's statement is cancelled when it has waited for others so many milliseconds in all. */
  maxWaitMs?: number;
}

/** Looks on a second connection which sessions this backend waits for. */
export function watchBlockers(
  observer: pg.Client,
  pid: number,
  { tell, maxWaitMs = Infinity }: WatchOptions = {},
): Watch {
  const ending = new AbortController();
  let last = noSession;
  let toldAt = -Infinity;
  let waitedMs = 0;
  const look = async (): Promise<void> => {
    const sessions = await blockersOf(observer, pid);
    if (sessions === null) return;
    const isNew = sessions !== last || performance.now() > toldAt + 60_000;
    last = sessions;
    waitedMs += pauseMs;
    if (waitedMs > maxWaitMs) await observer.query('SELECT pg_cancel_backend($1)', [pid]);
    else if (isNew) {
      toldAt = performance.now();
      tell?.(sessions);
    }
  };
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
      if (!ending.signal.aborted) await look().catch(() => {}); // a lost connection ends the work itself
    }
  })();
  return {
    async stop() {
      ending.abort();
      await watching;
      return last;
    },
  };
}

/** The locks are open to every login, what a session of another login does is not. */
async function blockersOf(observer: pg.Client, pid: number): Promise<string | null> {
  const { rows } = await observer.query<{ session: string }>(
    `SELECT format('process %s (%s%s)', b.pid, coalesce(nullif(a.application_name, ''), a.usename::text, 'a prepared transaction'),
                   ', since ' || a.xact_start) AS session
       FROM unnest(pg_blocking_pids($1)) AS b(pid) LEFT JOIN pg_stat_activity a USING (pid)
      ORDER BY a.xact_start NULLS LAST LIMIT 3`,
    [pid],
  );
  return rows.length === 0 ? null : rows.map(({ session }) => session).join(', ');
}
