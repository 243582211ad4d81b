import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createClient, Problem, runDigest, type AssentryClient, type OpenElicitation } from '#sdk/client/client';
import { errorIdOf } from '#sdk/client/transport';
import { openReceiver } from '../../notify/receiver.ts';
import { until } from '../../support/poll.ts';
import {
  accepted,
  elicitationId,
  openStream,
  problemBody,
  sendJson,
  startScriptedServer,
  stateOf,
  toolCallId,
  type Heard,
  type ScriptedServer,
} from './scripted-server.ts';

const question: OpenElicitation = {
  tool: { name: 'delete_account' },
  arguments: { id: '7' },
  message: 'Delete the account?',
  requester: { subject: 'ada' },
};

let replies: ((request: Heard, response: ServerResponse) => void)[];
let server: ScriptedServer;
let client: AssentryClient;

beforeEach(async () => {
  replies = [];
  server = await startScriptedServer((request, response) => {
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(request, response);
  });
  client = createClient({ url: server.url, apiKey: 'asn_test' });
});
afterEach(() => server.stop());

const answers =
  (status: number, body: unknown, headers = {}) =>
  (_: Heard, response: ServerResponse) =>
    sendJson(response, status, body, headers);
const cuts = (_: Heard, response: ServerResponse) => void response.destroy();
const limited = (headers: Record<string, string>, more = {}) =>
  answers(429, problemBody(429, 'rate-limited', more), headers);
const says = (code: Problem['code'], status: number) => answers(status, problemBody(status, code));

describe('each method', () => {
  test.each([
    { does: () => client.get(elicitationId), path: `GET /v1/elicitations/${elicitationId}`, body: undefined },
    {
      does: () => client.get(elicitationId, { wait: 2500 }),
      path: `GET /v1/elicitations/${elicitationId}?wait=3`,
      body: undefined,
    },
    {
      does: () => client.answer(elicitationId, { action: 'decline' }),
      path: `POST /v1/elicitations/${elicitationId}/answer`,
      body: { action: 'decline' },
    },
    {
      does: () => client.cancel(elicitationId, { cause: 'caller_gone' }),
      path: `POST /v1/elicitations/${elicitationId}/cancel`,
      body: { cause: 'caller_gone' },
    },
    {
      does: () => client.markCaller(elicitationId, 'gone'),
      path: `POST /v1/elicitations/${elicitationId}/caller`,
      body: { state: 'gone' },
    },
  ])('asks its own route: $path', async ({ does, path, body }) => {
    replies = [answers(200, accepted)];
    expect(await does()).toEqual(accepted);
    const [request] = server.heard;
    expect(`${request?.method} ${request?.path}`).toBe(path);
    expect(request?.body).toEqual(body);
    expect(request?.headers.authorization).toBe('Bearer asn_test');
  });

  test('of a client with a misspelt option is never sent', () => {
    const options = { url: server.url, apiKey: 'k', requestTimout: 5 };
    expect(() => createClient(options)).toThrow(
      'createClient(): There is no option requestTimout. Did you mean requestTimeout?',
    );
  });

  test('keeps a path in the address of the orchestrator', async () => {
    replies = [answers(200, accepted)];
    await createClient({ url: `${server.url}/behind/proxy`, apiKey: 'k' }).get(elicitationId);
    expect(server.heard[0]?.path).toBe(`/behind/proxy/v1/elicitations/${elicitationId}`);
  });

  test('claims and completes a tool call', async () => {
    replies = [
      answers(200, { state: 'completed', result: { content: [] } }),
      (_, response) => response.writeHead(204).end(),
    ];
    expect(await client.claim(toolCallId, { attempt: 'a', run: await runDigest(question) })).toEqual({
      state: 'completed',
      result: { content: [] },
    });
    await client.complete(toolCallId, { attempt: 'a', delivered: true });
    expect(server.heard.map(({ path }) => path)).toEqual([
      `/v1/tool-calls/${toolCallId}/claim`,
      `/v1/tool-calls/${toolCallId}/complete`,
    ]);
  });
});

describe('a request that fails on the way', () => {
  test.each([
    { how: 'a cut connection', fails: cuts },
    { how: '408, as on a slow network', fails: answers(408, null) },
    { how: '404 of a proxy without a route', fails: answers(404, '<html>') },
    { how: '502', fails: answers(502, '<html>') },
    { how: '503', fails: says('database-unavailable', 503) },
    { how: '504', fails: answers(504, null) },
    { how: '429', fails: answers(429, problemBody(429, 'rate-limited'), { 'retry-after': '0' }) },
  ])('is sent again under the same idempotency key: $how', async ({ fails }) => {
    replies = [fails, fails, answers(201, { ...accepted, joined: false })];
    expect(await client.open(question)).toMatchObject({ status: 'accepted', joined: false });
    const keys = server.heard.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  test('carries another key when it is another question', async () => {
    replies = [answers(201, { ...accepted, joined: false })];
    await client.open(question);
    await client.open(question);
    await client.open(question, { idempotencyKey: 'mine' });
    const keys = server.heard.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  test('waits as long as Retry-After says', async () => {
    replies = [answers(429, problemBody(429, 'rate-limited'), { 'retry-after': '1' }), answers(200, accepted)];
    const begun = Date.now();
    await client.get(elicitationId);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(990);
  });

  test.each([
    ['of a limit', 'of six minutes', limited({ 'retry-after': '360' })],
    ['of a limit', 'that only people can end', limited({ 'retry-after': '30' }, { detail: 'Wait for people.' })],
    ['for another reason', 'in three seconds', answers(503, problemBody(503, 'overloaded'), { 'retry-after': '3' })],
  ])('is given up at once if it is to come again because %s %s', async (_why, _when, reply) => {
    replies = [reply];
    await expect(client.get(elicitationId)).rejects.toBeInstanceOf(Problem);
    expect(server.heard).toHaveLength(1);
  });

  test('waits for a limit as long as it lasts: to be limited is no failure', async () => {
    const { random } = Math;
    Math.random = () => 0;
    const brief = createClient({ url: server.url, apiKey: 'k', retries: 1 });
    replies = [
      ...Array(20).fill(limited({ 'retry-after': '0' })),
      limited({ 'retry-after': '2.2' }),
      answers(200, accepted),
    ];
    const begun = performance.now();
    const state = await brief.get(elicitationId).finally(() => (Math.random = random));
    expect(state).toMatchObject({ status: 'accepted' });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(2_190);
  });

  test('waits for a limit no longer than its caller does', async () => {
    replies = [limited({ 'retry-after': '60' })];
    const leaving = new AbortController();
    const reading = client.get(elicitationId, { signal: leaving.signal });
    await until(() => server.heard.length > 0);
    leaving.abort('gone');
    await expect(reading).rejects.toBe('gone');
  });

  test('is sent again as often as the call says', async () => {
    replies = [says('database-unavailable', 503), says('database-unavailable', 503)];
    const client = createClient({ url: server.url, apiKey: 'k' });
    await expect(client.get(elicitationId, { retries: 1 })).rejects.toThrowProblem('database-unavailable');
    expect(server.heard).toHaveLength(2);
  });

  test('ends as unavailable after its retries', async () => {
    replies = [cuts];
    const brief = createClient({ url: server.url, apiKey: 'k', retries: 1 });
    await expect(brief.get(elicitationId)).rejects.toThrowProblem('unavailable');
    expect(server.heard).toHaveLength(2);
  });

  test('is sent again beyond its retries if it reports the end of a run, unless nothing is ever sent again', async () => {
    const none = createClient({ url: server.url, apiKey: 'k', retries: 0 });
    const brief = createClient({ url: server.url, apiKey: 'k', retries: 1 });
    const ended = { attempt: 'a', delivered: true };
    replies = [cuts];
    await expect(none.complete(toolCallId, ended)).rejects.toThrowProblem('unavailable');
    expect(server.heard).toHaveLength(1);
    const isAway = says('database-unavailable', 503);
    replies = [isAway, cuts, isAway, (_, response) => response.writeHead(204).end()];
    await brief.complete(toolCallId, ended);
    expect(server.heard.slice(1).map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => ended));
  });

  test.each(['fetch', 'node:http'])('says so if the certificate is not trusted (%s)', async (transport) => {
    const stranger = await openReceiver();
    const platformFetch = globalThis.fetch;
    if (transport === 'fetch') globalThis.fetch = (...request) => platformFetch(...request);
    try {
      const client = createClient({ url: new URL(stranger.url).origin, apiKey: 'k', retries: 0 });
      await expect(client.get(elicitationId)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/^Renew the certificate of Assentry, or name its authority .*SELF_SIGNED/),
      });
      expect(stranger.received).toEqual([]);
    } finally {
      globalThis.fetch = platformFetch;
      await stranger.stop();
    }
  });

  test('says that no TLS is spoken there', async () => {
    const url = server.url.replace('http:', 'https:');
    const secure = createClient({ url, apiKey: 'k', retries: 0 });
    await expect(secure.get(elicitationId)).rejects.toThrow('no TLS is spoken there, so it begins with http://');
  });

  test('ends as unavailable if no one listens or no one answers', async () => {
    const nobody = createClient({ url: 'http://127.0.0.1:9', apiKey: 'k', retries: 0 });
    await expect(nobody.get(elicitationId)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Check that Assentry runs, or try again later: nothing listens there (ECONNREFUSED).',
    });
    replies = [() => {}];
    const hasty = createClient({ url: server.url, apiKey: 'k', retries: 0, requestTimeout: 50 });
    await expect(hasty.get(elicitationId)).rejects.toThrowProblem('unavailable');
  });

  test('is given up after two tries that no one answers, however many retries there are', async () => {
    replies = [() => {}];
    const patient = createClient({ url: server.url, apiKey: 'k', requestTimeout: 50 });
    await expect(patient.get(elicitationId)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Try again later: Assentry did not answer within 50 milliseconds.',
    });
    expect(server.heard).toHaveLength(2);
  });

  test('says that a proxy on the way wants a name and a password, and is not sent again', async () => {
    const refused = { code: 'unavailable', message: expect.stringMatching(/^Ask .* to check its proxy: .*NO_PROXY/) };
    replies = [(_, response) => response.writeHead(407).end('<html>Proxy</html>')];
    await expect(client.get(elicitationId)).rejects.toMatchObject(refused);
    const cause = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
    let tries = 0;
    const fetch = () => Promise.reject(new TypeError(`fetch failed ${++tries}`, { cause }));
    const tunnelled = createClient({ url: server.url, apiKey: 'k', fetch });
    await expect(tunnelled.get(elicitationId)).rejects.toMatchObject(refused);
    expect([server.heard.length, tries]).toEqual([1, 1]);
  });

  test.each([
    ['a controller', new AbortController()],
    ['a number', 5],
    ['null', null],
  ])('with %s as its signal is refused before it is sent', async (_, value) => {
    const signal = value as unknown as AbortSignal;
    const refused = { code: 'INVALID_INPUT', errors: [{ path: ['signal'], message: 'Give an AbortSignal.' }] };
    await expect(client.get(elicitationId, { signal })).rejects.toMatchObject(refused);
    await expect(client.waitForOutcome(elicitationId, { signal })).rejects.toMatchObject(refused);
    expect(server.heard).toEqual([]);
  });

  test('leaves one listener on a signal, however many wait under it, and none afterwards', async () => {
    const { signal } = new AbortController();
    replies = [(_, response) => setTimeout(() => sendJson(response, 200, stateOf({ status: 'accepted' })), 20)];
    const reads = Array.from({ length: 20 }, () => client.get(elicitationId, { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await Promise.all(reads);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('ends with the reason of the signal, also in the pause between two tries', async () => {
    const ending = new AbortController();
    replies = [
      (_, response) => {
        response.destroy();
        setImmediate(() => ending.abort('left'));
      },
    ];
    await expect(client.open(question, { signal: ending.signal })).rejects.toBe('left');
    expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0);
    await expect(client.open(question, { signal: ending.signal })).rejects.toBe('left');
  });
});

describe('a no of the orchestrator', () => {
  test.each([
    { status: 400, code: 'INVALID_INPUT' as const },
    { status: 404, code: 'not-found' as const },
    { status: 409, code: 'idempotency-mismatch' as const },
    { status: 409, code: 'already-executed' as const },
    { status: 401, code: 'unauthenticated' as const },
  ])('is the Problem of the same code, and is not asked twice: $code', async ({ status, code }) => {
    replies = [says(code, status)];
    await expect(client.open(question)).rejects.toThrowProblem(code);
    expect(server.heard).toHaveLength(1);
  });

  test('keeps detail, errors and the id of the occurrence', async () => {
    const errors = [{ path: ['schema', 0], message: 'No.' }];
    replies = [answers(400, problemBody(400, 'INVALID_INPUT', { detail: 'Look at the schema.', errors }))];
    const problem = await client.open(question).catch((error: Problem) => error);
    expect(problem).toMatchObject({ message: 'Look at the schema.', errors });
    expect(errorIdOf(problem as Problem)).toBe('err_0123456789abcdef');
  });

  test.each([
    { status: 401, code: 'unauthenticated' as const },
    { status: 404, code: 'not-found' as const },
    { status: 409, code: 'internal' as const },
  ])('with a code of a later version goes by its status: $status', async ({ status, code }) => {
    replies = [answers(status, problemBody(status, 'of-a-later-version'))];
    await expect(client.get(elicitationId)).rejects.toThrowProblem(code);
  });

  test.each([
    {
      status: 400,
      code: 'unavailable',
      sentence: /^Check ASSENTRY_URL and what is on the way.* 400 was not answered by/,
    },
    { status: 401, code: 'unavailable', sentence: /: 401 was not answered by Assentry/ },
    { status: 403, code: 'unavailable', sentence: /: 403 was not answered by Assentry/ },
    { status: 409, code: 'unavailable', sentence: /: 409 was not answered by Assentry/ },
    { status: 500, code: 'unavailable', sentence: /: 500 was not answered by Assentry/ },
    { status: 521, code: 'unavailable', sentence: /: 521 was not answered by Assentry/ },
    { status: 413, code: 'body-too-large', sentence: /let the proxy .* pass bodies of 1 MiB.* 413/ },
  ] as const)('of a proxy, $status, says so, and nothing of the request', async ({ status, code, sentence }) => {
    replies = [answers(status, '<html>')];
    const problem = await client.get(elicitationId).catch((error: Problem) => error);
    expect(problem).toMatchObject({ code, message: expect.stringMatching(sentence) });
    expect(server.heard).toHaveLength(1);
  });

  test('to the key names what the operator must check, because no one can sign in here', async () => {
    replies = [says('unauthenticated', 401)];
    await expect(client.get(elicitationId)).rejects.toThrow(/check ASSENTRY_API_KEY/);
  });

  test('that is not an answer of Assentry at all is unavailable', async () => {
    replies = [answers(200, { hello: 'world' })];
    await expect(client.get(elicitationId)).rejects.toThrowProblem('unavailable');
  });
});

describe('an answer that finds the elicitation closed', () => {
  test('returns the row if it says the same', async () => {
    replies = [says('already-closed', 409), answers(200, accepted)];
    expect(await client.answer(elicitationId, { action: 'accept', content: {} })).toEqual(accepted);
  });

  test('is refused if the row says something else', async () => {
    replies = [says('already-closed', 409), answers(200, stateOf({ status: 'declined', action: 'decline' }))];
    await expect(client.answer(elicitationId, { action: 'accept' })).rejects.toThrowProblem('already-closed');
  });
});

test.each([
  { options: { apiKey: 'k' }, names: 'ASSENTRY_URL' },
  { options: { url: 'nowhere', apiKey: 'k' }, names: 'ASSENTRY_URL' },
  { options: { url: 'ftp://127.0.0.1', apiKey: 'k' }, names: 'ASSENTRY_URL' },
  { options: { url: 'http://127.0.0.1' }, names: 'ASSENTRY_API_KEY' },
  { options: { url: 'http://127.0.0.1', apiKey: 'ключ' }, names: 'ASSENTRY_API_KEY' },
  { options: { url: 'http://127.0.0.1', apiKey: 'asn_a\nb' }, names: 'ASSENTRY_API_KEY' },
])('a client without usable settings names $names ($options)', ({ options, names }) => {
  expect(() => createClient(options)).toThrowProblem('config-invalid');
  expect(() => createClient(options)).toThrow(names);
});

describe('several nodes', () => {
  let other: ScriptedServer;
  let otherAnswers: (request: Heard, response: ServerResponse) => void;
  beforeEach(async () => {
    other = await startScriptedServer((request, response) => otherAnswers(request, response));
    otherAnswers = answers(200, stateOf());
    client = createClient({ url: `${server.url}, ${other.url}`, apiKey: 'asn_test' });
  });
  afterEach(() => other.stop());

  test.each([
    ['cuts the connection', cuts],
    ['answers 503', says('database-unavailable', 503)],
    ['asks for a long wait', answers(503, problemBody(503, 'overloaded'), { 'retry-after': '60' })],
  ])('if one %s, the next is called, and from then on', async (_, reply) => {
    replies = [reply];
    for (let times = 0; times < 3; times += 1)
      expect(await client.get(elicitationId)).toMatchObject({ status: 'open' });
    expect([server.heard.length, other.heard.length]).toEqual([1, 3]);
    otherAnswers = cuts;
    replies = [answers(200, stateOf())];
    expect(await client.get(elicitationId)).toMatchObject({ status: 'open' });
    expect([server.heard.length, other.heard.length]).toEqual([2, 4]);
  });

  test('a refusal is final at any of them, and limits go with the caller', async () => {
    replies = [says('forbidden', 403)];
    await expect(client.get(elicitationId)).rejects.toThrowProblem('forbidden');
    replies = [limited({ 'retry-after': '0' }), answers(200, stateOf())];
    expect(await client.get(elicitationId)).toMatchObject({ status: 'open' });
    expect(other.heard).toEqual([]);
  });

  test('if one has no stream, the outcome comes from the next', async () => {
    replies = [says('unavailable', 503)];
    otherAnswers = ({ path }, response) => {
      if (path !== '/v1/stream') return sendJson(response, 200, stateOf());
      openStream(response);
      response.write(`event: elicitation\nid: 2\ndata: ${JSON.stringify(accepted)}\n\n`);
    };
    expect(await client.waitForOutcome(elicitationId)).toMatchObject({ status: 'accepted' });
  });

  test('a list with an address that is none is refused', () => {
    for (const url of [`${server.url},`, ['nowhere', other.url], []])
      expect(() => createClient({ url, apiKey: 'asn_test' })).toThrowProblem('config-invalid');
  });
});

describe('the way of sending', () => {
  test('keeps its connection, and counts the bytes of what it sends', async () => {
    replies = [answers(200, { ...stateOf(), joined: false })];
    for (const message of ['Konto löschen?', '删除？', 'Delete?']) await client.open({ ...question, message });
    expect(server.heard.map(({ body }) => (body as OpenElicitation).message)).toEqual([
      'Konto löschen?',
      '删除？',
      'Delete?',
    ]);
    expect(await server.connections()).toBe(1);
  });

  test('a redirection is followed', async () => {
    const other = await startScriptedServer((_request, response) => sendJson(response, 200, stateOf()));
    replies = [answers(307, {}, { location: `${other.url}/v1/elicitations/${elicitationId}` })];
    expect(await client.get(elicitationId)).toMatchObject({ status: 'open' });
    expect(other.heard).toHaveLength(1);
    await other.stop();
  });

  test('where fetch was replaced, or its connections were, or a proxy is named, requests go by fetch', async () => {
    replies = [answers(200, stateOf())];
    const agents: string[] = [];
    const noteAgent = () => agents.push(server.heard.at(-1)?.headers['user-agent'] ?? 'none');
    const { fetch } = globalThis;
    const dispatcher = Symbol.for('undici.globalDispatcher.1');
    const symbols = globalThis as unknown as Record<symbol, unknown>;
    const before = symbols[dispatcher];
    await client.get(elicitationId);
    noteAgent();
    try {
      globalThis.fetch = (input, init) => fetch(input, { ...init, headers: { ...init?.headers, 'user-agent': 'own' } });
      await client.get(elicitationId);
      noteAgent();
    } finally {
      globalThis.fetch = fetch;
    }
    process.env['NODE_USE_ENV_PROXY'] = '1';
    await client.get(elicitationId).finally(() => delete process.env['NODE_USE_ENV_PROXY']);
    noteAgent();
    class ProxyAgent {
      dispatch(...request: unknown[]): unknown {
        return (before as { dispatch(...of: unknown[]): unknown }).dispatch(...request);
      }
    }
    symbols[dispatcher] = new ProxyAgent();
    await client.get(elicitationId).finally(() => (symbols[dispatcher] = before));
    noteAgent();
    expect(agents).toEqual(['none', 'own', 'node', 'node']);
  });
});
