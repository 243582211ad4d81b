import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { freshDatabase, type FreshDatabase } from '../../support/databases/database.ts';
import { readEvents } from '../../support/nodes/event-source.ts';
import { until } from '../../support/poll.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';

let database: FreshDatabase;
let server: TestServer;
let asking: Asking;
let browser: Browser;
/** Long polls that have arrived. */
let waits: number;
beforeEach(async () => {
  database = await freshDatabase();
  server = await startTestServer({ databaseUrl: database.url });
  asking = askingAt(server.url, await server.newServerKey());
  browser = await openBrowser(server);
  waits = 0;
  const { feed } = server.engine;
  const { changed } = feed;
  feed.changed = (...wait) => {
    waits += 1;
    return changed(...wait);
  };
});
afterEach(async () => {
  await server.stop();
  await database.drop();
});

test('long polls answer with the current state, and the node stops soon after', async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => asking.open()));
  const polls = opened.map(({ id }) => asking.call('GET', `/v1/elicitations/${id}?wait=25`));
  await until(() => waits === polls.length);
  const startedAt = performance.now();
  const stopping = server.stop();
  for (const [at, poll] of polls.entries()) {
    const response = await poll;
    expect([response.status, await response.json()]).toMatchObject([200, { id: opened[at]?.id, status: 'open' }]);
  }
  await stopping;
  expect(performance.now() - startedAt).toBeLessThan(20_000); // by itself a poll ends after 25 s
});

test('streams end, so that their readers go to another node', async () => {
  const outcomes = await readEvents(`${server.url}/v1/stream`, { authorization: `Bearer ${asking.key}` });
  const inbox = await readEvents(`${server.url}/api/stream`, { cookie: browser.cookie });
  await until(() => outcomes.events.length > 0 && inbox.events.length > 0);
  await Promise.all([server.stop(), outcomes.ended, inbox.ended]); // which would not end by themselves
});

test('votes under way are finished, and what was answered is stored', async () => {
  const opened = await Promise.all(Array.from({ length: 12 }, () => asking.open()));
  const votes = opened.map(({ id, digest }) => browser.vote({ id, digest }).catch(() => null));
  await votes[0];
  await server.stop();
  const answers = await Promise.all(votes);
  const next = await startTestServer({ databaseUrl: database.url });
  for (const [at, answer] of answers.entries()) {
    // A vote that never got a connection was never cast; anyone who got an answer got a true one.
    const row = await next.engine.reader.elicitation(opened[at]?.id as `eli_${string}`);
    if (answer) expect([answer.status, row?.status]).toEqual([200, 'accepted']);
  }
  expect(answers.filter(Boolean).length).toBeGreaterThan(0);
  await next.stop();
});

test('a vote that is held up in the database is waited for', async () => {
  const { id, digest } = await asking.open();
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { transactor } = server.engine;
  const change = transactor.change;
  let isHeld = false;
  transactor.change = async (nextChange) => {
    isHeld = true;
    await gate;
    return change(nextChange);
  };
  const voting = browser.vote({ id, digest });
  await until(() => isHeld);
  let isStopped = false;
  const stopping = server.stop().then(() => (isStopped = true));
  await server.engine.outbox.head(); // a turn of the node's own work
  expect(isStopped).toBe(false);
  release();
  const response = await voting;
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'accepted' }]);
  await stopping;
});

test('connected callers learn that the node is not ready; others get no connection', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { id } = await asking.open();
  const get = (path: string, headers = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      request(`${server.url}${path}`, { agent, headers }, resolve).on('error', reject).end();
    });
  expect((await read(await get('/readyz'))).status).toBe(200);
  // On one connection: while the long poll holds it, the question for readiness waits behind.
  const polling = get(`/v1/elicitations/${id}?wait=25`, { authorization: `Bearer ${asking.key}` }).then(read);
  await until(() => waits === 1);
  const elicitation = get('/readyz').then(read, (error: NodeJS.ErrnoException) => error.code);
  const stopping = server.stop();
  expect(await polling).toMatchObject({ status: 200, body: expect.stringContaining('"open"') });
  const readiness = await elicitation;
  if (typeof readiness === 'object')
    expect(readiness).toMatchObject({ status: 503, body: expect.stringContaining('shutting-down') });
  else expect(['ECONNREFUSED', 'ECONNRESET']).toContain(readiness);
  await stopping;
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
  agent.destroy();
});

test('stopping twice is stopping once', async () => {
  await Promise.all([server.stop(), server.stop()]);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
});

const read = async (response: IncomingMessage) => ({ status: response.statusCode, body: await text(response) });
