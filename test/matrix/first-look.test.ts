import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { withoutOwn } from '../gateway/peers.ts';
import { listRequests } from '../sdk/mcp/peers.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { newFolder } from '../support/new-folder.ts';
import { until } from '../support/poll.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/nodes/server.ts';
import { installPackages, programOf } from './install-packages.ts';

// Servers of others that no table knows: people look once, and then a day's calls wait only where they should.

/**
 * A package, the words that start it, what it asks of the environment, none of which opens anything, and the requests that its
 * list takes: one for fifty tools.
 */
const servers: [spec: string, words?: string[], env?: Record<string, string>, parts?: number][] = [
  ['mongodb-mcp-server@3.0.4', [], { MDB_MCP_CONNECTION_STRING: 'mongodb://127.0.0.1:1/x' }],
  ['@circleci/mcp-server-circleci@0.20.0', [], { CIRCLECI_TOKEN: 'x' }],
  ['@zereight/mcp-gitlab@2.1.64', [], { GITLAB_PERSONAL_ACCESS_TOKEN: 'x' }, 3],
  ['@modelcontextprotocol/server-slack@2025.4.25', [], { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_TEAM_ID: 'T1' }],
  ['@cyanheads/git-mcp-server@2.15.3'],
  ['@eslint/mcp@0.3.13'],
  ['mcp-server-code-runner@0.1.8'],
  ['mcp-server-commands@0.5.0'],
  ['@antv/mcp-server-chart@0.9.10'],
  ['@launchdarkly/mcp-server@0.6.2', ['start', '--api-key', 'api-x']],
  ['@modelcontextprotocol/server-google-maps@0.6.2', [], { GOOGLE_MAPS_API_KEY: 'x' }],
  ['@browsermcp/mcp@0.1.3'],
  ['@shortcut/mcp@0.25.0', [], { SHORTCUT_API_TOKEN: 'x' }, 2],
  ['firecrawl-mcp@3.26.0', [], { FIRECRAWL_API_KEY: 'fc-x' }],
  ['@perplexity-ai/mcp-server@1.2.1', [], { PERPLEXITY_API_KEY: 'x' }],
  ['next-devtools-mcp@0.4.0'],
  ['@modelcontextprotocol/server-postgres@0.6.2', ['postgresql://127.0.0.1:1/x']],
  ['drawio-mcp-server@2.3.0'],
  ['airtable-mcp-server@1.14.0', [], { AIRTABLE_API_KEY: 'x' }],
  ['@magicuidesign/mcp@2.0.0'],
  ['@jpisnice/shadcn-ui-mcp-server@2.0.0'],
];

const patient = { timeout: 120_000 };
let server: TestServer;
let admin: Browser;
let approver: TestUser;

beforeAll(async () => {
  for (const [spec] of servers) installPackages(spec);
  server = await startTestServer();
  admin = await openBrowser(server, 'admin');
  approver = await server.newUser();
}, 1_200_000);
afterAll(() => server?.stop());

interface Schema {
  type?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Tool {
  name: string;
  inputSchema?: Schema;
}

async function connect([spec, words = [], env = {}]: (typeof servers)[number], before: string[] = [], more = {}) {
  const home = newFolder('home');
  mkdirSync(path.join(home, 'work'));
  const [command = '', ...args] = [...before, process.execPath, programOf(spec), ...words];
  const client = new Client({ name: 'day', version: '1.0.0' });
  const places = { PATH: process.env['PATH'] ?? '', HOME: home, ...env, ...more };
  await client.connect(
    new StdioClientTransport({ command, args, env: places, cwd: path.join(home, 'work'), stderr: 'ignore' }),
    patient,
  );
  return client;
}

async function listTools(client: Client): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: unknown;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, ResultSchema, patient);
    tools.push(...(page['tools'] as Tool[]));
    cursor = page['nextCursor'];
  } while (cursor !== undefined);
  return tools;
}

/** The least that the definition asks for. */
const argumentsFor = ({ properties = {}, required = [] }: Schema = {}): Record<string, unknown> =>
  Object.fromEntries(required.map((name) => [name, valueFor(properties[name] ?? {})]));

function valueFor(schema: Schema): unknown {
  const values: Record<string, unknown> = { string: '1', number: 1, integer: 1, boolean: false, array: [] };
  const type = String([schema.type].flat()[0]);
  return schema.enum?.[0] ?? (type === 'object' ? argumentsFor(schema) : (values[type] ?? '1'));
}

const openLooks = async (name: string): Promise<string[]> =>
  (await listRequests(approver))
    .filter(({ message }) =>
      [`New server: ${name},`, `New tools of ${name}:`].some((start) => message?.startsWith(start)),
    )
    .map(({ id }) => id);

/** Does this call wait for people? One that waits is declined. */
async function isHeld(client: Client, name: string, tool: Tool): Promise<boolean> {
  const params = { name: tool.name, arguments: argumentsFor(tool.inputSchema) };
  const answer = client.request({ method: 'tools/call', params }, ResultSchema, patient).then(
    () => 'answered' as const,
    () => 'answered' as const,
  );
  const waiting = until(async () =>
    (await listRequests(approver)).find(({ message }) => message?.startsWith(`Run ${tool.name} on ${name}?`)),
  );
  waiting.catch(() => {}); // nothing waits
  const first = await Promise.race([answer, waiting]);
  if (first === 'answered') return false;
  await approver.vote(first.id, 'decline');
  await answer;
  return true;
}

describe.each(servers)('%s', (...at) => {
  test('asks once; then what is believed runs, the rest waits, and its list is that of the server', async () => {
    const [spec, , , parts = 1] = at;
    const name = spec.replaceAll(/@[\d.]+$|[^a-z-]/g, '');
    const direct = await connect(at as (typeof servers)[number]);
    const tools = await listTools(direct);
    await direct.close();
    const key = { ASSENTRY_URL: server.url, ASSENTRY_API_KEY: await server.newServerKey(name) };
    const wrap = [process.execPath, compiled(shippedProgram), 'wrap', '--server', name, '--'];
    const client = await connect(at as (typeof servers)[number], wrap, {
      ...key,
      ASSENTRY_DATA_DIR: newFolder('data'),
    });
    expect(withoutOwn((await listTools(client)) as never)).toEqual(tools);
    const believed = new Set<string>();
    const looks = await until(async () => {
      const ids = await openLooks(name);
      return ids.length === parts && ids;
    });
    for (const id of looks) {
      const shown = await admin.show(id);
      const { properties = {} } = shown.schema as { properties?: Record<string, { default?: string[] }> };
      const believe = properties['believe']?.default ?? [];
      for (const tool of believe) believed.add(tool);
      expect(
        (await admin.vote(shown, { content: { ...(properties['believe'] && { believe }), block: [] }, opened: [''] }))
          .ok,
      ).toBe(true);
    }
    const free = tools.filter((tool) => believed.has(tool.name)).slice(0, 3);
    const others = tools.filter((tool) => !believed.has(tool.name)).slice(0, 2);
    for (const tool of free) expect([tool.name, await isHeld(client, name, tool)]).toEqual([tool.name, false]);
    for (const tool of others) expect([tool.name, await isHeld(client, name, tool)]).toEqual([tool.name, true]);
    expect(await openLooks(name)).toEqual([]);
    await client.close();
  }, 240_000);
});
