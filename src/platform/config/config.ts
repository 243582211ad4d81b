import { isIP } from 'node:net';
import { policyDefaults, requesterRules, unknownToolRules, type PolicyDefaults } from '#policies/contract/policy';
import { secondFactorRules, defaultSecondFactor, type SecondFactorRule } from '#access/factors/contract/factor-rule';
import { defaultSessions, type SessionLimits } from '#people/directory/contract/user';
import { Problem } from '../model/problem.ts';
import type { Environment, VariableName } from './env.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Address at which people reach the console; null means where the server listens. */
  publicUrl: string | null;
  /** The directory of the embedded database and the generated secret; null means the default. */
  dataDirectory: string | null;
  /** Null runs the embedded one. */
  databaseUrl: string | null;
  /** Connection on which nodes listen for each other's changes; null means `databaseUrl`, and `off` that they poll instead. */
  listenUrl: string | null;
  /** A loopback port for the embedded database instead of its Unix socket. */
  databasePort: number | null;
  /** A file that keeps the latest head of the log; null means next to the embedded database, or nowhere. */
  logHead: string | null;
  /** A directory for copies of heads of the log; null means none. */
  logCopies: string | null;
  logLevel: LogLevel;
  /** Seconds between SIGTERM and the end of listening, during which `/readyz` sends balancers elsewhere. */
  shutdownGrace: number;
  /** Name of the environment in policies. */
  environment: string;
  /** Defaults without a policy. */
  defaults: PolicyDefaults;
  /** Limits of requests that wait at the same time. */
  limits: FloodLimits;
  /** Call limits of each caller at a node. */
  rates: Rates;
  /** Limits of people's sessions. */
  sessions: SessionLimits;
  /** Must people prove a second factor when they sign in? */
  secondFactor: SecondFactorRule;
}

export interface FloodLimits {
  perServer: number;
  perRequester: number;
  perApprover: number;
}

export const defaultLimits: FloodLimits = { perServer: 20_000, perRequester: 1_000, perApprover: 500 };

/** Limits of one caller at each node. */
export interface Rates {
  /** Requests that one requester may open in a minute. */
  opened: number;
  /** Calls of one server, person or address in a minute. */
  calls: number;
  /** Streams that one server or person may have open. */
  streams: number;
  /** Calls that the node works on at the same time, and bodies that arrive at the same time. */
  inProgress: number;
  /** Share of one server, person or address. */
  inProgressPerCaller: number;
}

export const defaultRates: Rates = {
  opened: 600,
  calls: 6_000,
  streams: 200,
  inProgress: 128,
  inProgressPerCaller: 64,
};

/** Reads the settings; problem `config-invalid` names the variable, what was found and what is allowed. */
export function readConfig(environment: Environment): Config {
  return {
    host: readHost(environment),
    port: readPort(environment, 'ASSENTRY_PORT') ?? 4700,
    publicUrl: readPublicUrl(environment),
    dataDirectory: environment.ASSENTRY_DATA_DIR ?? null,
    databaseUrl: readDatabaseUrl(environment, 'DATABASE_URL'),
    listenUrl: environment.ASSENTRY_DB_LISTEN === 'off' ? 'off' : readDatabaseUrl(environment, 'ASSENTRY_DB_LISTEN'),
    databasePort: readPort(environment, 'ASSENTRY_DB_PORT', 1),
    logHead: environment.ASSENTRY_LOG_HEAD ?? null,
    logCopies: environment.ASSENTRY_LOG_COPIES ?? null,
    logLevel: readLogLevel(environment),
    shutdownGrace: readShutdownGrace(environment),
    environment: readEnvironmentName(environment),
    defaults: readDefaults(environment),
    limits: {
      perServer: readLimit(environment, 'ASSENTRY_MAX_OPEN_PER_SERVER') ?? defaultLimits.perServer,
      perRequester: readLimit(environment, 'ASSENTRY_MAX_OPEN_PER_REQUESTER') ?? defaultLimits.perRequester,
      perApprover: readLimit(environment, 'ASSENTRY_MAX_OPEN_PER_APPROVER') ?? defaultLimits.perApprover,
    },
    rates: {
      opened: readLimit(environment, 'ASSENTRY_MAX_OPENED_PER_MINUTE') ?? defaultRates.opened,
      calls: readLimit(environment, 'ASSENTRY_MAX_CALLS_PER_MINUTE') ?? defaultRates.calls,
      streams: readLimit(environment, 'ASSENTRY_MAX_STREAMS') ?? defaultRates.streams,
      inProgress: readLimit(environment, 'ASSENTRY_MAX_IN_PROGRESS') ?? defaultRates.inProgress,
      inProgressPerCaller:
        readLimit(environment, 'ASSENTRY_MAX_IN_PROGRESS_PER_CALLER') ?? defaultRates.inProgressPerCaller,
    },
    sessions: {
      idle: readMinutes(environment, 'ASSENTRY_SESSION_IDLE') ?? defaultSessions.idle,
      longest: readMinutes(environment, 'ASSENTRY_SESSION_LONGEST') ?? defaultSessions.longest,
    },
    secondFactor:
      readWord(environment, 'ASSENTRY_SECOND_FACTOR', secondFactorRules) ??
      defaultSecondFactor(readEnvironmentName(environment)),
  };
}

/** Problem `config-invalid`. `finding` must not repeat a secret; `allowed` says what to do instead. */
export const refuseVariable = (name: VariableName, finding: string, allowed: string): Problem =>
  new Problem('config-invalid', { detail: `${name}: found ${finding}; ${allowed}.` });

function readHost({ ASSENTRY_HOST: text = '127.0.0.1' }: Environment): string {
  if (isIP(text) !== 0 || /^[\w-]+(\.[\w-]+)*$/.test(text)) return text;
  const allowed = 'give a name or an address alone, such as 127.0.0.1 or 0.0.0.0; the port goes into ASSENTRY_PORT';
  throw refuseVariable('ASSENTRY_HOST', JSON.stringify(text), allowed);
}

function readPort(
  environment: Environment,
  name: 'ASSENTRY_PORT' | 'ASSENTRY_DB_PORT',
  lowest: 0 | 1 = 0,
): number | null {
  const text = environment[name];
  if (text === undefined) return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= lowest && port <= 65_535) return port;
  throw refuseVariable(name, JSON.stringify(text), `give a number from ${lowest} to 65535`);
}

function readPublicUrl({ ASSENTRY_PUBLIC_URL: text }: Environment): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  const finding = text.includes('@') ? 'something with an @, which may hold a password' : JSON.stringify(text);
  const allowed = 'give an address without path, such as https://approvals.example.com';
  throw refuseVariable('ASSENTRY_PUBLIC_URL', finding, allowed);
}

/** A database address contains a password, so it is never repeated. */
function readDatabaseUrl(environment: Environment, name: 'DATABASE_URL' | 'ASSENTRY_DB_LISTEN'): string | null {
  const text = environment[name];
  if (text === undefined) return null;
  if (URL.canParse(text) && ['postgresql:', 'postgres:'].includes(new URL(text).protocol)) return text;
  const finding = 'something that is no address of a PostgreSQL server (not shown, for it may hold a password)';
  throw refuseVariable(name, finding, 'give one such as postgresql://user:password@host:5432/name');
}

type LimitName = Extract<VariableName, `ASSENTRY_MAX_${string}`>;

function readLimit(environment: Environment, name: LimitName): number | null {
  const text = environment[name];
  if (text === undefined) return null;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw refuseVariable(name, JSON.stringify(text), 'give a number from 1 to 9999999');
}

/** Reads minutes as milliseconds: up to a week. A session's use is noted once a minute, so a few minutes are the least. */
function readMinutes(
  environment: Environment,
  name: 'ASSENTRY_SESSION_IDLE' | 'ASSENTRY_SESSION_LONGEST',
): number | null {
  const text = environment[name];
  if (text === undefined) return null;
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (minutes >= 5 && minutes <= 10_080) return minutes * 60_000;
  throw refuseVariable(name, JSON.stringify(text), 'give a number of minutes from 5 to 10080');
}

/** The default environment: an installation with an embedded database serves one machine and is a trial. */
export const defaultEnvironment = (databaseUrl: string | null | undefined): string =>
  databaseUrl ? 'production' : 'trial';

function readEnvironmentName({ ASSENTRY_ENVIRONMENT, DATABASE_URL }: Environment): string {
  const text = ASSENTRY_ENVIRONMENT ?? defaultEnvironment(DATABASE_URL);
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  const allowed = 'give 1 to 64 letters, digits, dots, dashes and underscores, such as production';
  throw refuseVariable('ASSENTRY_ENVIRONMENT', JSON.stringify(text), allowed);
}

function readDefaults(environment: Environment): PolicyDefaults {
  const defaults = policyDefaults(readEnvironmentName(environment));
  return {
    unknownTools: readWord(environment, 'ASSENTRY_UNKNOWN_TOOLS', unknownToolRules) ?? defaults.unknownTools,
    requester: readWord(environment, 'ASSENTRY_REQUESTER', requesterRules) ?? defaults.requester,
    readingTime: readReadingTime(environment) ?? defaults.readingTime,
  };
}

function readReadingTime({ ASSENTRY_READING_TIME: text }: Environment): number | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 300) return Number(text) * 1000;
  throw refuseVariable('ASSENTRY_READING_TIME', JSON.stringify(text), 'give a number of seconds from 0 to 300');
}

function readWord<T extends string>(environment: Environment, name: VariableName, words: readonly T[]): T | null {
  const text = environment[name];
  if (text === undefined) return null;
  const word = words.find((choice) => choice === text);
  if (word === undefined) throw refuseVariable(name, JSON.stringify(text), `give one of ${words.join(', ')}`);
  return word;
}

/** Grace at shutdown. An embedded database has one node, so its balancer has no other. */
function readShutdownGrace({ ASSENTRY_SHUTDOWN_GRACE: text, DATABASE_URL: shared }: Environment): number {
  if (text === undefined) return shared === undefined ? 0 : 5;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 300) return Number(text);
  throw refuseVariable('ASSENTRY_SHUTDOWN_GRACE', JSON.stringify(text), 'give a number of seconds from 0 to 300');
}

function readLogLevel({ ASSENTRY_LOG_LEVEL: text = 'info' }: Environment): LogLevel {
  const level = logLevels.find((name) => name === text);
  if (!level) throw refuseVariable('ASSENTRY_LOG_LEVEL', JSON.stringify(text), `give one of ${logLevels.join(', ')}`);
  return level;
}
