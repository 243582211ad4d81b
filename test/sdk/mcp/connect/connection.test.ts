import { inspect } from 'node:util';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Connection as StoredConnection } from '#connect/connections/contract';
import { Problem, type AssentryClient } from '#sdk/client/client';
import { makeConnection, type Connection } from '#sdk/mcp/connect/connection';
import { startScriptedServer, type Heard } from '../../client/scripted-server.ts';
import type { ServerResponse } from 'node:http';
import { connectionId, fakeAccounts, type FakeAccounts } from './fake-accounts.ts';

type Reply = (request: Heard, response: ServerResponse) => void;
let reply: Reply;
const answer: Reply = (request, response) => reply(request, response);
const api = await startScriptedServer(answer);
const other = await startScriptedServer(answer);
afterAll(async () => {
  await api.stop();
  await other.stop();
});

const hostOf = ({ url }: { url: string }): string => new URL(url).host;
const person = { requester: { subject: 'ada', verified: true } };

let accounts: FakeAccounts;
let reconnected: number;
beforeEach(() => {
  reply = (_, response) => void response.writeHead(200).end('done');
  accounts = fakeAccounts({} as AssentryClient);
  accounts.hosts = [hostOf(api)];
  reconnected = 0;
  api.heard.length = 0;
  other.heard.length = 0;
});

const storedNow = ({ account, hosts }: FakeAccounts): StoredConnection => ({
  id: connectionId,
  provider: 'github',
  account,
  scopes: ['repo'],
  hosts,
});

function connect(reconnect: 'accepts' | 'declines' | 'never' = 'accepts'): Connection {
  const asks = async (): Promise<StoredConnection> => {
    reconnected += 1;
    if (reconnect === 'declines') throw new Problem('connection-declined');
    return storedNow(accounts);
  };
  const source = { client: accounts.client, person, reconnect: reconnect === 'never' ? null : asks };
  return makeConnection(source, storedNow(accounts));
}

const sentTo = ({ heard }: { heard: Heard[] }): unknown[] =>
  heard.map(({ method, path, headers, body }) => [method, path, headers.authorization, ...(body ? [body] : [])]);

const thrownBy = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => Promise.reject(new TypeError('nothing was thrown')),
    (error: Problem) => error,
  );

describe('fetch of a connection', () => {
  test('sends the token to a host of the connection, in place of what the author gives', async () => {
    const response = await connect().fetch(`${api.url}/user`, { headers: { authorization: 'Basic x', 'x-a': 'b' } });
    expect([await response.text(), sentTo(api)]).toEqual(['done', [['GET', '/user', 'Bearer secret-1']]]);
    expect(api.heard[0]?.headers['x-a']).toBe('b');
  });

  test('takes an address, a URL and a Request', async () => {
    const github = connect();
    await github.fetch(new URL(`${api.url}/a`));
    await github.fetch(new Request(`${api.url}/b`, { method: 'POST', body: '{"b":1}' }));
    expect(sentTo(api)).toEqual([
      ['GET', '/a', 'Bearer secret-1'],
      ['POST', '/b', 'Bearer secret-1', { b: 1 }],
    ]);
  });

  test.each([
    ['another host', () => `${other.url}/user`],
    ['another port', () => `http://127.0.0.1:1/user`],
    ['another spelling', () => `http://localhost:${new URL(api.url).port}/user`],
    ['a longer name', () => 'https://api.example.evil.example/user'],
    ['another name of the same end', () => 'https://evil-api.example/user'],
    ['a host with a dot at its end', () => 'https://api.example./user'],
    ['no TLS', () => 'http://api.example/user'],
  ])('refuses %s, and names the hosts, before it takes a token', async (_name, address) => {
    accounts.hosts = [hostOf(api), 'api.example'];
    const problem = await thrownBy(connect().fetch(address()));
    expect([problem.code, problem.message]).toEqual([
      'INVALID_INPUT',
      expect.stringContaining(`${hostOf(api)}, api.example`),
    ]);
    expect([accounts.tokens, api.heard, other.heard]).toEqual([[], [], []]);
  });

  test('follows redirects within the hosts as `fetch` does', async () => {
    accounts.hosts = [hostOf(api), hostOf(other)];
    const steps: Record<string, [status: number, location: string]> = {
      '/kept': [307, `${other.url}/changed`],
      '/changed': [303, '/end'],
    };
    reply = ({ path }, response) => {
      const [status, location] = steps[path] ?? [200];
      response.writeHead(status, location === undefined ? {} : { location }).end();
    };
    const headers = { 'content-type': 'application/json' };
    const response = await connect().fetch(`${api.url}/kept`, { method: 'POST', body: '{"a":1}', headers });
    expect(response.status).toBe(200);
    expect([sentTo(api), sentTo(other)]).toEqual([
      [['POST', '/kept', 'Bearer secret-1', { a: 1 }]],
      [
        ['POST', '/changed', 'Bearer secret-1', { a: 1 }],
        ['GET', '/end', 'Bearer secret-1'],
      ],
    ]);
    expect(other.heard.map((each) => each.headers['content-type'])).toEqual(['application/json', undefined]);
  });

  test.each([
    ['another host', 302, () => `${other.url}/stolen`],
    ['another host with the body', 307, () => `${other.url}/stolen`],
    ['no address', 302, () => 'http://['],
    ['an address with a password', 302, () => api.url.replace('//', '//u:p@')],
  ])('returns a redirect to %s as it is', async (_name, status, location) => {
    reply = (_, response) => void response.writeHead(status, { location: location() }).end();
    const response = await connect().fetch(`${api.url}/away`, { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('location')]).toEqual([status, location()]);
    expect([api.heard.length, other.heard]).toEqual([1, []]);
  });

  test('follows five redirects, and none that the author does not want', async () => {
    reply = (_, response) => void response.writeHead(302, { location: '/again' }).end();
    expect((await connect().fetch(`${api.url}/loop`)).status).toBe(302);
    expect(api.heard.length).toBe(6);
    expect((await connect().fetch(`${api.url}/loop`, { redirect: 'manual' })).status).toBe(302);
    expect(api.heard.length).toBe(7);
    await expect(connect().fetch(`${api.url}/loop`, { redirect: 'error' })).rejects.toThrow(TypeError);
  });

  test('returns a redirect that wants a stream again', async () => {
    reply = (_, response) => void response.writeHead(307, { location: '/again' }).end();
    const body = new Blob(['{}']).stream();
    const response = await connect().fetch(`${api.url}/up`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([response.status, api.heard.length]).toEqual([307, 1]);
  });

  test('ends with the signal of its author', async () => {
    const ending = new AbortController();
    reply = () => ending.abort(new Error('enough'));
    await expect(connect().fetch(api.url, { signal: ending.signal })).rejects.toThrow('enough');
  });
});

describe('after a 401', () => {
  const refuseFirst = (count = 1): Reply => {
    let left = count;
    return (_, response) => void response.writeHead(left-- > 0 ? 401 : 200).end();
  };

  test('it reports the refusal, asks the person once, and sends the request again', async () => {
    reply = refuseFirst();
    const response = await connect().fetch(`${api.url}/user`, { method: 'PUT', body: '{"a":1}' });
    expect([response.status, reconnected, accounts.refused]).toEqual([200, 1, [connectionId]]);
    expect(sentTo(api)).toEqual([
      ['PUT', '/user', 'Bearer secret-1', { a: 1 }],
      ['PUT', '/user', 'Bearer secret-2', { a: 1 }],
    ]);
  });

  test('several requests that met the same refusal ask together', async () => {
    const waiting: ServerResponse[] = [];
    reply = ({ headers }, response) => {
      if (headers.authorization === 'Bearer secret-2') return void response.writeHead(200).end();
      waiting.push(response);
      if (waiting.length === 3) for (const each of waiting) each.writeHead(401).end();
    };
    const github = connect();
    const responses = await Promise.all([1, 2, 3].map(() => github.fetch(api.url)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([reconnected, accounts.refused.length]).toEqual([1, 1]);
  });

  test('a second one is returned, and so is each later one', async () => {
    reply = refuseFirst(9);
    const github = connect();
    const statuses = [(await github.fetch(api.url)).status, (await github.fetch(api.url)).status];
    expect([statuses, api.heard.length, reconnected, accounts.refused.length]).toEqual([[401, 401], 3, 1, 1]);
  });

  test('it is returned at once if this call has asked to connect again before', async () => {
    reply = refuseFirst(9);
    expect((await connect('never').fetch(api.url)).status).toBe(401);
    expect([api.heard.length, accounts.refused]).toEqual([1, []]);
  });

  test('it is returned for a stream, which cannot be sent again, once the person has connected again', async () => {
    reply = refuseFirst();
    const body = new Blob(['{}']).stream();
    const response = await connect().fetch(api.url, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([response.status, reconnected, api.heard.length]).toEqual([401, 1, 1]);
  });

  test('a no of the person ends it', async () => {
    reply = refuseFirst();
    expect((await thrownBy(connect('declines').fetch(api.url))).code).toBe('connection-declined');
  });

  test('nothing goes on with another account', async () => {
    reply = refuseFirst();
    const github = connect();
    accounts.account = { id: '8', label: 'eve' };
    const problem = await thrownBy(github.fetch(api.url));
    expect([problem.code, problem.message]).toEqual(['connection-declined', expect.stringMatching(/^Call this tool/)]);
    expect(api.heard.length).toBe(1);
  });
});

describe('the token of a connection', () => {
  test('is asked for again when it has lasted its time, and shared until then', async () => {
    const github = connect();
    expect(await Promise.all([github.token(), github.token()])).toEqual(['secret-1', 'secret-1']);
    expect(await github.token()).toBe('secret-1');
    accounts.lasts = 0;
    const short = connect();
    expect([await short.token(), await short.token()]).toEqual(['secret-2', 'secret-3']);
  });

  test('that the provider has withdrawn makes the person connect again', async () => {
    const { useConnection } = accounts.client;
    let isWithdrawn = true;
    accounts.client.useConnection = async (...parts) => {
      if (isWithdrawn) throw new Problem('connection-declined');
      return useConnection(...parts);
    };
    const github = connect();
    const isDone = github.token();
    isWithdrawn = false;
    expect([await isDone, reconnected]).toEqual(['secret-1', 1]);
  });

  test('does not stand in the error if it fits into no header', async () => {
    accounts.client.useConnection = async () => ({ token: 'secret\n1', lasts: 1 });
    const error = await thrownBy(connect().fetch(api.url));
    expect(error.code).toBe('provider-unavailable');
    expect(inspect(error)).not.toContain('secret');
  });
});

test('a connection prints as its id, and shows its token nowhere', async () => {
  const github = connect();
  await github.fetch(api.url);
  const printed = [`${github}`, JSON.stringify({ github }), inspect(github), inspect({ deep: [github] })];
  expect(printed).toEqual([
    connectionId,
    `{"github":"${connectionId}"}`,
    connectionId,
    `{ deep: [ ${connectionId} ] }`,
  ]);
  expect(inspect({ ...github }, { depth: 9, showHidden: true })).not.toContain('secret');
  expect(Object.isFrozen(github)).toBe(true);
});
