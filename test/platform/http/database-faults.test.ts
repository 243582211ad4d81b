import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createClient, runDigest, type AssentryClient } from '#sdk/client/client';
import { askingAt, question, type Asking } from '../../support/nodes/asking.ts';
import { startOwnPostgres } from '../../support/databases/own-postgres.ts';
import { until } from '../../support/poll.ts';
import { startTestServer, type TestServer, type TestUser } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';
import { runs } from '../../support/runs.ts';

let server: TestServer;
let asking: Asking;
let client: AssentryClient;
let approver: TestUser;
const postgres = await startOwnPostgres();
afterAll(() => postgres.remove());
beforeEach(async () => {
  server = await startTestServer({ databaseUrl: postgres.url });
  asking = askingAt(server.url, await server.newServerKey());
  client = createClient({ url: server.url, apiKey: asking.key });
  approver = await server.newUser();
});
afterEach(() => server.stop());

const unavailable = {
  type: expect.stringMatching(/^http:.*\/errors\/database-unavailable$/),
  title: expect.stringContaining('this may or may not have been stored'),
  status: 503,
  code: 'database-unavailable',
  errorId: expect.any(String),
  requestId: expect.any(String),
};

const isReady = () => until(async () => (await fetch(`${server.url}/readyz`)).ok);

describe('while PostgreSQL is stopped', () => {
  test('every route answers 503 with Retry-After, and works again without a restart', async () => {
    const { id, digest, toolCall } = await asking.open();
    const attempt = randomUUID();
    const claim = { attempt, run: await runDigest(question) };
    const requests: [string, () => Promise<Response>][] = [
      ['open', () => asking.call('POST', '/v1/elicitations', { ...question, call: randomUUID() })],
      ['read', () => asking.call('GET', `/v1/elicitations/${id}`)],
      ['claim', () => asking.call('POST', `/v1/tool-calls/${toolCall}/claim`, claim)],
      ['complete', () => asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt, delivered: true })],
      ['cancel', () => asking.call('POST', `/v1/elicitations/${id}/cancel`, {})],
      ['stream', () => asking.call('GET', '/v1/stream')],
      ['vote', () => approver.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest })],
      ['inbox', () => approver.call('GET', '/api/elicitations')],
      ['groups', () => approver.call('GET', '/api/groups')],
      ['session', () => approver.call('GET', '/api/session')],
      ['readiness', () => fetch(`${server.url}/readyz`)],
    ];
    await postgres.halt();
    for (const [what, send] of requests) {
      const response = await send();
      const body: unknown = await response.json();
      const forOperators = { detail: expect.stringMatching(/^Look at PostgreSQL and the way to it/) };
      const expected = { ...unavailable, ...(what === 'readiness' && forOperators) };
      expect([what, response.headers.get('retry-after'), body]).toEqual([what, '1', expected]);
    }
    await postgres.resume();
    await isReady();
    const voted = await approver.vote(id, 'accept', {});
    expect(voted.status).toBe(200);
    const claimed = await asking.call('POST', `/v1/tool-calls/${toolCall}/claim`, claim);
    expect(await claimed.json()).toMatchObject({ state: 'claimed' });
  });

  test('the client opens, claims, completes and waits through it', async () => {
    const approved = await asking.open();
    expect((await approver.vote(approved.id, 'accept', {})).status).toBe(200);
    const running = await asking.open();
    expect((await approver.vote(running.id, 'accept', {})).status).toBe(200);
    const run = await runDigest(question);
    await client.claim(running.toolCall, { attempt: 'running', run });
    const request = await asking.open();
    const outcome = client.waitForOutcome(request.id);
    await postgres.halt();
    const opened = client.open({ ...question, audience: 'approvers', call: randomUUID() });
    const claimed = client.claim(approved.toolCall, { attempt: 'first', run });
    const completed = client.complete(running.toolCall, { attempt: 'running', delivered: true });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await postgres.resume();
    expect(await opened).toMatchObject({ status: 'open' });
    expect(await claimed).toMatchObject({ state: 'claimed' });
    await completed;
    expect(await client.getToolCall(running.toolCall)).toMatchObject({ state: 'settled' });
    expect((await approver.vote(request.id, 'accept', {})).status).toBe(200);
    expect(await outcome).toMatchObject({ status: 'accepted' });
  });
});

test('if a connection is cut, repeating the same request shows what was stored', async () => {
  const before = Number((await postgres.run('SELECT count(*)::int FROM elicitation'))[0]);
  const keys: string[] = [];
  const send = (key: string) =>
    asking.call('POST', '/v1/elicitations', { ...question, call: key }, { 'idempotency-key': key });
  let isOver = false;
  const cutting = (async () => {
    for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 15))) await postgres.cutConnections();
  })();
  const answers: Response[] = [];
  // Until a cut has met a request, however busy the machine is.
  while (keys.length < Math.max(20, runs(80)) || !answers.some(({ status }) => status === 503)) {
    const more = Array.from({ length: 20 }, () => randomUUID());
    keys.push(...more);
    const sent = more.map(async (key, at) => {
      await new Promise((resolve) => setTimeout(resolve, at * 10));
      return send(key);
    });
    answers.push(...(await Promise.all(sent)));
  }
  isOver = true;
  await cutting;
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].filter((status) => ![201, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(503);
  await isReady();
  for (const [at, key] of keys.entries()) {
    const again = await until(async () => {
      const response = await send(key);
      return response.ok && response;
    });
    const { id } = await json<{ id: string }>(again);
    if (answers[at]?.ok) expect(await answers[at].json()).toMatchObject({ id });
  }
  const [rows] = await postgres.run('SELECT count(*)::int FROM elicitation');
  expect(rows).toBe(before + keys.length);
});

test('a database that has become read-only is a fault as well', async () => {
  await postgres.run('ALTER DATABASE assentry SET default_transaction_read_only = on');
  await postgres.cutConnections();
  const refused = await until(async () => {
    const response = await asking.call('POST', '/v1/elicitations', { ...question, call: randomUUID() });
    return response.headers.has('retry-after') && response;
  });
  expect([refused.status, await refused.json()]).toEqual([503, unavailable]);
  await postgres.run('BEGIN READ WRITE; ALTER DATABASE assentry RESET default_transaction_read_only; COMMIT; SELECT 1');
  await postgres.cutConnections();
  expect(await client.open({ ...question, audience: 'approvers' })).toMatchObject({ status: 'open' });
});
