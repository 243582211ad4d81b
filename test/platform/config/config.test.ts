import { defaultSessions } from '#people/directory/contract/user';
import { describe, expect, test } from '@jest/globals';
import { logLevels, readConfig, defaultLimits, defaultRates } from '#platform/config/config';
import { readEnvironment, variableNames, type Environment, type VariableName } from '#platform/config/env';
import { Problem } from '#platform/model/problem';

const production = {
  environment: 'production',
  secondFactor: 'required',
  defaults: { unknownTools: 'approvers', requester: 'verified', readingTime: 5_000 },
};

const defaults = {
  host: '127.0.0.1',
  port: 4700,
  publicUrl: null,
  dataDirectory: null,
  databaseUrl: null,
  listenUrl: null,
  databasePort: null,
  environment: 'trial',
  defaults: { unknownTools: 'requester', requester: 'any', readingTime: 0 },
  limits: defaultLimits,
  rates: defaultRates,
  sessions: defaultSessions,
  secondFactor: 'optional',
  logHead: null,
  logCopies: null,
  logLevel: 'info',
  shutdownGrace: 0,
};

describe('the environment', () => {
  test('gives the variables that have a name, and no others', () => {
    const source = Object.fromEntries(variableNames.map((name) => [name, `value of ${name}`]));
    expect(readEnvironment({ ...source, PATH: '/bin', ASSENTRY_PROT: '1' })).toEqual(source);
  });

  test('takes an empty variable for an absent one', () => {
    expect(readEnvironment({ ASSENTRY_PORT: '', DATABASE_URL: '', ASSENTRY_SECRET: '' })).toEqual({});
  });
});

describe('settings', () => {
  test('all have a default', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  const good: [VariableName, string, Partial<Record<keyof typeof defaults, unknown>>][] = [
    ['ASSENTRY_HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['ASSENTRY_HOST', '::1', { host: '::1' }],
    ['ASSENTRY_HOST', 'node_1.internal', { host: 'node_1.internal' }],
    ['ASSENTRY_PORT', '0', { port: 0 }],
    ['ASSENTRY_PORT', '65535', { port: 65_535 }],
    ['ASSENTRY_PUBLIC_URL', 'https://approvals.example.com', { publicUrl: 'https://approvals.example.com' }],
    ['ASSENTRY_PUBLIC_URL', 'https://Approvals.Example.com:443/', { publicUrl: 'https://approvals.example.com' }],
    ['ASSENTRY_PUBLIC_URL', 'http://localhost:8080', { publicUrl: 'http://localhost:8080' }],
    ['ASSENTRY_DATA_DIR', '/srv/assentry data', { dataDirectory: '/srv/assentry data' }],
    ['ASSENTRY_DB_PORT', '5433', { databasePort: 5433 }],
    ['ASSENTRY_DB_LISTEN', 'postgresql://db/direct', { listenUrl: 'postgresql://db/direct' }],
    ['ASSENTRY_DB_LISTEN', 'off', { listenUrl: 'off' }],
    ['ASSENTRY_LOG_HEAD', '/srv/head', { logHead: '/srv/head' }],
    [
      'DATABASE_URL',
      'postgresql://ada:s3cret@db:5432/assentry',
      { ...production, databaseUrl: 'postgresql://ada:s3cret@db:5432/assentry', shutdownGrace: 5 },
    ],
    [
      'DATABASE_URL',
      'postgres://db/assentry?sslmode=require',
      { ...production, databaseUrl: 'postgres://db/assentry?sslmode=require', shutdownGrace: 5 },
    ],
    ...logLevels.map((level): [VariableName, string, object] => ['ASSENTRY_LOG_LEVEL', level, { logLevel: level }]),
    ['ASSENTRY_SHUTDOWN_GRACE', '300', { shutdownGrace: 300 }],
    ['ASSENTRY_ENVIRONMENT', 'staging', { ...production, environment: 'staging' }],
    ['ASSENTRY_ENVIRONMENT', 'production', production],
    ['ASSENTRY_UNKNOWN_TOOLS', 'deny', { defaults: { unknownTools: 'deny', requester: 'any', readingTime: 0 } }],
    [
      'ASSENTRY_REQUESTER',
      'verified',
      { defaults: { unknownTools: 'requester', requester: 'verified', readingTime: 0 } },
    ],
    ['ASSENTRY_SECOND_FACTOR', 'required', { secondFactor: 'required' }],
    ['ASSENTRY_READING_TIME', '12', { defaults: { unknownTools: 'requester', requester: 'any', readingTime: 12_000 } }],
    ['ASSENTRY_MAX_OPEN_PER_SERVER', '7', { limits: { ...defaultLimits, perServer: 7 } }],
    ['ASSENTRY_MAX_CALLS_PER_MINUTE', '90', { rates: { ...defaultRates, calls: 90 } }],
    ['ASSENTRY_MAX_IN_PROGRESS', '64', { rates: { ...defaultRates, inProgress: 64 } }],
    ['ASSENTRY_MAX_IN_PROGRESS_PER_CALLER', '8', { rates: { ...defaultRates, inProgressPerCaller: 8 } }],
    ['ASSENTRY_SESSION_IDLE', '15', { sessions: { ...defaultSessions, idle: 900_000 } }],
    ['ASSENTRY_SESSION_LONGEST', '10080', { sessions: { ...defaultSessions, longest: 604_800_000 } }],
  ];
  test.each(good)('%s=%s is taken', (name, text, expected) => {
    expect(readConfig({ [name]: text })).toEqual({ ...defaults, ...expected });
  });

  const wrong: [VariableName, string, string][] = [
    ['ASSENTRY_HOST', 'http://localhost', 'the port goes into ASSENTRY_PORT'],
    ['ASSENTRY_HOST', 'localhost:4700', 'such as 127.0.0.1 or 0.0.0.0'],
    ['ASSENTRY_HOST', '[::1]', 'a name or an address alone'],
    ['ASSENTRY_READING_TIME', '301', 'from 0 to 300'],
    ['ASSENTRY_PORT', '65536', 'from 0 to 65535'],
    ['ASSENTRY_PORT', '-1', 'from 0 to 65535'],
    ['ASSENTRY_PORT', '4700 ', 'from 0 to 65535'],
    ['ASSENTRY_PORT', '0x10', 'from 0 to 65535'],
    ['ASSENTRY_PORT', '1e3', 'from 0 to 65535'],
    ['ASSENTRY_DB_PORT', '0', 'from 1 to 65535'],
    ['ASSENTRY_DB_PORT', 'five', 'from 1 to 65535'],
    ['ASSENTRY_PUBLIC_URL', 'approvals.example.com', 'such as https://approvals.example.com'],
    ['ASSENTRY_PUBLIC_URL', 'https://example.com/approvals', 'without path'],
    ['ASSENTRY_PUBLIC_URL', 'https://example.com/?a=1', 'without path'],
    ['ASSENTRY_PUBLIC_URL', 'https://example.com/#inbox', 'without path'],
    ['ASSENTRY_PUBLIC_URL', 'ftp://example.com', 'such as https://'],
    ['ASSENTRY_PUBLIC_URL', 'javascript:alert(1)', 'such as https://'],
    ['ASSENTRY_SHUTDOWN_GRACE', '301', 'from 0 to 300'],
    ['ASSENTRY_SHUTDOWN_GRACE', '5s', 'a number of seconds'],
    ['ASSENTRY_LOG_LEVEL', 'loud', 'one of silent, error, warn, info, debug'],
    ['ASSENTRY_LOG_LEVEL', 'INFO', 'one of silent, error, warn, info, debug'],
    ['ASSENTRY_ENVIRONMENT', 'the staging', '"the staging"'],
    ['ASSENTRY_UNKNOWN_TOOLS', 'allow', 'one of requester, approvers, deny'],
    ['ASSENTRY_REQUESTER', 'everyone', 'one of verified, any'],
    ['ASSENTRY_MAX_OPEN_PER_REQUESTER', '0', 'from 1 to'],
    ['ASSENTRY_MAX_OPEN_PER_APPROVER', 'many', 'from 1 to'],
    ['ASSENTRY_SECOND_FACTOR', 'off', 'one of required, optional'],
    ['ASSENTRY_SESSION_IDLE', '4', 'from 5 to 10080'],
    ['ASSENTRY_SESSION_LONGEST', '12h', 'from 5 to 10080'],
  ];
  test.each(wrong)('%s=%s is refused, with what was found and what is allowed', (name, text, allowed) => {
    const problem = problemOf({ [name]: text });
    expect(problem.message).toMatch(new RegExp(`^${name}: found `));
    expect(problem.message).toContain(JSON.stringify(text));
    expect(problem.message).toContain(allowed);
    expect(problem.message.split('\n')).toHaveLength(1);
  });

  const confidential: [VariableName, string][] = [
    ['DATABASE_URL', 'mysql://ada:s3cret@db/assentry'],
    ['DATABASE_URL', 'postgresql://ada:s3cret@db:port/assentry'],
    ['DATABASE_URL', 's3cret'],
    ['DATABASE_URL', 'host=db user=ada password=s3cret'],
    ['ASSENTRY_PUBLIC_URL', 'https://ada:s3cret@example.com'],
    ['ASSENTRY_PUBLIC_URL', 'https://:s3cret@example.com'],
    ['ASSENTRY_PUBLIC_URL', 'ada:s3cret@example.com'],
  ];
  test.each(confidential)('%s=%s is refused without repeating the password', (name, text) => {
    const problem = problemOf({ [name]: text });
    expect(problem.message).toMatch(new RegExp(`^${name}: found .*; give `));
    expect(JSON.stringify([problem.message, problem.errors, problem.stack])).not.toContain('s3cret');
  });
});

function problemOf(environment: Environment): Problem {
  try {
    readConfig(environment);
  } catch (error) {
    expect(() => readConfig(environment)).toThrowProblem('config-invalid');
    if (error instanceof Problem) return error;
  }
  throw new Error(`Nothing was refused in ${JSON.stringify(environment)}.`);
}
