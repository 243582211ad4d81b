import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StdioClientTransport as V2StdioTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startModel, type Call } from '../gateway/harness/mock-models.ts';
import { connectBy, kinds } from '../gateway/http/peers.ts';
import { startInspector } from '../inspector/inspector.ts';
import { callTool, findRequest, listRequests } from '../sdk/mcp/peers.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { newFolder } from '../support/new-folder.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/nodes/server.ts';
import { installPackages } from './install-packages.ts';

const run = promisify(execFile);
const folder = newFolder();
let server: TestServer;
let approver: TestUser;
let command: string[];
let env: Record<string, string>;
let libraries: string;

beforeAll(async () => {
  libraries = installPackages(
    '@ai-sdk/mcp@1.0.102',
    '@langchain/mcp-adapters@1.1.4',
    '@openai/agents@0.20.0',
    'mcp-use@1.34.6',
    'langchain@1.5.14', // of mcp-use
  );
  copyFileSync('test/matrix/callers.mjs', path.join(libraries, 'callers.mjs'));
  server = await startTestServer();
  approver = await server.newUser('approver');
  await server.applyPolicies(['policy: reading\nmatch: { tool: list_directory }\nallow: { ceiling: medium }']);
  const files = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));
  const words = ['wrap', '--server', 'filesystem', '--', process.execPath, files, folder];
  command = [process.execPath, compiled(shippedProgram), ...words];
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: newFolder('home'),
    ASSENTRY_URL: server.url,
    ASSENTRY_API_KEY: await server.newServerKey('filesystem'),
    ASSENTRY_DATA_DIR: newFolder('data'),
  };
}, 600_000);
afterAll(() => server?.stop());

/** Resolves with what a client heard of a call, as text. */
type Caller = (tool: string, args: Record<string, unknown>) => Promise<string>;

const stdio = () => ({ command: command[0] ?? '', args: command.slice(1), env, stderr: 'ignore' as const });

const bySdk =
  (isFirst: boolean, options = {}): Caller =>
  async (tool, args) => {
    const transport = isFirst ? new StdioClientTransport(stdio()) : new V2StdioTransport(stdio());
    const { client } = await connectBy(transport, isFirst ? kinds[0] : kinds[1]);
    const result = await callTool(client, tool, args, options);
    await client.close();
    return JSON.stringify(result);
  };

const byLibrary =
  (name: string): Caller =>
  async (tool, args) => {
    const words = [name, JSON.stringify(command), tool, JSON.stringify(args)];
    return (await run(process.execPath, ['callers.mjs', ...words], { cwd: libraries, env })).stdout;
  };

const byInspector: Caller = async (tool, args) => {
  const inspector = await startInspector();
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  await inspector.connect('files', '--transport', 'stdio', ...variables, '--', ...command);
  const { text } = await inspector.run('files', 'tools/call', tool, JSON.stringify(args));
  await inspector.stop();
  return text;
};

const byClaudeCode: Caller = async (tool, args) => {
  const calls: Call[] = [[`mcp__files__${tool}`, args]];
  const model = await startModel(() => calls);
  const { command: program, args: words } = stdio();
  const config = JSON.stringify({ mcpServers: { files: { command: program, args: words, env } } });
  const own = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', IS_SANDBOX: '1' };
  const claude = path.resolve('node_modules/.cache/agents/node_modules/.bin/claude');
  const flags = ['--dangerously-skip-permissions', '--strict-mcp-config', '--mcp-config', config];
  const home = { PATH: env['PATH'], HOME: env['HOME'], CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
  // Else it starts without a server that is not there after five seconds, as on a busy machine, and the tool is unknown.
  const waiting = { MCP_CONNECTION_NONBLOCKING: '0', MCP_CONNECT_TIMEOUT_MS: '60000' };
  const running = run(claude, ['-p', 'go', ...flags], { cwd: folder, env: { ...home, ...waiting, ...own } });
  running.child.stdin?.end();
  await running;
  await model.close();
  return model.results.join('\n');
};

const clients: Record<string, Caller> = {
  'the first SDK': bySdk(true),
  'the first SDK with progress': bySdk(true, { onprogress: () => {}, resetTimeoutOnProgress: true }),
  'the second SDK': bySdk(false),
  'the Inspector': byInspector,
  'Claude Code': byClaudeCode,
  ...Object.fromEntries(
    ['@ai-sdk/mcp', '@langchain/mcp-adapters', '@openai/agents', 'mcp-use'].map((name) => [name, byLibrary(name)]),
  ),
};

describe.each(Object.keys(clients))('%s', (name) => {
  test('reads without asking; what it writes waits, is written once, and a decline is said', async () => {
    const call = clients[name] as Caller;
    const work = path.join(folder, name);
    mkdirSync(work, { recursive: true });
    const note = path.join(work, 'note');
    const decide = async (content: string, action: 'accept' | 'decline'): Promise<string> => {
      const result = call('write_file', { path: note, content });
      const { id } = await findRequest(approver, 'Run write_file on filesystem?');
      expect(existsSync(note)).toBe(false);
      await approver.vote(id, action);
      return result;
    };
    expect(await decide('declined', 'decline')).toContain('nothing was run');
    expect(await decide('approved', 'accept')).toContain('Successfully wrote');
    expect(readFileSync(note, 'utf8')).toBe('approved');
    expect(await call('list_directory', { path: work })).toContain('[FILE] note');
    expect(await listRequests(approver)).toEqual([]);
  }, 180_000);
});
