import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { callTool, findRequest, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { notesServer } from '../peers.ts';
import { commandOf, connect, startGate, type NotesGateway } from './peers.ts';
import { initialize, post, rawHeaders } from './raw-post.ts';

const open = closedAfterEach();

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies(['policy: free\nmatch: { tool: [read_note, ends, slow] }\nallow: { ceiling: medium }\n']);

async function start(words: string[], limits: object = {}): Promise<NotesGateway> {
  const gateway = await startGate({ client: assentry, upstream: { ...commandOf(words), ...limits } });
  open.push(() => gateway.close());
  return gateway;
}

async function agentAt(gateway: NotesGateway, kind?: '2026') {
  const { client } = await connect(gateway.notes, kind);
  open.push(() => client.close());
  return client;
}

/** A server that is this script. */
const script = (text: string): string[] => [process.execPath, '-e', text];

test('each session has a process of its own: if one ends, its call has an unknown outcome, and the others go on', async () => {
  const notes = notesServer();
  const gateway = await start(notes.words);
  const [first, other] = [await agentAt(gateway), await agentAt(gateway)];
  const ending = await callTool(first, 'ends', { text: '' }).catch((error: Error) => error.message);
  expect(JSON.stringify(ending)).toContain('outcome');
  expect(textOf(await callTool(other, 'read_note', { text: 'on' }))).toBe('read on');
  await expect(first.listTools()).rejects.toThrow('this session has ended');
  expect(gateway.warnings).toContain('notes: It has ended with code 3.');
});

test('a call is held, and runs once in the process of its session', async () => {
  const notes = notesServer();
  const client = await agentAt(await start(notes.words));
  const result = callTool(client, 'write_note', { text: 'held' });
  const { id } = await findRequest(approver, 'Run write_note on notes?');
  expect(notes.done()).toEqual([]);
  await approver.vote(id, 'accept');
  expect(textOf(await result)).toBe('wrote held');
  expect(notes.done()).toEqual(['wrote held']);
});

test('a call that is held when its process ends says so at once, and approvers see that no one waits', async () => {
  const notes = notesServer();
  const gateway = await start(notes.words);
  const [client, other] = [await agentAt(gateway), await agentAt(gateway)];
  const ending = callTool(client, 'write_note', { text: 'orphan' }).catch((error: Error) => error.message);
  const { id } = await findRequest(approver, 'Run write_note on notes?');
  await callTool(client, 'ends', { text: '' }).catch(() => {});
  expect(await ending).toContain('Connect again: the server has ended. Nothing was run.');
  await until(async () => (await approver.show(id)).caller === 'gone');
  await approver.vote(id, 'accept');
  expect(notes.done()).toEqual([]);
  expect(textOf(await callTool(other, 'write_note', { text: 'orphan' }))).toBe('wrote orphan');
  expect(notes.done()).toEqual(['wrote orphan']);
});

test('clients without sessions share a process, and each gets the answers to its own ids', async () => {
  const notes = notesServer();
  const gateway = await start(notes.words, { sessions: 1 });
  const clients = [await agentAt(gateway, '2026'), await agentAt(gateway, '2026')];
  const texts = ['a', 'b', 'c', 'd'];
  const results = clients.map((client, at) =>
    Promise.all(texts.map((text) => callTool(client, 'read_note', { text: `${text}${at}` }))),
  );
  const answers = (await Promise.all(results)).map((all) => all.map((result) => textOf(result)));
  expect(answers).toEqual([0, 1].map((at) => texts.map((text) => `read ${text}${at}`)));
});

test('without a session, the end of a stream cancels its request', async () => {
  const gateway = await start(script('process.stdin.pipe(process.stderr)'));
  const leaving = new AbortController();
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const list = { jsonrpc: '2.0', id: 'mine', method: 'tools/list', params: { _meta: meta } };
  const { signal } = leaving;
  const request = {
    method: 'POST',
    headers: { ...rawHeaders, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    body: JSON.stringify(list),
  };
  const asking = fetch(gateway.notes, { ...request, signal }).then((answer) => answer.text());
  asking.catch(() => {});
  await until(async () => gateway.warnings.some((line) => line.includes('tools/list')));
  leaving.abort();
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  await until(async () => gateway.warnings.includes(`notes: ${JSON.stringify(cancelled)}`));
});

test('a server that ends by itself at once is not started again at once', async () => {
  const gateway = await start(script('console.error("no licence\\nat all"); process.exit(7)'));
  const first = await post(gateway.notes, initialize);
  expect(await first.text()).toContain('"unavailable"');
  await until(async () => gateway.warnings.length === 3);
  expect(gateway.warnings.toSorted()).toEqual(
    ['notes: It has ended with code 7.', 'notes: at all', 'notes: no licence'].toSorted(),
  );
  const second = await post(gateway.notes, initialize);
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await second.text()).toContain('Try again in 1 s');
});

test('a command that does not exist is said to the operator, and refused', async () => {
  const gateway = await start(['/no/such/program']);
  const answer = await post(gateway.notes, initialize);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('Check the command')]);
  expect(gateway.warnings).toEqual([expect.stringContaining('/no/such/program cannot be started')]);
});

test('no more processes run than allowed; one that no one uses is ended, and its client connects again', async () => {
  const gateway = await start(notesServer().words, { sessions: 1, idle: 1 });
  const session = async (): Promise<string> => {
    const answer = await post(gateway.notes, initialize);
    await answer.text();
    return answer.headers.get('mcp-session-id') ?? '';
  };
  const first = await session();
  const refused = await post(gateway.notes, initialize);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('as many clients')]);
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  const pingIn = (id: string) => post(gateway.notes, ping, { 'mcp-session-id': id });
  expect((await pingIn(first)).status).toBe(200);
  await until(async () => (await session()) !== '');
  expect((await pingIn(first)).status).toBe(404);
  expect(gateway.warnings).toEqual([]);
});

test('a message that is longer than allowed is not passed on, and its server ends', async () => {
  const gateway = await start(
    script(`process.stdin.once('data', () => process.stdout.write('x'.repeat(2 * 1024 * 1024)))`),
    { size: 1 },
  );
  expect(await (await post(gateway.notes, initialize)).text()).toContain('"unavailable"');
  expect(gateway.warnings[0]).toBe('notes: It sent a message of more than 1048576 bytes, so it is ended.');
});

test('a server that says nothing is ended in time', async () => {
  const gateway = await start(script('setInterval(() => {}, 1_000)'), { timeout: 1 });
  expect(await (await post(gateway.notes, initialize)).text()).toContain('"unavailable"');
  expect(gateway.warnings[0]).toBe('notes: It has said nothing in 1 seconds, so it is ended.');
});

test('without a session there is nothing to resume, end or call in the 2025 way', async () => {
  const gateway = await start(notesServer().words);
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  expect((await post(gateway.notes, list)).status).toBe(400);
  expect((await fetch(gateway.notes, { headers: rawHeaders })).status).toBe(405);
  expect((await fetch(gateway.notes, { method: 'DELETE' })).status).toBe(405);
  expect((await post(gateway.notes, list, { 'mcp-session-id': 'a'.repeat(32) })).status).toBe(404);
});

test('the end of a session ends its process', async () => {
  const gateway = await start(notesServer().words, { sessions: 1 });
  const begun = await post(gateway.notes, initialize);
  await begun.text();
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  expect((await fetch(gateway.notes, { method: 'DELETE', headers: session })).status).toBe(200);
  expect((await post(gateway.notes, { jsonrpc: '2.0', id: 2, method: 'ping' }, session)).status).toBe(404);
  await until(async () => (await post(gateway.notes, initialize)).status === 200);
});
