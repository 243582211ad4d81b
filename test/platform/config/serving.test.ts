import { expect, test } from '@jest/globals';
import { readPooling, readServing, defaultPooling, defaultServing } from '#platform/config/serving';

const read = (environment: object) => ({ ...readServing(environment), pooling: readPooling(environment) });
const usual = { ...defaultServing, pooling: defaultPooling };

test('all have a default', () => {
  expect(read({})).toEqual(usual);
});

test.each([
  ['ASSENTRY_MAX_CONNECTIONS', '500', { connections: 500 }],
  ['ASSENTRY_REQUEST_TIMEOUT', '5', { requestTimeout: 5_000 }],
  ['ASSENTRY_KEEP_ALIVE', '650', { keepAliveTimeout: 650_000 }],
  ['ASSENTRY_DRAIN_TIMEOUT', '300', { drainTimeout: 300_000 }],
  ['ASSENTRY_HEARTBEAT', '30', { heartbeat: 30_000 }],
  ['ASSENTRY_DB_CONNECTIONS', '40', { pooling: { ...defaultPooling, connections: 40 } }],
  ['ASSENTRY_DB_STATEMENT_TIMEOUT', '20', { pooling: { ...defaultPooling, statementTimeout: 20_000 } }],
])('%s=%s is taken', (name, text, expected) => {
  expect(read({ [name]: text })).toEqual({ ...usual, ...expected });
});

test('a pooler needs another address to listen at, or none', () => {
  const pooled = { ...usual, pooling: { ...defaultPooling, isPooled: true } };
  expect(read({ ASSENTRY_DB_POOLER: 'on', ASSENTRY_DB_LISTEN: 'off' })).toEqual(pooled);
  expect(() => read({ ASSENTRY_DB_POOLER: 'on' })).toThrow('ASSENTRY_DB_LISTEN: found nothing;');
  expect(() => read({ ASSENTRY_DB_POOLER: '1' })).toThrow('ASSENTRY_DB_POOLER: found "1"; give on or off.');
});

test.each([
  ['ASSENTRY_MAX_CONNECTIONS', '9', 'from 10 to 1000000'],
  ['ASSENTRY_REQUEST_TIMEOUT', '30s', 'from 1 to 300'],
  ['ASSENTRY_KEEP_ALIVE', '0', 'from 1 to 3600'],
  ['ASSENTRY_DRAIN_TIMEOUT', '0', 'from 1 to 300'],
  ['ASSENTRY_HEARTBEAT', '31', 'from 1 to 30'],
  ['ASSENTRY_DB_CONNECTIONS', '1', 'from 2 to 500'],
  ['ASSENTRY_DB_STATEMENT_TIMEOUT', '-1', 'from 1 to 300'],
])('%s=%s is refused, with what was found and what is allowed', (name, text, allowed) => {
  expect(() => read({ [name]: text })).toThrow(`${name}: found "${text}"; give a number ${allowed}.`);
});
