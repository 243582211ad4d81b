import { afterAll, describe, expect, test } from '@jest/globals';
import { consoleAddresses } from '#platform/http/contract/addresses';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { addressIn } from '#platform/http/routes/app';
import { startTestServer } from '../../support/nodes/server.ts';

const calls = 3;
const rates = { opened: 1e6, calls, streams: 1e6, inProgress: 1e6, inProgressPerCaller: 1e6 };
const slack = { token: 'xoxb-0000-test', signingSecret: '0'.repeat(32), apiUrl: 'http://127.0.0.1:9/' };
const server = await startTestServer({
  slack,
  rates,
  metricsToken: 'the-token-of-the-operator',
  trustedProxies: ['127.0.0.1'],
});
afterAll(() => server.stop());

let hosts = 0;
const newAddress = (): string => `100.${64 + Math.floor(++hosts / 250)}.7.${hosts % 250}`;

/** The status of one call too many from this address. */
async function statusOfNext(
  method: string,
  path: string,
  from: (at: number) => string,
  headers: Record<string, string> = {},
) {
  let status = 0;
  for (let at = 0; at <= calls; at += 1) {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': from(at),
        origin: server.url,
        ...(method !== 'GET' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(method !== 'GET' && { body: '{}' }),
    });
    await answer.arrayBuffer();
    ({ status } = answer);
  }
  return status;
}

const doors: [string, string][] = [
  ...Object.values<RouteContract>(routes).map(({ method, path }): [string, string] => [
    method.toUpperCase(),
    path.replaceAll(/\{\w+\}/g, 'any'),
  ]),
  ...consoleAddresses.map((path): [string, string] => ['GET', path.replaceAll(/:\w+|\*\w+|\{[^}]*\}/g, 'any')]),
  ['GET', '/nowhere'],
  ['GET', '/v1/nowhere'],
  ['POST', '/nowhere'],
];

test.each(doors)('one call too many a minute is refused at every door: %s %s', async (method, path) => {
  const address = newAddress();
  expect(await statusOfNext(method, path, () => address)).toBe(429);
});

test.each(['garbage', `asn_${'A'.repeat(12)}_x_y`, 'a.b.c', 'asnadm_x'])(
  'guesses of a key are limited: %s',
  async (key) => {
    const address = newAddress();
    expect(await statusOfNext('GET', '/v1/identity', () => address, { authorization: `Bearer ${key}` })).toBe(429);
  },
);

describe('an address behind a proxy', () => {
  test.each<[string, (address: string, at: number) => string]>([
    ['with a port each time', (address, at) => `${address}:${5_000 + at}`],
    ['with spaces, behind another entry', (address) => `10.9.9.9,  ${address}`],
    ['in quotes', (address, at) => `"${address}:${5_000 + at}"`],
  ])('is limited %s', async (_, written) => {
    const address = newAddress();
    expect(await statusOfNext('GET', '/api/sign-in', (at) => written(address, at))).toBe(429);
  });

  test('that is no address is one for all of them', async () => {
    expect(await statusOfNext('GET', '/api/sign-in', (at) => `host-${at}`)).toBe(429);
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7:51812 ', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['"[::1]:80"', '::1'],
    ['203.0.113.7:http', 'unknown'],
    ['203.0.113', 'unknown'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['', 'unknown'],
  ])('%s is read as %s', (entry, address) => expect(addressIn(entry)).toBe(address));
});
