import { Problem } from '../model/problem.ts';
import type { Environment, VariableName } from './env.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Where people reach the console; null means where the server listens. */
  publicUrl: string | null;
  /** Where the embedded database and the generated secret live; null means the default place. */
  dataDirectory: string | null;
  /** Null: run the embedded one. */
  databaseUrl: string | null;
  /** A loopback port for the embedded database instead of its Unix socket. */
  databasePort: number | null;
  logLevel: LogLevel;
}

/** Reads the settings; problem `config-invalid` names the variable, what was found and what is allowed. */
export function readConfig(environment: Environment): Config {
  return {
    host: environment.ASSENTRY_HOST ?? '127.0.0.1',
    port: readPort(environment, 'ASSENTRY_PORT') ?? 4700,
    publicUrl: readPublicUrl(environment),
    dataDirectory: environment.ASSENTRY_DATA_DIR ?? null,
    databaseUrl: readDatabaseUrl(environment),
    databasePort: readPort(environment, 'ASSENTRY_DB_PORT'),
    logLevel: readLogLevel(environment),
  };
}

export const refuseVariable = (name: VariableName | string, found: string, allowed: string): Problem =>
  new Problem('config-invalid', { detail: `${name}: found ${found}; ${allowed}.` });

function readPort(environment: Environment, name: 'ASSENTRY_PORT' | 'ASSENTRY_DB_PORT'): number | null {
  const text = environment[name];
  if (text === undefined) return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw refuseVariable(name, JSON.stringify(text), 'a port is a number from 0 to 65535');
  return port;
}

function readPublicUrl({ ASSENTRY_PUBLIC_URL: text }: Environment): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.username;
  if (!isPlain) {
    throw refuseVariable(
      'ASSENTRY_PUBLIC_URL',
      JSON.stringify(text),
      'an address such as https://approvals.example.com',
    );
  }
  return url.origin;
}

/** A database address holds a password, so what was found is never repeated. */
function readDatabaseUrl({ DATABASE_URL: text }: Environment): string | null {
  if (text === undefined) return null;
  if (URL.canParse(text) && ['postgresql:', 'postgres:'].includes(new URL(text).protocol)) return text;
  throw refuseVariable('DATABASE_URL', 'something else', 'an address such as postgresql://user@host:5432/name');
}

function readLogLevel({ ASSENTRY_LOG_LEVEL: text = 'info' }: Environment): LogLevel {
  const level = logLevels.find((one) => one === text);
  if (!level) throw refuseVariable('ASSENTRY_LOG_LEVEL', JSON.stringify(text), `one of ${logLevels.join(', ')}`);
  return level;
}
