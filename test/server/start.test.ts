import { expect, test } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../support/databases/database.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { runs } from '../support/runs.ts';
import { freePort } from '../support/nodes/free-port.ts';

/** What a probe without patience of its own gets: a status, or the reason why there is no connection. */
const probe = (port: number): Promise<number | string> =>
  new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/healthz', agent: false }, (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.setTimeout(10_000, () => request.destroy(new TypeError('no answer')));
  });

test('who connects while a node starts is refused or served, never left without an answer', async () => {
  const database = await freshDatabase();
  const answers: (number | string)[] = [];
  while (answers.length < runs(200)) {
    const port = await freePort();
    let isReady = false;
    const starting = startTestServer({ databaseUrl: database.url, port }).finally(() => (isReady = true));
    const probes: Promise<number | string>[] = [];
    for (; !isReady; await sleep(1)) probes.push(probe(port));
    const server = await starting;
    probes.push(probe(port));
    answers.push(...(await Promise.all(probes)));
    await server.stop();
  }
  expect([...new Set(answers)].sort()).toEqual([200, 'ECONNREFUSED']);
  await database.drop();
});

test('a node on any free port knows its address before the first request', async () => {
  const server = await startTestServer({ port: 0 });
  expect(new URL(server.url).port).not.toBe('0');
  expect(await server.setUpAddress()).toMatch(server.url);
  await server.stop();
});
