import { afterAll, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { consoleAddresses } from '#platform/http/contract/addresses';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const { cookie } = await openBrowser(server, 'admin');
const key = await server.newServerKey();

/** The status for a page of another site that leads to this machine under its own name, and may send any header to it. */
const statusAt = (method: string, path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const host = { host: 'evil.example', origin: 'https://evil.example', 'content-type': 'application/json' };
    const sent = request(`${server.url}${path}`, { method, headers: { ...host, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(['GET', 'DELETE'].includes(method) ? undefined : '{}');
  });

const forBrowsers = Object.entries<RouteContract>(routes).filter(
  ([id, { auth }]) => ['session', 'none', 'token'].includes(auth) && id !== 'isAlive' && id !== 'isReady',
);
const doors: [string, string][] = [
  ...forBrowsers.map(([, { method, path }]): [string, string] => [
    method.toUpperCase(),
    path.replaceAll(/\{\w+\}/g, 'any'),
  ]),
  ...consoleAddresses.map((path): [string, string] => ['GET', path.replaceAll(/:\w+|\*\w+|\{[^}]*\}/g, 'any')]),
];

test.each(doors)('%s %s serves no foreign name, whatever the page sends', async (method, path) => {
  for (const authorization of ['x', 'Basic eDp5', `Bearer ${key}`])
    expect([authorization, await statusAt(method, path, { authorization, cookie })]).toEqual([authorization, 403]);
});

test('a program with a credential uses any name', async () => {
  expect(await statusAt('GET', '/v1/identity', { authorization: `Bearer ${key}` })).toBe(200);
  expect(await statusAt('GET', '/api/users', { authorization: 'Bearer asnadm_none', cookie })).toBe(401);
  expect(await statusAt('GET', '/api/users', { cookie })).toBe(403);
  expect(await statusAt('GET', '/healthz', {})).toBe(200);
});
