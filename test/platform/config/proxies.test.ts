import { expect, test } from '@jest/globals';
import { readTrustedProxies } from '#platform/config/serving';

test.each<[string | undefined, string[]]>([
  [undefined, ['loopback']],
  ['none', []],
  ['loopback, uniquelocal', ['loopback', 'uniquelocal']],
  ['10.0.0.0/8,192.0.2.7,fd00::/8', ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']],
])('%j are the trusted proxies %j', (text, proxies) => {
  expect(readTrustedProxies(text === undefined ? {} : { ASSENTRY_TRUSTED_PROXIES: text })).toEqual(proxies);
});

test.each([
  'true',
  'proxy.example.com',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.0/8/8',
  '1',
  'loopback,',
  'none,loopback',
])('%j is refused: a name or everyone is no proxy to trust', (text) => {
  expect(() => readTrustedProxies({ ASSENTRY_TRUSTED_PROXIES: text })).toThrowProblem('config-invalid');
});
