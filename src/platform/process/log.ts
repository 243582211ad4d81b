import { pino, type Logger } from 'pino';
import type { LogLevel } from '../config/config.ts';
import { requestFields } from '../http/client/current-request.ts';

/** The node's own log: one JSON line an event, on standard error. */
export const createLog = (level: LogLevel): Logger =>
  pino(
    { level, serializers: { err: (error) => describeForLog(error) }, mixin: () => requestFields() },
    pino.destination(2),
  );

interface Described {
  type: string;
  message: string;
  code?: unknown;
  stack?: string | undefined;
  cause?: Described;
}

/** Safe members of an error: drivers add statements, values and keys of the connection to theirs. */
export function describeForLog(error: unknown, hasStack = true): Described {
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: String(error) };
  const { name, message, code, stack, cause } = error as Error & { code?: unknown };
  // While the database is away every call fails on it: stacks would tell nothing and fill the disk.
  const isStacked = hasStack && code !== 'database-unavailable';
  return {
    type: name,
    message,
    ...(code !== undefined && { code }),
    ...(isStacked && { stack }),
    ...(cause !== undefined && { cause: describeForLog(cause, isStacked) }),
  };
}
