import { request } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const rates = { opened: 3, calls: 30, streams: 2 };
const server = await startTestServer({ rates, trustedProxies: [] });
const behindProxy = await startTestServer({ databaseUrl: server.databaseUrl, trustedProxies: ['127.0.0.0/8'] });
afterAll(async () => {
  await behindProxy.stop();
  await server.stop();
});

const newAsking = async (name: string) => askingAt(server.url, await server.newServerKey(name));
const expectLimited = async (response: Response): Promise<void> => {
  expect([response.status, await response.json()]).toMatchObject([429, { code: 'rate-limited' }]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
};

describe('a caller who comes too often is told when to come again', () => {
  test('AI-18: with requests of one requester; others go on', async () => {
    const asking = await newAsking('opening');
    const open = (subject: string, call: string) =>
      asking.call('POST', '/v1/elicitations', { ...question, requester: { subject }, call });
    for (const call of ['1', '2', '3']) expect((await open('hasty@example.com', call)).status).toBe(201);
    await expectLimited(await open('Hasty@example.com', '4'));
    expect((await open('calm@example.com', '5')).status).toBe(201);
  });

  test('AV-01: with calls of one server, of one person and of one address; others go on', async () => {
    const [hasty, calm] = [await newAsking('hasty'), await newAsking('calm')];
    const [ada, bob] = [await server.newUser(), await server.newUser()];
    const callers: [() => Promise<Response>, () => Promise<Response>][] = [
      [() => hasty.call('GET', '/openapi.json'), () => calm.call('GET', '/openapi.json')],
      [() => ada.call('GET', '/api/session'), () => bob.call('GET', '/api/session')],
    ];
    for (const [call, other] of callers) {
      const answers = await Promise.all(Array.from({ length: 30 }, call));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      await expectLimited(await call());
      expect((await other()).status).toBe(200);
    }
    const health = await Promise.all(Array.from({ length: 31 }, () => fetch(`${server.url}/healthz`)));
    expect(health.map(({ status }) => status)).toContain(429);
  });

  test('an approved call is claimed, given back and completed all the same, and its outcome comes by the stream', async () => {
    const asking = await newAsking('busy');
    const { id, toolCall } = await asking.open();
    expect((await (await server.newUser()).vote(id, 'accept', {})).status).toBe(200);
    const reads = await Promise.all(Array.from({ length: 31 }, () => asking.call('GET', `/v1/elicitations/${id}`)));
    expect(reads.map(({ status }) => status)).toContain(429);
    expect((await asking.claim(toolCall, 'a')).status).toBe(200);
    expect((await asking.call('POST', `/v1/tool-calls/${toolCall}/release`, { attempt: 'a' })).status).toBe(204);
    expect((await asking.claim(toolCall, 'b')).status).toBe(200);
    const end = { attempt: 'b', delivered: true };
    expect((await asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, end)).status).toBe(204);
    const stream = await asking.call('GET', '/v1/stream');
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    const claims = await Promise.all(Array.from({ length: 30 }, () => asking.claim(toolCall, 'c')));
    expect(claims.map(({ status }) => status)).toContain(429); // this budget ends as well
  });

  test('with open streams, until one of them ends', async () => {
    const asking = await newAsking('listening');
    const listen = () => asking.call('GET', '/v1/stream');
    const [first] = [await listen(), await listen()];
    await expectLimited(await listen());
    await first.body?.cancel();
    const statuses: number[] = [];
    while (statuses.at(-1) !== 200 && statuses.length < 20) statuses.push((await listen()).status);
    expect(statuses.at(-1)).toBe(200);
  });
});

describe('CF-01: who says to speak for another address', () => {
  const guessFrom = async (url: string, address: string, email: string) => {
    const headers = { 'content-type': 'application/json', origin: url, 'x-forwarded-for': address };
    const body = JSON.stringify({ email, password: 'x' });
    return (await fetch(`${url}/api/session`, { method: 'POST', headers, body })).status;
  };
  const guessesAt = (url: string) =>
    Promise.all(Array.from({ length: 21 }, (_, at) => guessFrom(url, `192.0.2.${at}`, `a${at}@example.com`)));

  test('is not believed if it is no known proxy', async () => {
    expect(await guessesAt(server.url)).toContain(429);
  });

  test('is believed if it is one', async () => {
    expect(new Set(await guessesAt(behindProxy.url))).toEqual(new Set([401]));
  });
});

describe('MT-12: a browser that came under a name that is not ours', () => {
  const get = (path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${behindProxy.url}${path}`, { headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });

  test.each(['evil.example', 'evil.example:4700', '127.0.0.1.evil.example', 'localhost.evil.example', 'a b'])(
    'is refused everywhere: %s',
    async (host) => {
      for (const path of ['/', '/inbox', '/api/session', '/e/token', '/callback/token', '/credentials/token'])
        expect([path, await get(path, { host })]).toEqual([path, 403]);
    },
  );

  test.each(['localhost:4700', '127.0.0.1', '[::1]:4700'])('is served under %s', async (host) => {
    expect(await get('/api/session', { host })).toBe(401);
  });

  test('is no program: supervisors and servers call a node by any name', async () => {
    expect(await get('/healthz', { host: 'node-1:4700' })).toBe(200);
    const authorization = `Bearer ${await server.newServerKey('internal')}`;
    expect(await get('/openapi.json', { host: 'node-1:4700', authorization })).toBe(200);
  });
});
