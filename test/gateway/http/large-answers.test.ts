import { connect as openSocket } from 'node:net';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { startGates } from './peers.ts';
import { initialize, post, rawHeaders } from './raw-post.ts';
import { bytesOf } from './raw-request.ts';
import { inSession, startScripted, type Heard } from './scripted-server.ts';
import { readingPolicy } from '../reading-policy.ts';
import { drawn } from '../../support/runs.ts';

const mebibyte = 1024 * 1024;

const open: (() => unknown)[] = [];

const server = await startTestServer();
afterAll(() => server.stop());
const client = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([readingPolicy]);
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'read_note', arguments: { text: 'x' } } };

/** A server whose answers are large. */
interface Large {
  upstream: Record<string, unknown>;
  /** The calls that it got. */
  calls(warnings: string[]): number;
  /** Those of its answers that were read to the end. */
  read(warnings: string[]): number;
}

const size = 15 * mebibyte;

async function overHttp(): Promise<Large> {
  const text = 'x'.repeat(size);
  let read = 0;
  const { url, heard, close } = await startScripted({
    'tools/call': ({ id, response }: Heard) => {
      response.once('finish', () => (read += 1));
      const result = { content: [{ type: 'text', text }] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    },
  });
  open.push(close);
  const calls = () => heard.filter(({ method }) => method === 'tools/call').length;
  return { upstream: { url }, calls, read: () => read };
}

const program = `
const tools = [{ name: 'read_note', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, annotations: { readOnlyHint: true } }];
const info = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'large', version: '1' } };
const text = 'x'.repeat(${size});
const answers = { initialize: () => info, 'tools/list': () => ({ tools }), 'tools/call': () => ({ content: [{ type: 'text', text }] }) };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const isCall = method === 'tools/call';
  if (isCall) console.error('called');
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.() ?? {} });
  process.stdout.write(answer + '\\n', () => isCall && console.error('read'));
});
`;

const counting = (word: string) => (warnings: string[]) => warnings.filter((line) => line === `notes: ${word}`).length;

const overStdio = async (): Promise<Large> => ({
  upstream: { command: process.execPath, args: ['-e', program] },
  calls: counting('called'),
  read: counting('read'),
});

const doors: [string, () => Promise<Large>, '/u/notes/mcp' | '/mcp', string][] = [
  ['a server over HTTP', overHttp, '/u/notes/mcp', 'read_note'],
  ['a server over stdio', overStdio, '/u/notes/mcp', 'read_note'],
  ['the address of all servers', overHttp, '/mcp', 'notes__read_note'],
];

test.each(drawn('large answers', doors, { least: 1 }))(
  'of large answers of %s no more are read than the gateway holds, however many clients read nothing; who goes on gets theirs',
  async (_, start, path, name) => {
    const [large, other] = await Promise.all([start(), startScripted()]);
    open.push(other.close);
    const upstreams = { notes: { ...large.upstream, size: 16 }, other: { url: other.url } };
    const gateway = await startGates({ upstreams, clientFor: () => client, more: { maxAnswers: 32 } });
    open.push(() => gateway.close());
    const { url, warnings } = gateway;
    const connect = async () => {
      const answer = await post(url + path, initialize);
      await answer.text();
      return answer.headers.get('mcp-session-id') ?? '';
    };
    /** Each is another call: on a busy machine one may be asked about, and then the same call would join it. */
    const callOf = (id: number) => ({ ...call, id, params: { name, arguments: { text: String(id) } } });
    const others = async () => (await post(`${url}/u/other/mcp`, { ...call, id: 1 }, inSession)).text();
    const session = { ...rawHeaders, 'mcp-session-id': await connect() };
    const unread = [];
    for (let id = 100; large.calls(warnings) < 6; id += 1) {
      expect(id).toBeLessThan(120);
      const before = large.calls(warnings);
      const headers = [`Mcp-Session-Id: ${await connect()}`];
      const socket = openSocket(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      open.push(() => socket.destroy());
      socket.write(bytesOf({ path, headers, body: JSON.stringify(callOf(id)) }));
      unread.push(socket.pause());
      // On a busy machine a person may be asked about one, and it waits; the next is called.
      await until(() => large.calls(warnings) > before, { within: 5_000 }).catch(() => {});
    }
    expect(await others()).toContain('done');
    const patient = await post(url + path, callOf(99), session); // its stream begins after some seconds
    expect(large.read(warnings)).toBe(2);
    expect(await others()).toContain('done');
    for (const socket of unread) socket.destroy();
    expect((await patient.text()).length).toBeGreaterThan(size);
  },
);
