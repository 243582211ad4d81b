import { Problem, describeError } from '../model/problem.ts';

/**
 * The Problem of a failed statement: `database-unavailable` if the database or the way to it has a fault, `write-conflict` if
 * another writer was first. Other errors are returned unchanged.
 */
export function problemFrom(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const codes = codesOf(error);
  if (codes.some((code) => conflicts.has(code))) return new Problem('write-conflict', { cause: error });
  const isFault =
    codes.some((code) => faults.test(code)) || endsConnection(error) || lostConnection.test(describeError(error));
  return isFault ? new Problem('database-unavailable', { cause: error }) : error;
}

/** Codes of a lock timeout, a deadlock and a failed serialization, with Prisma's code for the last two. */
const conflicts = new Set(['55P03', '40P01', '40001', 'P2034']);

const faults = new RegExp(
  [
    '08...|53...|57...|58...', // connection, lack of a resource, operator or timeout, system
    '25006|28...|3D000', // read-only, login, no such database
    'P1\\d{3}|P2024|P2028|P2037', // Prisma's codes for connections, its pool, its transactions and too many connections
    'ECONN[A-Z]+|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH',
  ]
    .map((codes) => `^(${codes})$`)
    .join('|'),
);

/** Errors for which the driver has no code. */
const lostConnection = new RegExp(
  '^(Connection terminated|timeout exceeded when trying to connect|Query read timeout' +
    '|Client (was closed|has encountered a connection error)|Cannot use a pool after calling end)',
);

interface Carrier extends AdapterError {
  name?: unknown;
  code?: unknown;
  severity?: unknown;
  meta?: { driverAdapterError?: AdapterError };
}

interface AdapterError {
  cause?: { originalCode?: unknown; kind?: unknown; severity?: unknown };
}

const carrierOf = (error: unknown): Carrier => (typeof error === 'object' && error !== null ? error : {});

/** PostgreSQL's error as the adapter has it; Prisma wraps it, except at a commit. */
const adaptedIn = (carrier: Carrier): NonNullable<AdapterError['cause']> =>
  (carrier.name === 'DriverAdapterError' ? carrier : carrier.meta?.driverAdapterError)?.cause ?? {};

/** The codes of Prisma, Node and PostgreSQL. */
function codesOf(error: unknown): string[] {
  const carrier = carrierOf(error);
  const { originalCode, kind } = adaptedIn(carrier);
  const codes = [carrier.code, originalCode, typeof kind === 'string' ? prismaCodes[kind] : undefined];
  return codes.filter((each) => typeof each === 'string');
}

/**
 * Does the error end the connection? No statement of ours does; PostgreSQL's own faults do, some with the code of any internal
 * error.
 */
function endsConnection(error: unknown): boolean {
  const carrier = carrierOf(error);
  return [carrier.severity, adaptedIn(carrier).severity].some((each) => each === 'FATAL' || each === 'PANIC');
}

/** Codes by the words of a raw statement's error, which has no code for a missing connection. */
const prismaCodes: Record<string, string> = {
  DatabaseNotReachable: 'P1001',
  SocketTimeout: 'P1008',
  TlsConnectionError: 'P1011',
  ConnectionClosed: 'P1017',
  TooManyConnections: 'P2037',
};
