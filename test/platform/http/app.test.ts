import { afterAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { appFiles } from '#requests/pages/routes/connect';
import { createApp } from '#platform/http/routes/app';
import { createChats } from '#notify/chat/channel/chats';
import { consoleAddresses } from '#platform/http/contract/addresses';
import { expressPath } from '#platform/http/routes/route';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const slack = { token: '', signingSecret: '', apiUrl: 'https://slack.example.com/' };
const addresses = { serviceUrl: 'https://a.example/', loginUrl: 'https://b.example/', keysUrl: 'https://c.example/' };
const msteams = { appId: '', appSecret: '', tenant: '', ...addresses };

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const browser = await openBrowser(server);

/** Pages and files of the console, its page for what is not there, and the address of every wrong callback. */
const others = [...consoleAddresses, ...appFiles, '/{*anywhere}', '/callback/*rest'].map((address) => `get ${address}`);

test('what is served is what the table lists, and nothing else', () => {
  const app = createApp({
    chats: createChats({ slack, msteams }, Date.now),
    engine: server.engine,
    log: pino({ level: 'silent' }),
    leaving: new AbortController().signal,
    shutdown: new AbortController().signal,
    version: '0.0.0',
    trustedProxies: [],
    metricsToken: null,
    heartbeat: 15_000,
    checkReadiness: async () => null,
    readMetrics: async () => '',
    onProblem: () => {},
    rates: { opened: 1, calls: 1, streams: 1, inProgress: 1, inProgressPerCaller: 1 },
    consoleDirectory: '/nowhere',
  });
  const registered = new Set(
    app.router.stack.flatMap(({ route }) =>
      route ? [route.path].flat().flatMap((path) => route.stack.map(({ method }) => `${method} ${path}`)) : [],
    ),
  );
  const table = Object.values<RouteContract>(routes).map((route) => `${route.method} ${expressPath(route)}`);
  expect([...registered].filter((name) => !others.includes(name)).sort()).toEqual([...new Set(table)].sort());
});

describe('every answer has its security headers', () => {
  test.each<[string, number, () => Promise<Response>]>([
    ['a created thing', 201, () => asking.call('POST', '/v1/elicitations', question)],
    ['a read thing', 200, () => browser.call('GET', '/api/elicitations')],
    ['nothing', 204, async () => (await openBrowser(server)).call('DELETE', '/api/session')],
    ['a refusal of credentials', 401, () => fetch(`${server.url}/api/session`)],
    ['a refusal of another site', 403, () => fetch(`${server.url}/api/session`, { method: 'POST' })],
    ['an address that is none', 404, () => fetch(`${server.url}/nothing`)],
    ['another method', 405, () => fetch(`${server.url}/v1/elicitations`, { method: 'PUT' })],
    ['a bad body', 400, () => asking.call('POST', '/v1/elicitations', {})],
    ['a body too large', 413, () => asking.call('POST', '/v1/elicitations', { a: 'x'.repeat(2 ** 20) })],
    ['a malformed address', 400, () => fetch(`${server.url}/%E0%A4%A`)],
    ['a page of the console', 200, () => fetch(`${server.url}/inbox`)],
    ['a page for a wrong link', 400, () => fetch(`${server.url}/e/wrong`)],
    ['the document', 200, () => asking.call('GET', '/openapi.json')],
    ['a sign of life', 200, () => fetch(`${server.url}/healthz`)],
    ['a stream', 200, () => asking.call('GET', '/v1/stream')],
  ])('%s', async (_name, status, ask) => {
    const response = await ask();
    const { headers } = response;
    void response.body?.cancel();
    // The console's own page is there only once it is built.
    expect([status, 503]).toContain(response.status);
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split(';').map((part) => {
        const [name = '', ...values] = part.trim().split(' ');
        return [name, values.join(' ')];
      }),
    );
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': expect.not.stringMatching(/unsafe|http|\*/),
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    });
    expect(policy['style-src']).not.toMatch(/unsafe/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toMatch(/^no-store(, no-transform)?$/); // a stream must not be compressed on the way
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});

test('a caller who is not signed in learns how: the challenge names the scheme', async () => {
  const refused = await fetch(`${server.url}/v1/elicitations`, { method: 'POST' });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
});
