import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { errorOf } from '#gateway/frames/frame';
import type { Caller } from '#gateway/identity/caller';
import { HttpUpstream } from '#gateway/upstreams/http';
import { UpstreamTokens } from '#gateway/upstreams/credentials';
import { startTokenEndpoint } from './token-endpoint.ts';

const secret = 's3cret-of-the-gateway';
const heard: (string | undefined)[] = [];
let status = 200;

const endpoint = await startTokenEndpoint(secret);
const server = createServer((request, response) => {
  heard.push(request.headers.authorization);
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":{}}');
}).listen(0, '127.0.0.1');
afterAll(async () => {
  await endpoint.close();
  server.close().closeAllConnections();
});
await once(server, 'listening');
beforeEach(() => {
  heard.length = 0;
  endpoint.asked.length = 0;
  endpoint.answer(200);
  status = 200;
});

const caller = (token: string | null, subject = 'ada'): Caller => ({
  principal: { issuer: 'https://id.example.com', subject, verified: true },
  token,
});

/** The server, to which the gateway sends tokens of its own, at a time that only the test moves. */
function begin(parts: { for?: 'gateway' | 'requester'; clientSecret?: string } = {}) {
  const clock = { now: 0 };
  const warnings: string[] = [];
  const source = { endpoint: endpoint.url, clientId: 'gate', clientSecret: secret, parameters: { scope: 'mcp' } };
  const warn = (sentence: string): void => void warnings.push(sentence);
  const tokens = new UpstreamTokens({ ...source, for: 'gateway', ...parts }, warn, () => clock.now);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const upstream = new HttpUpstream(
    { name: 'a', url, headers: {}, timeout: 5_000, calls: 1, sharePerCaller: 1, size: 1_000 },
    { tokens },
  );
  const ask = (by = caller('own')) =>
    upstream.ask({
      method: 'POST',
      caller: by,
      headers: { authorization: 'Bearer own' },
      frame: { jsonrpc: '2.0', id: 1, method: 'ping' },
      signal: new AbortController().signal,
      reservation: null,
    });
  return { clock, warnings, ask };
}

const grant = { grant_type: 'client_credentials', scope: 'mcp' };

test('the gateway’s own token is asked for once, however many wait, and again shortly before its end', async () => {
  const { clock, ask } = begin();
  await Promise.all(Array.from({ length: 10 }, () => ask()));
  expect(endpoint.asked).toEqual([grant]);
  clock.now = 269_000;
  await ask();
  expect(new Set(heard)).toEqual(new Set(['Bearer issued-1']));
  clock.now = 271_000;
  await Promise.all([ask(), ask()]);
  expect(endpoint.asked).toHaveLength(2);
  expect(heard.slice(-2)).toEqual(['Bearer issued-2', 'Bearer issued-2']);
});

test('each requester’s token is exchanged for one that only their requests carry', async () => {
  const { ask } = begin({ for: 'requester' });
  const [ada, bob] = [caller('token-of-ada'), caller('token-of-bob', 'bob')];
  for (const by of [ada, bob, ada]) await ask(by);
  expect(heard).toEqual(['Bearer issued-1', 'Bearer issued-2', 'Bearer issued-1']);
  expect(endpoint.asked.map(({ subject_token: token }) => token)).toEqual(['token-of-ada', 'token-of-bob']);
  expect(endpoint.asked[0]).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'token-of-ada',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    scope: 'mcp',
  });
});

test('another token of the same person is exchanged by itself, because it may allow less', async () => {
  const { ask } = begin({ for: 'requester' });
  await ask(caller('wide'));
  await ask(caller('narrow'));
  expect(heard).toEqual(['Bearer issued-1', 'Bearer issued-2']);
});

test.each<[string, 'gateway' | 'requester', number, object | undefined, string]>([
  ['fails', 'gateway', 500, {}, 'unavailable'],
  ['refuses the gateway', 'gateway', 400, { error: 'unauthorized_client' }, 'unavailable'],
  ['refuses the requester', 'requester', 400, { error: 'invalid_grant' }, 'forbidden'],
  ['fails for the requester', 'requester', 503, {}, 'unavailable'],
  ['gives no token', 'gateway', 200, { token_type: 'Bearer' }, 'unavailable'],
  ['gives a token of another type', 'gateway', 200, { access_token: 'a', token_type: 'DPoP' }, 'unavailable'],
  [
    'gives a token that ends the header',
    'gateway',
    200,
    { access_token: 'a\r\nb', token_type: 'Bearer' },
    'unavailable',
  ],
])(
  'if the token endpoint %s, nothing is sent, and the next request asks again',
  async (_, whom, code, body, problem) => {
    const { ask, warnings } = begin({ for: whom });
    endpoint.answer(code, body);
    const error = errorOf(await ask().catch((fault: unknown) => fault));
    expect(error).toMatchObject({ data: { code: problem }, message: expect.stringContaining('Nothing was run.') });
    expect(heard).toEqual([]);
    endpoint.answer(200);
    await ask();
    expect(heard).toEqual(['Bearer issued-2']);
    expect(warnings).toEqual([expect.stringMatching(/^It gets no token for its requests: /)]);
  },
);

test('a secret that the endpoint does not take is repeated nowhere', async () => {
  const { ask, warnings } = begin({ clientSecret: 'wrong-s3cret' });
  const error = errorOf(await ask().catch((fault: unknown) => fault));
  expect(warnings).toEqual(['It gets no token for its requests: the token endpoint answered 401 (invalid_client).']);
  expect(JSON.stringify([error, warnings])).not.toMatch(/s3cret|Bearer/);
});

test('a token that the server does not take is replaced, and the client does not hear that its own is bad', async () => {
  const { ask } = begin();
  status = 401;
  const answer = await ask();
  expect([answer.status, !answer.isStream && (await answer.text())]).toEqual([
    502,
    expect.stringContaining('"unavailable"'),
  ]);
  status = 200;
  await ask();
  expect(heard).toEqual(['Bearer issued-1', 'Bearer issued-2']);
});
