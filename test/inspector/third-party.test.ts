import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, type AssentryClient } from '../../src/client/client.ts';
import { everything } from '../gateway/everything-script.ts';
import { connect, kinds, startGates } from '../gateway/http/peers.ts';
import { newFolder } from '../gateway/peers.ts';
import { callTool, findRequest, listRequests, textOf } from '../mcp/peers.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { startInspector, type Inspector } from './inspector.ts';

/** A server that other people wrote. */
interface Foreign {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  reads: [tool: string, args: Record<string, unknown>];
  /** What writes this text. */
  writes: [tool: string, args: (text: string) => Record<string, unknown>];
  /** Where the text is then; absent if only its answer tells. */
  file?: string;
  /** In the answer of a call that has run once. */
  says: RegExp;
}

const folder = newFolder();
const work = path.join(folder, 'work');
mkdirSync(work);
const inFolder = (name: string): string => path.join(folder, name);
writeFileSync(inFolder('ledger'), '');

const packaged = (name: string): Pick<Foreign, 'command' | 'args'> => ({
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve(name))],
});
const scoped = (name: string) => packaged(`@modelcontextprotocol/server-${name}/dist/index.js`);
const thought = { nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

const foreigners: Foreign[] = [
  {
    name: 'filesystem',
    command: process.execPath,
    args: [...scoped('filesystem').args, work],
    reads: ['list_directory', { path: work }],
    writes: ['write_file', (content) => ({ path: path.join(work, 'note'), content })],
    file: path.join(work, 'note'),
    says: /Successfully wrote/,
  },
  {
    name: 'memory',
    ...scoped('memory'),
    env: { MEMORY_FILE_PATH: inFolder('memory') },
    reads: ['read_graph', {}],
    writes: ['create_entities', (name) => ({ entities: [{ name, entityType: 'note', observations: [] }] })],
    file: inFolder('memory'),
    says: /"entityType": "note"/,
  },
  {
    name: 'sequential-thinking',
    ...scoped('sequential-thinking'),
    reads: ['sequentialthinking', { thought: 'free', ...thought }],
    writes: ['sequentialthinking', (text) => ({ thought: text, ...thought })],
    says: /"thoughtHistoryLength": 2/,
  },
  {
    name: 'everything',
    command: everything[0],
    args: everything.slice(1),
    reads: ['echo', { message: 'free' }],
    writes: ['get-structured-content', () => ({ location: 'Chicago' })],
    says: /temperature/,
  },
  {
    name: 'taskmanager',
    ...packaged('@kazuph/mcp-taskmanager/dist/index.js'),
    env: { TASK_MANAGER_FILE_PATH: inFolder('tasks') },
    reads: ['list_requests', {}],
    writes: [
      'request_planning',
      (originalRequest) => ({ originalRequest, splitDetails: 'none', tasks: [{ title: 'a', description: 'b' }] }),
    ],
    file: inFolder('tasks'),
    says: /"status": ?"planned"/,
  },
  {
    name: 'ledger',
    command: 'python3',
    args: [path.resolve('test/inspector/ledger_server.py'), inFolder('ledger')],
    reads: ['read_ledger', {}],
    writes: ['write_ledger', (text) => ({ text })],
    file: inFolder('ledger'),
    says: /\n$/,
  },
];

const policies = [
  `policy: free
match: { tool: [list_directory, read_graph, echo, list_requests, read_ledger] }
allow: { ceiling: medium }
`,
  `policy: thoughts
match: { tool: sequentialthinking }
when: request.args.thought == "free"
allow: { ceiling: medium }
`,
  `policy: files
match: { tool: write_file }
require:
  stages: [{ name: Anyone, approvers: anyone }]
  editable: { content: { type: string } }
`,
];

let server: TestServer;
let approver: TestUser;
let gateway: Awaited<ReturnType<typeof startGates>>;
let inspector: Inspector;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startTestServer();
  approver = await server.newUser('approver');
  await server.applyPolicies(policies);
  const clients = new Map<string, AssentryClient>();
  for (const { name } of foreigners) {
    clients.set(name, createClient({ url: server.url, apiKey: await server.newServerKey(name) }));
  }
  const upstreams = Object.fromEntries(
    foreigners.map(({ name, command, args, env = {} }) => [name, { command, args, env }]),
  );
  gateway = await startGates({ upstreams, clientFor: (name) => clients.get(name)! });
  inspector = await startInspector();
}, 60_000);
afterAll(async () => {
  for (const close of closing) await close();
  await inspector?.stop();
  await gateway?.close();
  await server?.stop();
});

/** Calls a tool, and resolves with the text of its answer. */
type Call = (tool: string, args: Record<string, unknown>) => Promise<string>;

async function reach(client: string, name: string): Promise<Call> {
  const url = gateway.addresses[name] ?? '';
  if (client === 'the Inspector') {
    expect((await inspector.connect(name, '--transport', 'http', url)).code).toBe(0);
    return async (tool, args) => {
      const { result, text } = await inspector.run(name, 'tools/call', tool, JSON.stringify(args));
      return result ? textOf(result) : text;
    };
  }
  const agent = await connect(url, client === 'the first SDK' ? kinds[0] : kinds[1]);
  closing.push(() => agent.client.close());
  return async (tool, args) => textOf(await callTool(agent.client, tool, args));
}

const timesIn = (file: string | undefined, text: string): number =>
  file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split(text).length - 1 : 0;

describe.each(foreigners)('$name', ({ name, reads, writes: [tool, argsOf], file, says }) => {
  test.each(['the first SDK', 'the second SDK', 'the Inspector'])(
    'called by %s: what reads passes, what writes waits and runs once',
    async (client) => {
      const call = await reach(client, name);
      expect(await call(...reads)).not.toContain('nothing was run');
      expect(await listRequests(approver)).toEqual([]);
      const text = `${client} at ${name}`.replaceAll(' ', '-');
      const result = call(tool, argsOf(text));
      const { id } = await findRequest(approver, `Run ${tool} on ${name}?`, { within: 30_000 });
      expect(timesIn(file, text)).toBe(0);
      await approver.vote(id, 'accept');
      expect(await result).toMatch(says);
      expect(timesIn(file, text)).toBe(file === undefined ? 0 : 1);
    },
    60_000,
  );
});

test('an edit reaches a server that knows nothing of it', async () => {
  const call = await reach('the first SDK', 'filesystem');
  const [first] = foreigners;
  const result = call('write_file', first?.writes[1]('as asked') ?? {});
  const { id } = await findRequest(approver, 'Run write_file on filesystem?', { within: 30_000 });
  const { digest } = await approver.show(id);
  const args = { content: 'as edited' };
  const edit = await approver.call('POST', `/api/elicitations/${id}/edit`, { digest, arguments: args });
  expect(edit.status).toBe(200);
  await approver.vote(id, 'accept');
  expect(await result).toMatch(/Successfully wrote/);
  expect(readFileSync(path.join(work, 'note'), 'utf8')).toBe('as edited');
});
