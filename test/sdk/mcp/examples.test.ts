import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { version } from '#platform/process/package';
import { compiled } from '../../support/compiled.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { callTool, findRequest, makeClient, textOf } from './peers.ts';

let ledger: string;
const processes: StdioClientTransport[] = [];

const server = await startTestServer();
const approver = await server.newUser('approver');
const apiKey = await server.newServerKey('example');
const directory = await mkdtemp(path.join(os.tmpdir(), 'assentry-mcp-'));
afterAll(async () => {
  await Promise.all(processes.map((process) => process.close()));
  await rm(directory, { recursive: true, force: true });
  await server.stop();
});
beforeEach(() => {
  ledger = path.join(directory, `${Math.random()}`);
});

/** A client that starts an MCP server of its own as a child process. */
async function startExample(
  [file, ...words]: [source: string, ...words: string[]],
  user?: () => ElicitResult,
): Promise<{ client: Client; transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [compiled(file), ...words, '--ledger', ledger],
    env: { PATH: process.env['PATH'] ?? '', ASSENTRY_URL: server.url, ASSENTRY_API_KEY: apiKey },
    stderr: 'inherit',
  });
  processes.push(transport);
  const client = makeClient(user);
  await client.connect(transport);
  return { client, transport };
}

const readLedger = (): Promise<string> => readFile(ledger, 'utf8').catch(() => '');

test('a server says at its start as whom Assentry knows it, or what its operator must mend', async () => {
  const firstLine = async (env: Record<string, string>): Promise<string> => {
    const args = [compiled('examples/server.ts'), '--stdio', '--ledger', ledger];
    const started = spawn(process.execPath, args, { env: { PATH: process.env['PATH'] ?? '', ...env } });
    let output = '';
    started.stderr.on('data', (chunk) => (output += String(chunk)));
    await until(() => output.includes('\n'));
    started.kill();
    return output.trim();
  };
  const settings = { ASSENTRY_URL: server.url, ASSENTRY_API_KEY: apiKey };
  const lines = [
    settings,
    { ...settings, ASSENTRY_API_KEY: 'asn_none' },
    { ...settings, ASSENTRY_URL: 'http://u:p@127.0.0.1:9' },
  ];
  expect(await Promise.all(lines.map(firstLine))).toEqual([
    `Assentry ${version} at ${server.url}, as example`,
    `Ask the operator of this MCP server to check ASSENTRY_API_KEY: Assentry does not accept its key. (${server.url})`,
    'Check that Assentry runs, or try again later: nothing listens there (ECONNREFUSED). (http://127.0.0.1:9)',
  ]);
});

test('a call held by a killed process is joined by the next, and the tool runs once', async () => {
  const first = await startExample(['examples/server.ts', '--stdio']);
  const lost = callTool(first.client, 'delete_account', { id: '7' }).catch((error: Error) => error);
  const { id } = await findRequest(approver, 'Delete the account 7?');
  process.kill(first.transport.pid ?? 0, 'SIGKILL');
  expect(await lost).toBeInstanceOf(Error);
  const second = await startExample(['examples/server.ts', '--stdio']);
  const call = callTool(second.client, 'delete_account', { id: '7' });
  const joined = await findRequest(approver, 'Delete the account 7?');
  expect(joined.id).toBe(id);
  expect((await approver.vote(id, 'accept', { confirmed: true })).ok).toBe(true);
  expect(textOf(await call)).toBe('Account 7 is deleted.');
  expect(await readLedger()).toBe('deleted 7\n');
});

test('a client that closes its server is shown as gone', async () => {
  const { client } = await startExample(['examples/server.ts', '--stdio']);
  const lost = callTool(client, 'transfer_funds', { amount: 9.5, to: 'DE02' }).catch((error: Error) => error);
  const { id } = await findRequest(approver, 'Transfer 9.50 EUR to DE02?');
  await client.close();
  await lost;
  await until(async () => (await approver.show(id)).caller === 'gone');
  expect(await readLedger()).toBe('');
});

test('an approver can lower what a tool does', async () => {
  const { client } = await startExample(['examples/server.ts', '--stdio']);
  const call = callTool(client, 'transfer_funds', { amount: 100, to: 'DE03' });
  const { id } = await findRequest(approver, 'Transfer 100.00 EUR to DE03?');
  expect((await approver.vote(id, 'accept', { limit: 101 })).status).toBe(400);
  expect((await approver.vote(id, 'accept', { limit: 20 })).ok).toBe(true);
  expect(textOf(await call)).toBe('20.00 EUR were transferred to DE03.');
  expect(await readLedger()).toBe('transferred 20 to DE03\n');
});

test('the person at the client fills in every kind of field', async () => {
  const content = {
    nickname: 'Ada',
    email: 'ada@example.com',
    homepage: 'https://example.com',
    start: '2026-03-31',
    induction: '2026-03-31T09:00:00Z',
    hours: 37.5,
    desk: 4,
    remote: true,
    team: 'Finance',
    site: 'lis',
    equipment: ['Laptop', 'Phone'],
    access: ['vpn'],
  };
  const { client } = await startExample(['examples/server.ts', '--stdio'], () => ({ action: 'accept', content }));
  const result = await callTool(client, 'onboard_employee', { name: 'Ada' });
  expect(textOf(result)).toBe('Ada starts on 2026-03-31 in Finance.');
  expect(await readLedger()).toBe('onboarded Ada <ada@example.com>\n');
});

test('the example serves over HTTP, a session for each client', async () => {
  const child = spawn(process.execPath, [compiled('examples/server.ts'), '--port', '0', '--ledger', ledger], {
    env: { PATH: process.env['PATH'] ?? '', ASSENTRY_URL: server.url, ASSENTRY_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = new URL(/http:\S+/.exec(line.toString())?.[0] ?? '');
    const [first, second] = [makeClient(), makeClient()];
    for (const client of [first, second]) {
      const transport = new StreamableHTTPClientTransport(url);
      await client.connect(transport as Parameters<typeof client.connect>[0]);
    }
    const calls = [first, second].map((client) => callTool(client, 'delete_account', { id: 'http' }));
    const { id } = await findRequest(approver, 'Delete the account http?');
    await approver.vote(id, 'accept', { confirmed: true });
    expect((await Promise.all(calls)).map(textOf)).toEqual(Array(2).fill('Account http is deleted.'));
    expect(await readLedger()).toBe('deleted http\n');
    const { tools } = await first.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'awaitElicitationResult',
      'delete_account',
      'transfer_funds',
      'onboard_employee',
      'link_account',
    ]);
    await Promise.all([first.close(), second.close()]);
    const lost = await fetch(url, { method: 'POST', headers: { 'mcp-session-id': 'unknown' } });
    expect(lost.status).toBe(404);
  } finally {
    child.kill();
  }
});

test('the ten lines of the README ask and obey', async () => {
  const { client } = await startExample(['examples/ten-lines.ts']);
  const call = callTool(client, 'delete_account', { id: '10' });
  const { id } = await findRequest(approver, 'Run delete_account?');
  await approver.vote(id, 'accept', {});
  expect(textOf(await call)).toBe('Account 10 is deleted.');
});
