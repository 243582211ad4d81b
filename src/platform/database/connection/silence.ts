import type { Socket } from 'node:net';
import type pg from 'pg';

/** Milliseconds without an answer after which a connection counts as lost: a statement may take half as long. */
export const maxSilenceMs = 10_000;

/** What the types of `pg` leave out. */
interface Inner {
  connection: { stream: Socket };
  readyForQuery: boolean;
}

/**
 * Ends a connection on which an answer is overdue: a network that fails without a word would otherwise hold it, and who
 * waits for it, for ever. A transaction that sets its own statement_timeout is waited for.
 */
export function endIfSilent(client: pg.Client, limit = maxSilenceMs): void {
  const inner = client as unknown as Inner;
  const { stream } = inner.connection;
  let isPatient = false;
  const own = Object.getPrototypeOf(client) as { query(...args: unknown[]): unknown };
  const query = function (this: pg.Client, ...args: unknown[]): unknown {
    isPatient = setsOwnLimit(args[0]) || (isPatient && client.getTransactionStatus() !== 'I');
    return Reflect.apply(own.query, this, args); // looked up now: what watches statements may have come since
  };
  client.query = query as typeof client.query;
  stream.setTimeout(limit);
  stream.on('timeout', () => {
    const isAwaited = !inner.readyForQuery || stream.writableEnded;
    if (isAwaited && !isPatient) stream.destroy();
  });
}

/** Such statements are short, and all others need not be searched. */
const maxSettingLength = 200;

function setsOwnLimit(statement: unknown): boolean {
  const { text = statement } = (statement ?? {}) as { text?: unknown };
  return typeof text === 'string' && text.length < maxSettingLength && text.includes('statement_timeout');
}
