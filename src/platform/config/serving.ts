import { refuseVariable } from './config.ts';
import type { Environment, VariableName } from './env.ts';
import { isIP } from 'node:net';
import { z } from 'zod';
import { readJsonFile } from './secrets.ts';

/** Limits of callers' connections at a node. Times are milliseconds. */
export interface Serving {
  /** Connections at the same time; more are closed at once. */
  connections: number;
  /** Time a request has to arrive. */
  requestTimeout: number;
  /** Time a connection is kept for the next request. */
  keepAliveTimeout: number;
  /** Time answers have to end when the node stops. */
  drainTimeout: number;
  /** Interval between two signs of life on a stream. */
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

/** Limits of connections; problem `config-invalid` names the faulty variable. */
export function readServing(environment: Environment): Serving {
  return {
    connections: readNumber(environment, 'ASSENTRY_MAX_CONNECTIONS', [10, 1_000_000]) ?? defaultServing.connections,
    requestTimeout: readSeconds(environment, 'ASSENTRY_REQUEST_TIMEOUT', [1, 300]) ?? defaultServing.requestTimeout,
    keepAliveTimeout: readSeconds(environment, 'ASSENTRY_KEEP_ALIVE', [1, 3600]) ?? defaultServing.keepAliveTimeout,
    drainTimeout: readSeconds(environment, 'ASSENTRY_DRAIN_TIMEOUT', [1, 300]) ?? defaultServing.drainTimeout,
    heartbeat: readSeconds(environment, 'ASSENTRY_HEARTBEAT', [1, 30]) ?? defaultServing.heartbeat,
  };
}

/** Use of the database; problem `config-invalid` names the faulty variable. */
export function readPooling(environment: Environment): Pooling {
  return {
    connections: readNumber(environment, 'ASSENTRY_DB_CONNECTIONS', [2, 500]) ?? defaultPooling.connections,
    statementTimeout:
      readSeconds(environment, 'ASSENTRY_DB_STATEMENT_TIMEOUT', [1, 300]) ?? defaultPooling.statementTimeout,
    isPooled: readPooler(environment),
  };
}

/** Reads whether a pooler is used. Behind one that lends its connections, a node would get no notifications. */
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

/** Proxies on the same machine. */
export const defaultProxies: readonly string[] = ['loopback'];

/** Proxies that are trusted to name a caller's address; problem `config-invalid` names invalid ones. */
export function readTrustedProxies({ ASSENTRY_TRUSTED_PROXIES: text }: Environment): readonly string[] {
  if (text === undefined) return defaultProxies;
  if (text === 'none') return [];
  const proxies = text.split(',').map((proxy) => proxy.trim());
  const wrong = proxies.find((proxy) => !ranges.has(proxy) && !isNetwork(proxy));
  if (wrong === undefined) return proxies;
  const allowed = 'give addresses and networks such as 10.0.0.0/8, or loopback, uniquelocal, linklocal, or none';
  throw refuseVariable('ASSENTRY_TRUSTED_PROXIES', JSON.stringify(wrong), allowed);
}

const ranges = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Is it an address or, with a prefix, a network? */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}

const address = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}, 'Give an https address.');

const name = z.string().min(1);
const audience = z.union([name.transform((only) => [only]), z.array(name).min(1)]);
const tokens = { issuer: name, audience };

const TokenSource = z.union([
  z.strictObject({ ...tokens, jwks: address }),
  z.strictObject({ ...tokens, introspection: address, clientId: name, clientSecret: name }),
]);

const TokenSources = z.record(z.string(), TokenSource);
/** Checks of callers' access tokens, by the name of each server. */
export type TokenSources = Readonly<z.infer<typeof TokenSources>>;

/**
 * Checks of callers' access tokens, by the name of each server; none without the file. Problem `config-invalid` names the file
 * and the place in it, and repeats no secret.
 */
export function readTokenSources({ ASSENTRY_ACCESS_TOKENS: file }: Environment): TokenSources {
  if (file === undefined) return {};
  const { data, error } = TokenSources.safeParse(readJsonFile(variable, file, usage));
  if (data) return data;
  const place = error.issues[0]?.path.join('.') ?? '';
  throw refuseVariable(variable, `${file}, which is wrong at ${JSON.stringify(place)}`, usage);
}

const variable = 'ASSENTRY_ACCESS_TOKENS';
const usage =
  'give a file like the one in docs/settings.md, with issuer, audience and jwks or introspection of each server';

/** Token that readers of `/metrics` must send; null closes it. Problem `config-invalid` names the fault, never the token. */
export function readMetricsToken({ ASSENTRY_METRICS_TOKEN: text }: Environment): string | null {
  if (text === undefined || /^[\w.~+/=-]{32,256}$/.test(text)) return text ?? null;
  const allowed = 'give 32 to 256 letters, digits and -._~+/=, such as from openssl rand -hex 32';
  throw refuseVariable('ASSENTRY_METRICS_TOKEN', 'something else (not shown, for it is a secret)', allowed);
}
