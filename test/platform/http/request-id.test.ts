import { request as send } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parseTraceparent } from '#platform/model/traceparent';
import { query } from '../../support/databases/embedded.ts';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { audience, startIssuer } from '../../support/nodes/issuer.ts';
import { spawnNode } from '../../support/nodes/node-process.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${spanId}-01`;

const [issuer, provider] = [await startIssuer(), await startHostileProvider()];
const introspection = { introspection: `${issuer.url}/introspect`, clientId: 'assentry', clientSecret: 'sécret' };
const tokenSources = { payments: { issuer: issuer.issuer, audience: [audience], ...introspection } };
const server = await startTestServer({ tokenSources, signInProviders: [provider.settings()] });
const node = await spawnNode(server.databaseUrl, { logLevel: 'debug' });
afterAll(async () => {
  await node.stop();
  await server.stop();
  await provider.close();
  await issuer.close();
});
/** Asks at the node in a process of its own, whose log can be read. */
const asking = askingAt(node.url, await server.newServerKey());

const linesOf = (requestId: string): Record<string, unknown>[] =>
  node
    .log()
    .split('\n')
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('each answer has a request id', () => {
  test.each(['/healthz', '/readyz', '/v1/identity', '/api/session', '/', '/signin', '/nowhere', '/e/wrong'])(
    '%s',
    async (path) => {
      const [first, second] = await Promise.all([fetch(`${node.url}${path}`), fetch(`${node.url}${path}`)]);
      expect([first.headers.get('x-request-id'), second.headers.get('x-request-id')]).toEqual([
        expect.stringMatching(uuid),
        expect.stringMatching(uuid),
      ]);
      expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    },
  );

  test('that a proxy has given it, which is in the problem and in each line of the log', async () => {
    const id = 'edge:7f/3+a=.b_c-d';
    const answer = await asking.call('GET', '/v1/elicitations/eli_nothing', undefined, {
      'x-request-id': id,
      traceparent,
    });
    expect(answer.headers.get('x-request-id')).toBe(id);
    const problem = (await answer.json()) as { errorId: string };
    expect(problem).toMatchObject({ code: 'INVALID_INPUT', requestId: id });
    const lines = await until(() => (linesOf(id).length >= 2 ? linesOf(id) : null));
    const request = { requestId: id, traceId, spanId, method: 'GET', path: '/v1/elicitations/eli_nothing' };
    expect(lines).toMatchObject([
      { ...request, msg: 'request refused', errorId: problem.errorId },
      { ...request, msg: 'request answered', status: 400, ms: expect.any(Number) },
    ]);
  });

  test.each([
    ['too long', 'a'.repeat(129)],
    ['with a space', 'one two'],
    ['with a quote', 'a"b'],
    ['of other letters', 'ä'],
    ['empty', ''],
  ])('and not one that is %s', async (_name, id) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = send(`${node.url}/healthz`, { headers: { 'x-request-id': Buffer.from(id).toString('latin1') } });
      sent
        .on('response', (response) => resolve(String(response.resume().headers['x-request-id'])))
        .on('error', reject)
        .end();
    });
    expect(answer).toMatch(uuid);
  });

  test('after a body has been read as well, and of no other request', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `many-${at}.`);
    await Promise.all(
      names.map((name) =>
        asking.call('POST', '/v1/elicitations', { ...question, tool: name }, { 'x-request-id': name }),
      ),
    );
    await until(() => names.every((name) => linesOf(name).length === 2));
    for (const name of names)
      expect(linesOf(name).map(({ requestId, msg }) => [requestId, msg])).toEqual([
        [name, 'request refused'],
        [name, 'request answered'],
      ]);
  });

  test('and what goes on afterwards is no part of it', async () => {
    const brief = { ...question, ttl: 4_000, call: 'brief' }; // brings the loop of due timers forward
    expect((await asking.call('POST', '/v1/elicitations', brief, { 'x-request-id': 'ended-1' })).status).toBe(201);
    await query(server.databaseUrl, 'ALTER TABLE elicitation RENAME TO hidden');
    await until(() => node.log().includes('due timers: will try again'));
    await query(server.databaseUrl, 'ALTER TABLE hidden RENAME TO elicitation');
    expect(linesOf('ended-1').map(({ msg }) => msg)).toEqual(['request answered']);
  });
});

test.each([
  ['no hexadecimal', traceparent.replace('4b', 'xy')],
  ['capital letters', traceparent.toUpperCase()],
  ['a version that is none', traceparent.replace(/^00/, 'ff')],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['too much', `${traceparent}-01`],
  ['too little', traceparent.slice(0, -1)],
  ['a second line', `${traceparent}\nx-evil: 1`],
  ['nothing', ''],
  ['no text', [traceparent]],
])('a trace with %s is ignored', (_name, text) => expect(parseTraceparent(text)).toBeUndefined());

test('a trace of a later version is passed on in the version that is known', () =>
  expect(parseTraceparent(traceparent.replace(/^00/, '01'))?.header).toBe(traceparent));

describe('the trace of a call', () => {
  const requester = { subject: 'auth0|42', verified: true };
  const traced = (call: string, headers: Record<string, string>, parts = {}) =>
    askingAt(server.url, asking.key).call('POST', '/v1/elicitations', { ...question, call, ...parts }, headers);
  const stored = async (answer: Response) => {
    const { id } = (await answer.json()) as { id: string };
    return query(server.databaseUrl, `SELECT traceparent FROM elicitation WHERE id = '${id}'`);
  };

  test('is kept with the request that it opens, and a hostile one is not', async () => {
    expect(await stored(await traced('one', { traceparent }))).toEqual([traceparent]);
    expect(await stored(await traced('two', { traceparent: `${traceparent}; DROP TABLE` }))).toEqual([null]);
    expect(await stored(await traced('three', {}))).toEqual([null]);
  });

  test('goes to the issuer that is asked about its token, and to the provider that someone signs in at', async () => {
    await traced('four', { traceparent }, { requester, accessToken: 'opaque' });
    await traced('five', { traceparent: 'wrong' }, { requester, accessToken: 'opaque' });
    expect(issuer.traces).toEqual([traceparent, undefined]);
    const headers = { 'content-type': 'application/json', origin: server.url, traceparent };
    const begun = await fetch(`${server.url}/api/sign-in/acme`, { method: 'POST', headers, body: '{"returnTo":"/"}' });
    expect(begun.status).toBe(200);
    expect(provider.traces).toContain(traceparent); // the node looks for itself as well, for no one's request
  });
});
