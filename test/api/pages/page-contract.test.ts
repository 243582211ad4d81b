import { PassThrough } from 'node:stream';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../../src/api/app.ts';
import { openApiDocument } from '../../../src/contract/openapi.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let http: Server;
let url: string;
const written: string[] = [];
beforeAll(async () => {
  server = await startTestServer();
  const sink = new PassThrough().on('data', (line: Buffer) => written.push(line.toString()));
  const log = pino({ level: 'debug' }, sink);
  const app = createApp({
    chat: null,
    engine: server.engine,
    leaving: new AbortController().signal,
    shutdown: new AbortController().signal,
    log,
    version: '0',
    consoleDirectory: '/',
  });
  http = createServer((request, response) => void app(request, response));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

test('CB-08: a token in a path does not reach the log', async () => {
  await fetch(`${url}/e/v1.test.precious-token`);
  await fetch(`${url}/e/v1.test.precious-token`, { method: 'POST' });
  await fetch(`${url}/callback/v1.test.precious-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(written.length).toBeGreaterThanOrEqual(3);
  expect(written.join('')).toContain('/callback/…');
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
