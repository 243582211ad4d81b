import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect as openSocket, type AddressInfo, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { beat, endWith, writeTo } from '#gateway/http/messages';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startIssuer } from '../../support/nodes/issuer.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { startGates } from './peers.ts';
import { initialize, post } from './raw-post.ts';
import { bytesOf, send } from './raw-request.ts';
import { inSession, startScripted, type Heard, type ScriptedServer } from './scripted-server.ts';
import { readingPolicy } from '../reading-policy.ts';

const origin = 'https://gate.example.com';
const mebibyte = 1024 * 1024;

const open = closedAfterEach();

const [server, issuer] = await Promise.all([startTestServer(), startIssuer()]);
afterAll(async () => {
  await issuer.close();
  await server.stop();
});
const client = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([readingPolicy]);

/** A gateway before this server, and another one whose clients want their answers meanwhile. */
async function start(script: ScriptedServer['script'] = {}, more: object = {}, size = 1) {
  const [upstream, other] = await Promise.all([startScripted(script), startScripted()]);
  const upstreams = { notes: { url: upstream.url, size }, other: { url: other.url } };
  const gateway = await startGates({ upstreams, clientFor: () => client, more: { ...more } });
  open.push(upstream.close, other.close, () => gateway.close());
  const url = `${gateway.url}/u/notes/mcp`;
  let count = 0;
  return {
    url,
    upstream,
    call: async () => (await post(url, { ...call, id: (count += 1) }, inSession)).text(),
    others: async () => (await post(`${gateway.url}/u/other/mcp`, call, inSession)).text(),
    /** A connection on which this was sent. */
    send(bytes: Buffer): Socket {
      const socket = openSocket(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      open.push(() => socket.destroy());
      socket.write(bytes);
      return socket;
    },
  };
}

const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'read_note', arguments: { text: 'x' } } };

describe('a server whose answer unpacks to much more', () => {
  const spaces = Buffer.alloc(64 * mebibyte, ' ');
  const bombs: [string, () => Buffer][] = [
    ['gzip', () => gzipSync(spaces)],
    ['br', () => brotliCompressSync(spaces)],
    ['deflate', () => deflateSync(spaces)],
    ['gzip, gzip', () => gzipSync(gzipSync(spaces))],
    [Array(20).fill('gzip').join(', '), () => gzipSync(spaces)],
    ['zstd', () => Buffer.from('28b52ffd', 'hex')],
  ];

  test.each(bombs)('by %s is read no further than a message may be long', async (encoding, bomb) => {
    const body = bomb();
    const explode = ({ response }: Heard) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);
    const { call: ask, others } = await start({ 'tools/call': explode });
    const answers = Array.from({ length: 5 }, () => ask());
    expect(await others()).toContain('done');
    for (const text of await Promise.all(answers)) expect(text).toMatch(/"code":"(?:unavailable|outcome-unknown)"/);
  });
});

test('a list of tools is read no further than it may be long as a whole', async () => {
  const description = 'x'.repeat(900 * 1024);
  const page = ({ id, response }: Heard) => {
    const tools = [{ name: `tool_${String(id).slice(-8)}`, description, inputSchema: { type: 'object' } }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools, nextCursor: 'more' } }));
  };
  const { call: ask, others, upstream } = await start({ 'tools/list': page });
  const answer = ask();
  expect(await others()).toContain('done');
  expect(await answer).toContain('or it is too long');
  expect(upstream.heard.filter(({ method }) => method === 'tools/list').length).toBeLessThan(40);
});

describe('a client that sends', () => {
  test('more headers than are read is refused', async () => {
    const { url, others } = await start();
    const headers = Array.from({ length: 2_000 }, (_, at) => `X-Flood-${at}: ${'x'.repeat(10)}`);
    expect(await send(url, bytesOf({ headers, body: JSON.stringify(call) }))).toEqual([431]);
    expect(await others()).toContain('done');
  });

  test.each([
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['chunks in another encoding', ['Transfer-Encoding: gzip, chunked, identity']],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6']],
  ])('%s is refused', async (_, headers) => {
    const { url, upstream } = await start();
    expect(await send(url, bytesOf({ headers, body: `5\r\n${'{    '}\r\n0\r\n\r\n` }))).toEqual([400]);
    expect(upstream.heard).toEqual([]);
  });

  test('a body without end is told so as soon as it is too long', async () => {
    const { send: begin } = await start();
    const socket = begin(bytesOf({ headers: ['Transfer-Encoding: chunked'] }));
    let answer = '';
    socket.on('data', (part) => (answer += part.toString()));
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte, ' '), Buffer.from('\r\n')]);
    for (let count = 0; count < 40; count += 1) socket.write(chunk);
    await until(() => answer !== '');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    await once(socket, 'close');
  });

  test('a body slowly, and is let in by no token, has seconds to end it', async () => {
    const { send: begin } = await start(
      {},
      { url: origin, authorization: { issuer: issuer.issuer, jwks: `${issuer.url}/jwks` } },
    );
    const socket = begin(bytesOf({ headers: ['Content-Length: 100'], body: '{' }));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    await once(socket, 'close');
  });

  test('much at once has only a part of the memory, and others are served', async () => {
    const more = { url: origin, authorization: { issuer: issuer.issuer, jwks: `${issuer.url}/jwks` } };
    const { url, send: begin } = await start({}, more);
    const tokenOf = (sub: string) => issuer.sign({ sub, aud: [`${origin}/mcp`] });
    const headers = [`Authorization: Bearer ${await tokenOf('ada')}`, `Content-Length: ${32 * mebibyte}`];
    const body = Buffer.alloc(31 * mebibyte, ' ');
    const answers: string[] = [];
    for (let count = 0; count < 5; count += 1)
      begin(bytesOf({ headers, body })).on('data', (part) => answers.push(part.toString()));
    await until(() => answers.length > 0);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5.*"rate-limited"/is);
    const asBob = { authorization: `Bearer ${await tokenOf('bob')}` };
    expect((await post(url, initialize, asBob)).status).toBe(200);
    expect(answers).toHaveLength(1);
  });
});

describe('a client that does not read', () => {
  const much = 'x'.repeat(16 * mebibyte);

  test.each<[string, (response: ServerResponse) => unknown]>([
    ['on the way', (response) => writeTo(response, much, 200)],
    ['at the end', (response) => endWith(response, much, 200)],
  ])('what it is sent %s is taken for gone', async (_, answer) => {
    let closed = false;
    const http = createServer((_request, response) => {
      response.on('close', () => (closed = true));
      void answer(response);
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    open.push(() => http.close().closeAllConnections());
    const socket = openSocket((http.address() as AddressInfo).port, '127.0.0.1').pause();
    open.push(() => socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => closed);
  });

  test('and takes a little at a time is served to the end, with no comment behind it', async () => {
    const faults: Error[] = [];
    const http = createServer((_request, response) => {
      response.on('error', (error) => faults.push(error));
      endWith(response, much);
      beat(response);
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    open.push(() => http.close().closeAllConnections());
    const answer = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`);
    expect(await answer.text()).toHaveLength(much.length);
    expect(faults).toEqual([]);
  });
});

test('a server that disagrees with itself about its length ends the call, and no other', async () => {
  const { call: ask, others } = await start({
    'tools/call': ({ response }) =>
      response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  });
  expect(await ask()).toContain('"outcome-unknown"');
  expect(await others()).toContain('done');
});
