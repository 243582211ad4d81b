import { afterAll, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { compiled } from '../../../support/compiled.ts';
import { until } from '../../../support/poll.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { callTool, findRequest, listRequests, makeClient, startMcpServer, textOf } from '../peers.ts';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const ledger: string[] = [];

const server = await startTestServer();
const approver = await server.newUser('approver');
const apiKey = await server.newServerKey('delivery');
const mcp = await startMcpServer(
  (tools) =>
    tools.registerTool('pay', { inputSchema: { id: z.string() } }, async ({ id }, { elicit }) => {
      const { status } = await elicit(`Pay ${id}?`, z.object({}), { approval: true });
      if (status === 'accept') ledger.push(id);
      return { content: [{ type: 'text', text: `${status} ${id}` }] };
    }),
  { url: server.url, apiKey, progressIntervalMs: 30 },
);
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});

const callerOf = async (id: string): Promise<string | undefined> =>
  (await listRequests(approver, 'all')).find((item) => item.id === id)?.caller;

/** A `tools/call` as bytes over HTTP, so that its socket can be cut. */
async function postCall(id: string): Promise<{ cut(): void }> {
  const { headers } = await post({ method: 'initialize', id: 0, params: initialize });
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post({ method: 'notifications/initialized' }, session);
  const socket = new AbortController();
  const call = { method: 'tools/call', id: 1, params: { name: 'pay', arguments: { id } } };
  await post(call, session, socket.signal); // resolves with the head of the stream
  return { cut: () => socket.abort() };
}

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'agent', version: '2.0.0' },
};

const post = (message: object, headers = {}, signal: AbortSignal | null = null): Promise<Response> =>
  fetch(mcp.url, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

test('a client whose socket was cut finds its result: one question, one execution', async () => {
  const call = await postCall('cut');
  const { id } = await findRequest(approver, 'Pay cut?');
  call.cut();
  await until(async () => (await callerOf(id)) === 'gone');
  expect((await approver.vote(id, 'accept', {})).status).toBe(200);
  await until(() => ledger.includes('cut'));
  expect(textOf(await callTool(await mcp.connect(), 'pay', { id: 'cut' }))).toBe('accept cut');
  expect(ledger).toEqual(['cut']);
  expect(await listRequests(approver, 'all')).toEqual([]);
});

test('a result that the caller took is settled: the same call is a new request', async () => {
  const client = await mcp.connect();
  for (const round of [1, 2]) {
    const call = callTool(client, 'pay', { id: 'twice' });
    const { id } = await findRequest(approver, 'Pay twice?');
    await approver.vote(id, 'accept', {});
    expect(textOf(await call)).toBe('accept twice');
    expect(ledger.filter((entry) => entry === 'twice')).toHaveLength(round);
  }
});

test('a killed client leaves no server behind that runs its tool', async () => {
  const child = startTenLines();
  const exited = once(child, 'exit');
  const say = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({ method: 'initialize', id: 0, params: initialize });
  await once(child.stdout ?? child, 'data');
  say({ method: 'notifications/initialized' });
  say({ method: 'tools/call', id: 1, params: { name: 'delete_account', arguments: { id: 'killed' } } });
  const { id } = await findRequest(approver, 'Run delete_account?');
  child.stdin?.destroy(); // what the operating system does for a client that is killed
  await until(async () => (await callerOf(id)) === 'gone');
  await exited;
  expect((await approver.vote(id, 'accept', {})).status).toBe(200);

  const client = makeClient();
  await client.connect(new StdioClientTransport(tenLines()));
  expect(textOf(await callTool(client, 'delete_account', { id: 'killed' }))).toBe('Account killed is deleted.');
  expect(await listRequests(approver, 'all')).toEqual([]);
  await client.close();
});

const tenLines = () => ({
  command: process.execPath,
  args: [compiled('examples/ten-lines.ts')],
  env: { PATH: process.env['PATH'] ?? '', ASSENTRY_URL: server.url, ASSENTRY_API_KEY: apiKey },
});

function startTenLines(): ChildProcess {
  const { command, args, env } = tenLines();
  return spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
}
