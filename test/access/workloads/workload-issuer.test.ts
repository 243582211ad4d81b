import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createWorkloadCheck } from '#platform/bearer/tokens';

/** What an issuer does while its tokens are checked: it has other keys, says something else, or is away. */
const realNow = Date.now;
let server: Server;
let url = '';
let now = 0;
let isAway = false;
let document: Record<string, unknown> = {};
let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let kid = '';
let jwks: object[] = [];

async function rotate(next: string): Promise<void> {
  pair = await generateKeyPair('ES256', { extractable: true });
  kid = next;
  jwks = [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' }];
}

beforeEach(async () => {
  now = realNow();
  Date.now = () => now; // by it jose tells how old keys are
  server = createServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(307, { location: '/keys' }).end();
    const body = request.url === '/.well-known/openid-configuration' ? document : { keys: jwks };
    response.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  document = { issuer: url, jwks_uri: `${url}/keys` };
  isAway = false;
  await rotate('one');
});
afterEach(() => {
  Date.now = realNow;
  server.close();
  server.closeAllConnections();
});

const sign = () =>
  new SignJWT({ iss: url, sub: 'a', aud: 'b', iat: Math.floor(now / 1000), exp: Math.floor(now / 1000) + 3_000 })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(pair.privateKey);

const open = (parts: object = {}) => createWorkloadCheck([{ issuer: url, longestLife: 3_600, ...parts }], () => now);
const minute = 60_000;

test('its new keys count within a minute, and those it no longer has count no more', async () => {
  const check = open();
  const old = await sign();
  expect(await check(old)).toMatchObject({ state: 'valid', token: { issuer: url, subject: 'a', audience: ['b'] } });
  await rotate('two');
  now += minute;
  expect(await check(await sign())).toMatchObject({ state: 'valid' });
  expect(await check(old)).toEqual({ state: 'refused', why: 'workload-token-wrong' });
});

test('while it is away, its keys count for some minutes, and then nothing is taken', async () => {
  const check = open();
  const token = await sign();
  expect(await check(token)).toMatchObject({ state: 'valid' });
  isAway = true;
  now += minute;
  expect(await check(token)).toMatchObject({ state: 'valid' });
  now += 15 * minute;
  expect(await check(token)).toEqual({ state: 'refused', why: 'workload-issuer-unavailable' });
  isAway = false;
  expect(await check(token)).toMatchObject({ state: 'valid' });
});

test.each([
  ['names another issuer', () => ({ issuer: 'https://evil.example.com' })],
  ['has its keys at an address without TLS', () => ({ jwks_uri: 'http://keys.example.com/keys' })],
  ['has no keys', () => ({ jwks_uri: undefined })],
])('nothing is taken if its document %s', async (_what, parts) => {
  document = { ...document, ...parts() };
  expect(await open()(await sign())).toEqual({ state: 'refused', why: 'workload-issuer-unavailable' });
});

test('no redirect leads to its keys', async () => {
  document = { ...document, jwks_uri: `${url}/moved` };
  expect(await open()(await sign())).toEqual({ state: 'refused', why: 'workload-issuer-unavailable' });
});

test('an issuer with a slash at its end is another one', async () => {
  const check = createWorkloadCheck([{ issuer: `${url}/`, longestLife: 3_600 }], () => now);
  expect(await check(await sign())).toEqual({ state: 'refused', why: 'workload-issuer-unknown' });
});

test('its keys can be named, so that no document is read', async () => {
  document = {};
  expect(await open({ jwks: `${url}/keys` })(await sign())).toMatchObject({ state: 'valid' });
});
