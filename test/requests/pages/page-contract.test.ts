import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '#platform/http/routes/app';
import { openApiDocument } from '#platform/http/contract/openapi';
import { startTestServer } from '../../support/nodes/server.ts';
import { newFolder } from '../../support/new-folder.ts';

/** A console with one file in three forms, and one that was not compressed. */
async function buildConsole(): Promise<string> {
  const directory = newFolder('assentry-console');
  await mkdir(path.join(directory, 'assets'));
  const files = { 'a.js': 'plain', 'a.js.br': 'brotli', 'a.js.gz': 'gzip', 'b.css': 'plain' };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(directory, 'assets', name), content);
  return directory;
}

const written: string[] = [];
const server = await startTestServer();
const sink = new PassThrough().on('data', (line: Buffer) => written.push(line.toString()));
const log = pino({ level: 'debug' }, sink);
const app = createApp({
  chats: [],
  engine: server.engine,
  leaving: new AbortController().signal,
  shutdown: new AbortController().signal,
  log,
  version: '0',
  trustedProxies: [],
  metricsToken: null,
  heartbeat: 15_000,
  checkReadiness: async () => null,
  readMetrics: async () => '',
  onProblem: () => {},
  rates: { opened: 1e6, calls: 1e6, streams: 1e6, inProgress: 1e6, inProgressPerCaller: 1e6 },
  consoleDirectory: await buildConsole(),
});
const http = createServer((request, response) => void app(request, response));
afterAll(async () => {
  http.close();
  await server.stop();
});
await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

/** As it goes over the wire: fetch would unpack it. */
const getRaw = (at: string, accepted: string): Promise<[IncomingMessage, string]> =>
  new Promise((resolve, reject) => {
    get(`${url}${at}`, { headers: { 'accept-encoding': accepted } }, (response) => {
      text(response).then((body) => resolve([response, body]), reject);
    }).on('error', reject);
  });

test.each([
  ['/assets/a.js', 'gzip, deflate, br', 'br', 'brotli'],
  ['/assets/a.js', 'gzip', 'gzip', 'gzip'],
  ['/assets/a.js', 'identity', undefined, 'plain'],
  ['/assets/b.css', 'br', undefined, 'plain'],
])('%s to a browser that takes %s is sent in its smallest form, for good', async (at, accepted, encoding, body) => {
  const [{ headers }, sent] = await getRaw(at, accepted);
  expect([headers['content-encoding'], sent]).toEqual([encoding, body]);
  expect(headers['content-type']).toMatch(/^text\/(javascript|css)/);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(headers.vary).toContain('accept-encoding');
});

test('CB-08: a token in a path does not reach the log', async () => {
  await fetch(`${url}/e/v1.test.precious-token`);
  await fetch(`${url}/e/v1.test.precious-token`, { method: 'POST' });
  for (const path of ['go', 'Go', 'credentials'])
    await fetch(`${url}/${path}/v1.test.precious-token`, { method: 'POST' });
  await fetch(`${url}/callback/v1.test.precious-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(written.length).toBeGreaterThanOrEqual(6);
  expect(written.join('')).toContain('/callback/…');
  expect(written.join('')).not.toContain('precious');
});

test('WB-03: what a browser stopped on a page is in the log, without what its address may hold', async () => {
  const report = { 'effective-directive': 'script-src', 'blocked-uri': 'https://evil.example/?precious-token' };
  const send = (origin: string, body: string) =>
    fetch(`${url}/csp-reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report', origin },
      body,
    });
  expect((await send(url, JSON.stringify({ 'csp-report': report }))).status).toBe(204);
  expect((await send(url, '{"csp-report":')).status).toBe(204);
  expect((await send('https://evil.example', JSON.stringify({ 'csp-report': report }))).status).toBe(403);
  const lines = written.filter((line) => line.includes('script-src'));
  expect(lines).toEqual([expect.stringContaining('"blocked":"https://evil.example"')]);
  expect(written.join('')).not.toContain('precious');
});

test('the description says which addresses answer with pages and what their forms send', () => {
  const { paths } = openApiDocument('0') as { paths: Record<string, Record<string, unknown>> };
  const page = paths['/e/{token}'];
  expect(page?.['get']).toMatchObject({ security: [], responses: { 200: { content: { 'text/html': {} } } } });
  expect(page?.['post']).toMatchObject({
    requestBody: { content: { 'application/x-www-form-urlencoded': {} } },
    responses: { default: { content: { 'text/html': {} } } },
  });
  expect(paths['/callback/{token}']?.['post']).toMatchObject({
    requestBody: { content: { 'application/json': {} } },
    responses: {
      200: { content: { 'application/json': {} } },
      default: { content: { 'application/problem+json': {} } },
    },
  });
  expect(paths['/v1/tokens']?.['post']).toMatchObject({ security: [{ key: [] }] });
});
