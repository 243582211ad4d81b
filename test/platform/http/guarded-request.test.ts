import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { sendGuarded } from '#platform/http/client/guarded-request';
import { createReach, loopbackNetworks } from '#platform/http/client/reachable-addresses';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
let calls = 0;
const server = createServer((request, response) => {
  calls += 1;
  answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const url = new URL(`http://127.0.0.1:${port}/path?query=1`);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  calls = 0;
  answer = (_request, response) => void response.end('answer');
});

const local = createReach(loopbackNetworks);
const send = (to: URL, request: RequestInit = {}, mayReach = local) =>
  sendGuarded(to, request, { mayReach, timeoutMs: 500, maxBytes: 100 });

test('an answer has its status, its headers and its body', async () => {
  answer = (request, response) =>
    void response
      .writeHead(418, { 'x-seen': [request.method, request.url, request.headers.host].join(' ') })
      .end('tea');
  const { status, headers, text } = await send(url, { method: 'DELETE', body: 'x' }).then(async (whole) => ({
    status: whole.status,
    headers: whole.headers,
    text: await whole.text(),
  }));
  expect([status, headers.get('x-seen'), text]).toEqual([418, `DELETE /path?query=1 127.0.0.1:${port}`, 'tea']);
});

test.each(['DELETE', 'POST', 'PUT'])('a body is sent with %s', async (method) => {
  answer = (request, response) => void request.pipe(response);
  const body = new URLSearchParams({ token: 'a b' });
  expect(await (await send(url, { method, body })).text()).toBe('token=a+b');
});

test('an answer without a body has none', async () => {
  answer = (_request, response) => void response.writeHead(204).end();
  expect((await send(url)).body).toBeNull();
});

test('a redirect is the answer', async () => {
  answer = (_request, response) => void response.writeHead(302, { location: url.href }).end();
  expect((await send(url)).status).toBe(302);
  expect(calls).toBe(1);
});

test.each([
  ['this machine', `http://127.0.0.1:${port}`],
  ['its name', `http://localhost:${port}`],
  ['it over https', `https://127.0.0.1:${port}`],
  ['a private network', 'https://10.1.2.3'],
  ['the metadata of a cloud', 'https://169.254.169.254'],
])('nothing is sent to %s where only public addresses are allowed', async (_what, address) => {
  await expect(send(new URL(address), {}, createReach([]))).rejects.toThrowProblem('unavailable');
  expect(calls).toBe(0);
});

test.each(['http://93.184.215.14', 'http://id.example.com', 'http://10.1.2.3', 'ftp://127.0.0.1'])(
  'nothing is sent to %s, which is neither https nor on this machine',
  async (address) => {
    await expect(send(new URL(address), {}, () => true)).rejects.toThrow(/it is no public address/);
  },
);

test.each<[string, Answer]>([
  ['never comes', () => {}],
  ['never ends', (_request, response) => void response.write('x')],
  ['is too long', (_request, response) => void response.end('x'.repeat(101))],
  ['breaks off', (_request, response) => void response.write('x', () => response.destroy())],
  ['is no HTTP', (request) => void request.socket.end('nonsense')],
  [
    'changes the protocol',
    (request) => void request.socket.end('HTTP/1.1 101 Now\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'),
  ],
])('an answer that %s is problem unavailable', async (_what, next) => {
  answer = next;
  await expect(send(url)).rejects.toThrowProblem('unavailable');
});

test('a name that leads nowhere is problem unavailable', async () => {
  await expect(send(new URL('https://nowhere.invalid'))).rejects.toThrowProblem('unavailable');
});
