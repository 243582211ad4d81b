import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { listRequests, textOf } from '../sdk/mcp/peers.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { signIn, type TestUser } from '../support/nodes/server.ts';
import { newFolder } from '../support/new-folder.ts';
import { until } from '../support/poll.ts';
import { runAssentry, serveAssentry, type ServingProcess } from './assentry-process.ts';
import { discardDirectory, newDataDirectory } from './data-directory.ts';

const directory = newDataDirectory('places');
const folder = newFolder('places');
const [ledger, program] = [path.join(folder, 'ledger'), path.join(folder, 'db.mjs')];
const at = (place: string): string => `postgresql://app:fox@${place}.example.com/app`;
const [staging, production] = [at('staging'), at('production')];
const env = { ASSENTRY_DATA_DIR: directory };
const clients: Client[] = [];
let serving: ServingProcess;
let ada: TestUser;

beforeAll(async () => {
  writeFileSync(ledger, '');
  writeFileSync(program, source);
  serving = await serveAssentry(env);
  const person = { email: 'ada@example.com', password: 'seven quiet otters paint' };
  await runAssentry(['user', 'add', person.email, '--role', 'admin', '--password-stdin'], {
    env,
    input: person.password,
  });
  ada = await signIn(serving.url, { id: '', name: 'Ada', ...person });
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await serving.end('SIGTERM');
  await discardDirectory(directory);
});

/** The same program, which drops tables at the address that it is given. */
async function start(address: string, ...options: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [compiled(shippedProgram), 'wrap', ...options, '--', process.execPath, program, address],
    env: { PATH: process.env['PATH'] ?? '', ASSENTRY_LOG_LEVEL: 'error', ...env },
    stderr: 'pipe',
  });
  const output = { stderr: '' };
  transport.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const client = new Client({ name: 'laptop', version: '1.0.0' });
  await client.connect(transport);
  clients.push(client);
  const drop = async (table: string): Promise<CallToolResult> =>
    (await client.callTool({ name: 'drop_table', arguments: { table } }, undefined, {
      timeout: 60_000,
    })) as CallToolResult;
  return { client, output, drop };
}

const done = (): string[] => readFileSync(ledger, 'utf8').split('\n').filter(Boolean);
const openAt = (server: string, count = 1) =>
  until(async () => {
    const items = (await listRequests(ada)).filter((item) => item.server === server && item.status === 'open');
    return items.length >= count ? items : undefined;
  });
const detailOf = async (id: string) =>
  (await ada.show(id)) as unknown as { tool: { reaches: string | null }; arguments: string };

test('an approval for one database is not spent at another that the same program reaches', async () => {
  const first = await start(staging);
  const answered = first.drop('users').then((result) => {
    throw new Error(`The call did not wait: ${textOf(result)}`);
  });
  answered.catch(() => {}); // its client is closed below
  const [request] = await Promise.race([openAt('db'), answered]);
  expect((await detailOf(request?.id ?? '')).tool.reaches).toContain('postgresql://app:•••@staging.example.com/app');
  await first.client.close();
  await ada.vote(request?.id ?? '', 'accept');
  const other = await start(production);
  void other.drop('users').catch(() => {});
  const [again] = await openAt('db-2');
  expect((await detailOf(again?.id ?? '')).tool.reaches).toContain('@production.example.com/app');
  expect(other.output.stderr).toContain('db is another server here, so this one is db-2');
  expect(done()).toEqual([]);
  const same = await start(staging.replace('fox', 'owl'));
  expect(textOf(await same.drop('users'))).toContain('dropped users at postgresql://app:owl@staging');
});

test('a name that runs with something else shows and calls nothing until someone accepts that', async () => {
  const first = await start(staging, '--server', 'shop');
  expect((await first.client.listTools()).tools.map(({ name }) => name)).toContain('drop_table');
  const other = await start(production, '--server', 'shop');
  expect((await other.client.listTools()).tools.map(({ name }) => name)).not.toContain('drop_table');
  await expect(other.drop('orders')).rejects.toThrow('Ask an approver to accept what shop runs now');
  await expect(other.client.readResource({ uri: 'file:///db' })).rejects.toThrow('accept what shop runs now');
  const isAboutPlace = ({ message }: { message: string | null }) => message?.startsWith('Accept that shop now runs');
  const request = await until(async () => (await openAt('shop')).find(isAboutPlace));
  const { arguments: shown } = await detailOf(request.id);
  expect(shown).toMatch(/staging.*production/s);
  expect(shown).not.toContain('fox');
  const { stdout } = await runAssentry(['gateway', 'pin'], { env });
  expect(stdout).toContain('shop: something else runs now, and all its tools are blocked');
  await ada.vote(request.id, 'accept');
  await until(async () =>
    (await other.client.listTools()).tools.some(({ name }) => name === 'drop_table') ? true : undefined,
  );
  await expect(first.drop('orders')).rejects.toThrow('accept what shop runs now');
  expect(done().filter((line) => line.includes('orders'))).toEqual([]);
});

test('a name of which nothing is known is bound without asking, and again once it is let go', async () => {
  await start(staging, '--server', 'free');
  const { stdout } = await runAssentry(['gateway', 'rebind', 'free'], { env });
  expect(stdout).toContain('What runs next under the name free is accepted.');
  const other = await start(production, '--server', 'free');
  expect((await other.client.listTools()).tools.map(({ name }) => name)).toContain('drop_table');
});

const source = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const address = process.argv[2];
const tool = { name: 'drop_table', description: 'Drops a table.', annotations: { destructiveHint: true },
  inputSchema: { type: 'object', properties: { table: { type: 'string' } } } };
const text = (output) => ({ content: [{ type: 'text', text: output }] });
const drop = (table) => {
  const output = 'dropped ' + table + ' at ' + address;
  appendFileSync(${JSON.stringify(ledger)}, output + '\\n');
  return text(output);
};
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'db', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { table } }) => drop(table),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: address }] }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }) + '\\n');
});
`;
