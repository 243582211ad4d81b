import { refuseVariable } from '../config.ts';
import type { Environment, VariableName } from '../env.ts';

/** What a node grants its callers' connections. Times are milliseconds. */
export interface Serving {
  /** Connections at the same time; more are closed at once. */
  connections: number;
  /** How long a request may take to arrive. */
  requestTimeout: number;
  /** How long a connection is kept for the next request. */
  keepAliveTimeout: number;
  /** How long answers have to end when the node stops. */
  drainTimeout: number;
  /** Between two signs of life on a stream. */
  heartbeat: number;
}

export const defaultServing: Serving = {
  connections: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000, // proxies keep theirs for a minute, and the one that sends must be the one that closes
  drainTimeout: 10_000,
  heartbeat: 15_000,
};

/** How a node uses its database. */
export interface Pooling {
  connections: number;
  /** Milliseconds a statement may take. */
  statementTimeout: number;
  /** Whether a pooler such as PgBouncer is between: then a connection keeps no statement and no setting of its own. */
  isPooled: boolean;
}

export const defaultPooling: Pooling = { connections: 10, statementTimeout: 5_000, isPooled: false };

/** Problem `config-invalid` names the variable that is wrong. */
export function readServing(environment: Environment): Serving {
  return {
    connections: readNumber(environment, 'ASSENTRY_MAX_CONNECTIONS', [10, 1_000_000]) ?? defaultServing.connections,
    requestTimeout: readSeconds(environment, 'ASSENTRY_REQUEST_TIMEOUT', [1, 300]) ?? defaultServing.requestTimeout,
    keepAliveTimeout: readSeconds(environment, 'ASSENTRY_KEEP_ALIVE', [1, 3600]) ?? defaultServing.keepAliveTimeout,
    drainTimeout: readSeconds(environment, 'ASSENTRY_DRAIN_TIMEOUT', [1, 300]) ?? defaultServing.drainTimeout,
    heartbeat: readSeconds(environment, 'ASSENTRY_HEARTBEAT', [1, 30]) ?? defaultServing.heartbeat,
  };
}

/** Problem `config-invalid` names the variable that is wrong. */
export function readPooling(environment: Environment): Pooling {
  return {
    connections: readNumber(environment, 'ASSENTRY_DB_CONNECTIONS', [2, 500]) ?? defaultPooling.connections,
    statementTimeout:
      readSeconds(environment, 'ASSENTRY_DB_STATEMENT_TIMEOUT', [1, 300]) ?? defaultPooling.statementTimeout,
    isPooled: readPooler(environment),
  };
}

/** Behind a pooler that lends its connections, a node would get no notifications. */
function readPooler({ ASSENTRY_DB_POOLER: text = 'off', ASSENTRY_DB_LISTEN: listening }: Environment): boolean {
  if (text !== 'on' && text !== 'off')
    throw refuseVariable('ASSENTRY_DB_POOLER', JSON.stringify(text), 'give on or off');
  if (text === 'on' && listening === undefined)
    throw refuseVariable(
      'ASSENTRY_DB_LISTEN',
      'nothing',
      'with ASSENTRY_DB_POOLER, give an address past the pooler, or off',
    );
  return text === 'on';
}

type Bounds = [lowest: number, highest: number];

function readNumber(environment: Environment, name: VariableName, [lowest, highest]: Bounds): number | null {
  const text = environment[name];
  if (text === undefined) return null;
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= lowest && number <= highest) return number;
  throw refuseVariable(name, JSON.stringify(text), `give a number from ${lowest} to ${highest}`);
}

function readSeconds(environment: Environment, name: VariableName, bounds: Bounds): number | null {
  const seconds = readNumber(environment, name, bounds);
  return seconds === null ? null : seconds * 1000;
}
