import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { openEventStream, type EventStream } from '#platform/http/routes/streams';
import { createListener, drain } from '#platform/http/wiring';
import { until } from '../support/poll.ts';

let http: Server;
let notes: string[];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => http.close(resolve));
});

async function listen(
  serve: Parameters<typeof createListener>[0],
  { connections = 100, keepAliveTimeout = 75_000 } = {},
): Promise<void> {
  notes = [];
  http = createListener(
    serve,
    { connections, requestTimeout: 500, keepAliveTimeout },
    {
      warn: (note: string) => void notes.push(note),
    },
  );
  await once(http.listen(0, '127.0.0.1'), 'listening');
}

function dial(words: string): Socket {
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write(words);
  return socket;
}

test.each([
  ['head', 'POST / HTTP/1.1\r\nhost: a\r\n'],
  ['body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{'],
])('a %s that does not come to its end is answered 408, and its connection closed', async (_, beginning) => {
  await listen((request) => void request.resume());
  expect(await text(dial(beginning))).toMatch(/^HTTP\/1.1 408 /);
});

test('a connection too many is closed at once, which is noted once', async () => {
  await listen((_, response) => void response.end('here'), { connections: 1 });
  dial('');
  await until(() => new Promise((resolve) => http.getConnections((_, count) => resolve(count === 1))));
  for (let times = 0; times < 2; times += 1)
    expect(await text(dial('GET / HTTP/1.1\r\n\r\n')).catch(() => '')).toBe('');
  expect(notes).toEqual([expect.stringContaining('ASSENTRY_MAX_CONNECTIONS')]);
});

const ask = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const answerAt = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

test('a connection waits longer for its next request than a head may take, and says how long', async () => {
  await listen((_, response) => void response.end());
  const kept = dial(ask);
  expect(await answerAt(kept)).toMatch(/^keep-alive: timeout=75\r$/im);
  expect(await text(dial('GET / HTTP/1.1\r\n'))).toMatch(/^HTTP\/1.1 408 /);
  kept.write(ask);
  expect(await answerAt(kept)).toMatch(/^HTTP\/1.1 200 /);
});

test('a connection that waited too long for its next request ends', async () => {
  await listen((_, response) => void response.end(), { keepAliveTimeout: 20 });
  expect(await text(dial(ask))).toMatch(/^HTTP\/1.1 200 /);
});

test('at the end, idle connections close at once and the others with their answer', async () => {
  const answers: (() => void)[] = [];
  await listen(({ url }, response) =>
    url === '/held' ? void answers.push(() => response.end('late')) : response.end(),
  );
  const idle = dial(ask);
  await answerAt(idle);
  const busy = text(dial(ask.replace('/', '/held')));
  await until(() => answers.length === 1);
  const drained = drain(http, new AbortController(), 3_600_000);
  await once(idle, 'close');
  answers[0]?.();
  const answer = await busy;
  expect([answer.includes('late'), /^connection: close\r$/im.test(answer)]).toEqual([true, true]);
  await drained;
});

test('at the end, a stream takes its connection with it', async () => {
  let finish: (() => void) | undefined;
  await listen((_, response) => {
    response.write('first');
    finish = () => void response.end('last');
  });
  const stream = text(dial(ask));
  await until(() => finish);
  const drained = drain(http, new AbortController(), 3_600_000);
  finish?.();
  expect(await stream).toContain('last');
  await drained;
});

test('at the end, connections that brought nothing are closed', async () => {
  await listen((_, response) => void response.end());
  const unused = dial('');
  await once(http, 'connection');
  await Promise.all([drain(http, new AbortController(), 3_600_000), once(unused, 'close')]);
});

test.each([
  ['as soon as too much waits for it', 3_600_000],
  ['at the next heartbeat', 50],
])('the stream of a reader that does not read ends %s', async (_, heartbeat) => {
  let stream: EventStream | undefined;
  let ends = 0;
  await listen((_request, response) => {
    const life = {
      shutdown: new AbortController().signal,
      heartbeat,
      mayListen: async () => true,
      onEnd: () => ends++,
    };
    stream = openEventStream(response, life);
  });
  dial('GET / HTTP/1.1\r\nhost: a\r\n\r\n').pause();
  await until(() => stream !== undefined);
  await until(() => {
    if (heartbeat > 1000) stream?.send('elicitation', 'x'.repeat(100_000));
    else stream?.send('elicitation', 'x'.repeat(20_000));
    return stream?.signal.aborted;
  });
  expect(ends).toBe(1);
});

test('the stream of a reader that left before it was let in ends at once', async () => {
  let ends = 0;
  let stream: EventStream | undefined;
  const shutdown = new AbortController();
  await listen((_request, response) => {
    const life = { shutdown: shutdown.signal, heartbeat: 3_600_000, mayListen: async () => true };
    const begin = () => (stream = openEventStream(response, { ...life, onEnd: () => ends++ }));
    response.once('close', () => setImmediate(begin)); // the request is closed as well by then
    dialled.destroy();
  });
  const dialled = dial(ask);
  await until(() => stream);
  const ended = [stream?.signal.aborted, ends];
  shutdown.abort(); // or it would go on for ever
  expect(ended).toEqual([true, 1]);
});
