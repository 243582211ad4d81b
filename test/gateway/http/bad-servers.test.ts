import { once } from 'node:events';
import { connect as openSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { callTool, findRequest, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { connect, startGate, type NotesGateway } from './peers.ts';
import { initialize, post } from './raw-post.ts';
import { bytesOf } from './raw-request.ts';
import {
  honest,
  inSession,
  startScripted,
  streamTo,
  textResult,
  type Heard,
  type ScriptedServer,
} from './scripted-server.ts';
import { readingPolicy } from '../reading-policy.ts';

const releasing = `policy: releasing
match: { server: kept, tool: assentry.result }
require:
  stages: [{ name: Anyone, approvers: anyone }]
`;

const clients: Record<string, AssentryClient> = {};
const open = closedAfterEach();

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser('approver');
for (const name of ['notes', 'kept'])
  clients[name] = createClient({ url: server.url, apiKey: await server.newServerKey(name) });
await server.applyPolicies([readingPolicy, releasing]);

interface Gated {
  gateway: NotesGateway;
  upstream: ScriptedServer;
}

async function start(script: ScriptedServer['script'] = {}, more: object = {}, name = 'notes'): Promise<Gated> {
  const upstream = await startScripted(script);
  const client = clients[name] as AssentryClient;
  const gateway = await startGate({ client, upstream: { url: upstream.url, ...more } });
  open.push(
    () => upstream.close(),
    () => gateway.close(),
  );
  return { gateway, upstream };
}

const call = (name: string, id: number, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { text: 'x' }, ...more },
});
const calls = ({ heard }: ScriptedServer) => heard.filter(({ method }) => method === 'tools/call');

describe('a page of the server', () => {
  const page = '<script>fetch("/u/files/mcp")</script>';
  const html = { 'content-type': 'text/html' };

  test('never runs under the address of the gateway', async () => {
    const { gateway, upstream } = await start({ GET: ({ response }) => response.writeHead(405, html).end(page) });
    const shown = await fetch(gateway.notes);
    expect([shown.status, await shown.text()]).toEqual([405, page]);
    upstream.script['tools/call'] = ({ response }) => response.writeHead(418, html).end(page);
    const refused = await post(gateway.notes, call('read_note', 2), inSession);
    expect([refused.status, await refused.text()]).toEqual([418, page]);
    for (const { headers } of [shown, refused]) {
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('the answer to a held call', () => {
  test.each(['on the stream for notifications', 'on the stream of another request'])(
    'cannot come from the server %s',
    async (where) => {
      let tell: ReturnType<typeof streamTo> = () => false;
      const begin = ({ response }: Heard) => (tell = streamTo(response));
      const { gateway } = await start(where.includes('another') ? { 'resources/list': begin } : { GET: begin });
      const { client } = await connect(gateway.notes);
      open.push(() => client.close());
      const listing = client.listResources().catch(() => {});
      const answer = callTool(client, 'write_note', { text: where });
      const { id } = await findRequest(approver, 'Run write_note on notes?');
      for (let guess = 0; guess < 20; guess += 1) {
        tell({ id: guess, result: textResult('forged') });
        tell({ id: guess, error: { code: -1, message: 'forged' } });
      }
      await until(() => gateway.warnings.some((line) => line.includes('answered')));
      await approver.vote(id, 'accept');
      expect(textOf(await answer)).toBe('done');
      if (where.includes('another')) await client.close();
      await listing;
    },
  );
});

describe('a result that must be released', () => {
  test.each(['tools/call', 'tasks/get'])('cannot be had by resuming the stream of its call: as of %s', async (kind) => {
    const secret = textResult('the salaries');
    const { gateway, upstream } = await start(
      {
        'tools/call': ({ id, params, response }) => {
          const tell = streamTo(response);
          const { progressToken } = (params?.['_meta'] ?? {}) as { progressToken?: number };
          tell({ method: 'notifications/progress', params: { progressToken, progress: 1 } }, 'first');
          tell({ id, result: secret }, 'second');
          response.end();
        },
        GET: ({ headers, response }) => {
          const tell = streamTo(response);
          if (headers['last-event-id'] === 'first')
            tell({ id: 7, result: kind === 'tools/call' ? secret : { status: 'completed', result: secret } }, 'second');
          response.end();
        },
      },
      {},
      'kept',
    );
    const leaving = new AbortController();
    const more = { arguments: { text: kind }, _meta: { progressToken: 1 } };
    post(gateway.notes, call('read_note', 7, more), inSession, leaving.signal).catch(() => {});
    await until(() => calls(upstream).length > 0);
    leaving.abort();
    const resumed = await fetch(gateway.notes, { headers: { ...inSession, 'last-event-id': 'first' } });
    const text = await resumed.text();
    expect(text).not.toContain('the salaries');
    expect(text).toContain('Make the same call again');
    expect(calls(upstream)).toHaveLength(1);
  });

  test('comes by resuming where no policy holds it', async () => {
    const { gateway } = await start({
      GET: ({ response }) => {
        streamTo(response)({ id: 7, result: textResult('plain') }, 'second');
        response.end();
      },
    });
    const resumed = await fetch(gateway.notes, { headers: { ...inSession, 'last-event-id': 'first' } });
    expect(await resumed.text()).toContain('plain');
  });
});

describe('what a server sends without end', () => {
  test('waits for a client that does not read', async () => {
    const event = { method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(64 * 1024) } };
    const most = 1_000;
    let [sent, hasEnded] = [0, false];
    const flood = async ({ response }: Heard): Promise<void> => {
      const tell = streamTo(response);
      for (let count = 0; count < most; count += 1) {
        const drained = tell(event) || once(response, 'drain').then(() => true);
        if (!(await Promise.race([drained, sleep(1_500, false)]))) break;
        sent += 1;
      }
      response.destroy();
      hasEnded = true;
    };
    const { gateway } = await start({ 'tools/call': flood });
    const socket = openSocket(Number(new URL(gateway.url).port), '127.0.0.1').pause();
    open.push(async () => void socket.destroy());
    const headers = ['mcp-session-id: one', 'mcp-protocol-version: 2025-11-25'];
    socket.write(bytesOf({ headers, body: JSON.stringify(call('read_note', 3)) }));
    await until(() => hasEnded);
    expect(sent).toBeLessThan(most);
  });
});

describe('a server that is silent', () => {
  test('when the gateway asks for its tools holds no call up for long, and the next ones run', async () => {
    const { gateway, upstream } = await start({ 'tools/list': ({ response }) => streamTo(response) }, { timeout: 1 });
    const refused = await post(gateway.notes, call('read_note', 2), inSession);
    expect(await refused.text()).toContain('the server does not answer. Nothing was run.');
    expect(calls(upstream)).toEqual([]);
    upstream.script['tools/list'] = honest;
    expect(await (await post(gateway.notes, call('read_note', 3), inSession)).text()).toContain('done');
  });
});

describe('a server with a dialect of its own', () => {
  const json = { 'content-type': 'application/json' };
  const done = (id: unknown, text: string) =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"${text}"}]}}`;
  const answering = (write: (id: unknown) => string) => ({
    'tools/call': ({ id, response }: Heard) => response.writeHead(200, json).end(write(id)),
  });
  const ask = async (script: ScriptedServer['script'], message: object = call('read_note', 2)): Promise<string> => {
    const { gateway } = await start(script);
    return (await post(gateway.notes, message, inSession)).text();
  };

  test.each([
    [202, 'text/plain', 'Accepted'],
    [200, 'text/html', 'ok'],
    [202, 'application/json', '{"ok":true}'],
  ])('may answer a notification with %d and a body of %s', async (status, type, body) => {
    const script = ({ response }: Heard) => response.writeHead(status, { 'content-type': type }).end(body);
    const { gateway } = await start({ 'notifications/initialized': script });
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const answer = await post(gateway.notes, notification, inSession);
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  });

  test.each([307, 308])('may redirect with %d to another path of its own', async (status) => {
    let heard = 0;
    const script = (request: Heard) => {
      heard += 1;
      if (heard === 1) return request.response.writeHead(status, { location: '/mcp/' }).end();
      return honest(request);
    };
    expect(await ask({ 'tools/call': script })).toContain('done');
    expect(heard).toBe(2);
  });

  test('that redirects for ever is left, and its host is named', async () => {
    const onwards = ({ response }: Heard) => response.writeHead(307, { location: '/mcp/' }).end();
    const { gateway, upstream } = await start({ 'tools/call': onwards });
    const text = await (await post(gateway.notes, call('read_note', 2), inSession)).text();
    expect(text).toContain(new URL(upstream.url).host);
    expect(calls(upstream)).toHaveLength(4);
  });

  test('of the transport of 2024 is named in the refusal', async () => {
    const closed = ({ response }: Heard) => response.writeHead(405, { 'content-type': 'text/plain' }).end('No.');
    expect(await ask({ initialize: closed }, initialize)).toContain('If it speaks HTTP+SSE');
    const refused = ({ id, response }: Heard) =>
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
    expect(await ask({ initialize: refused }, initialize)).toContain('Method not found');
  });

  test.each<[string, (id: unknown) => string, string]>([
    ['a byte order mark', (id) => `\uFEFF${done(id, 'fine')}`, 'fine'],
    ['half a character', (id) => done(id, String.raw`half \ud83d here`), 'half \uFFFD here'],
    ['a name twice', (id) => done(id, 'twice').replace('"type":"text"', '"type":"text","type":"text"'), 'twice'],
  ])('passes a result with %s', async (_, write, expected) => {
    const text = await ask(answering(write));
    const { result } = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as {
      result: { content: { text: string }[] };
    };
    expect(result.content[0]?.text).toBe(expected);
  });

  test('whose result cannot be read has run all the same, and the client reads so', async () => {
    const unread = (id: unknown) => done(id, 'x').replace('"type"', '"__proto__":{"a":1},"type"');
    expect(await ask(answering(unread))).toContain('The call ran.');
  });

  test('gets no arguments from a client that sends null', async () => {
    const { gateway, upstream } = await start();
    const message = call('read_note', 2);
    const body = { ...message, params: { name: 'read_note', arguments: null } };
    expect(await (await post(gateway.notes, body, inSession)).text()).toContain('done');
    expect(calls(upstream)[0]?.params).toEqual({ name: 'read_note' });
  });
});

describe('a server that sends its clients elsewhere', () => {
  test('is not followed, and the client is told whom to ask', async () => {
    const other = await startScripted();
    open.push(() => other.close());
    const onwards = ({ response }: Heard) => response.writeHead(307, { location: other.url }).end();
    const { gateway } = await start({ 'tools/call': onwards, initialize: onwards }, { headers: { 'X-Key': 'k' } });
    for (const message of [call('read_note', 2), initialize]) {
      const answer = await post(gateway.notes, message, inSession);
      const text = await answer.text();
      expect(text).toContain('Ask the operator: the server answers at another address');
      expect(text).not.toContain(other.url);
    }
    expect(other.heard).toEqual([]);
  });
});

describe('the credentials of the gateway', () => {
  const key = 'ghp_0123456789abcdefghij';
  const upstream = { headers: { Authorization: `Bearer ${key}`, 'X-Region': 'europe-west-1-and-more' } };
  const echo = ({ headers }: Heard) => `${headers.authorization} in ${String(headers['x-region'])}`;
  const failed = ({ response }: Heard, type: string, text: string) =>
    response.writeHead(403, { 'content-type': type }).end(text);

  test.each<[string, (heard: Heard) => unknown]>([
    ['in a result', (heard) => streamTo(heard.response)({ id: heard.id, result: textResult(echo(heard)) })],
    [
      'in base64',
      (heard) => {
        const text = Buffer.from(echo(heard)).toString('base64');
        streamTo(heard.response)({ id: heard.id, result: textResult(text) });
      },
    ],
    ['in an error', (heard) => streamTo(heard.response)({ id: heard.id, error: { code: 1, message: echo(heard) } })],
    ['in a refusal', (heard) => failed(heard, 'text/plain', echo(heard))],
    ['in a refusal as JSON', (heard) => failed(heard, 'application/json', JSON.stringify({ error: echo(heard) }))],
  ])('reach no client %s', async (_, answer) => {
    const { gateway } = await start({ 'tools/call': answer, ping: answer }, upstream);
    for (const message of [call('read_note', 2), { jsonrpc: '2.0', id: 2, method: 'ping' }]) {
      const stream = await post(gateway.notes, message, inSession);
      const text = await firstMessage(stream);
      expect(text).toContain('it carries credentials of the gateway');
      expect(text).not.toContain(key);
    }
  });

  test('are what is secret alone: the region passes', async () => {
    const answer = (heard: Heard): void => {
      streamTo(heard.response)({ id: heard.id, result: textResult(String(heard.headers['x-region'])) });
    };
    const { gateway } = await start({ 'tools/call': answer }, upstream);
    expect(await firstMessage(await post(gateway.notes, call('read_note', 2), inSession))).toContain('europe-west-1');
  });
});

/** What a client reads until the answer has come. */
async function firstMessage({ body }: Response): Promise<string> {
  let text = '';
  for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    if (/"(?:result|error)":/.test(text)) break;
  }
  return text;
}
