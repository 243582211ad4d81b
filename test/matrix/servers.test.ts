import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { withoutOwn } from '../gateway/peers.ts';
import { findRequest } from '../sdk/mcp/peers.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { newFolder } from '../support/new-folder.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/nodes/server.ts';
import { installPackages, programOf } from './install-packages.ts';
import { credentials, matrixServers, type Call, type MatrixServer } from './matrix-servers.ts';

type Result = Record<string, unknown>;
/** What a server answered: its result, or its error. */
type Answer = Result | { code: unknown; message?: string };

const patient = { timeout: 120_000 };
/** The same for both ways: a path in an answer is the same path. */
const folder = newFolder();
const work = path.join(folder, 'work');
let server: TestServer;
let approver: TestUser;
const open: Client[] = [];

beforeAll(async () => {
  for (const it of matrixServers) installPackages(it.package);
  server = await startTestServer();
  approver = await server.newUser('approver');
  const passing = matrixServers.flatMap(({ name, calls }) => (calls ? [passes(name, calls(work).passes)] : []));
  const reading = 'policy: reading\nmatch: { tool: [assentry.resource, assentry.prompt] }\nallow: { ceiling: medium }';
  await server.applyPolicies([...passing, reading]);
}, 1_200_000);
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => server?.stop());

/** With these words alone: a tool may be one that waits with others. */
function passes(name: string, [tool, args]: Call): string {
  const words = Object.entries(args).filter(([, value]) => typeof value === 'string');
  const condition = ['true', ...words.map(([key, value]) => `request.args.${key} == ${JSON.stringify(value)}`)];
  return `policy: of-${name}
match: { server: ${name}, tool: ${tool} }
when: ${JSON.stringify(condition.join(' && '))}
allow: { ceiling: medium }`;
}

/** A server in a home of its own, which is new each time. */
async function start({ package: its, words = () => [] }: MatrixServer, before: string[], more = {}): Promise<Client> {
  rmSync(folder, { recursive: true });
  mkdirSync(work, { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, MEMORY_FILE_PATH: `${work}/memory`, ...credentials };
  const [command = '', ...args] = [...before, process.execPath, programOf(its), ...words(work)];
  const client = new Client({ name: 'matrix', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command, args, cwd: work, stderr: 'ignore', env: { ...env, ...more } }),
    patient,
  );
  open.push(client);
  return client;
}

const startDirect = (it: MatrixServer): Promise<Client> => start(it, []);

const startWrapped = async (it: MatrixServer): Promise<Client> =>
  start(it, [process.execPath, compiled(shippedProgram), 'wrap', '--server', it.name, '--'], {
    ASSENTRY_URL: server.url,
    ASSENTRY_API_KEY: await server.newServerKey(it.name),
    ASSENTRY_DATA_DIR: newFolder('data'),
  });

const ask = (client: Client, method: string, params: Result = {}): Promise<Answer> =>
  client
    .request({ method, params }, ResultSchema, patient)
    .catch(({ code, message }: Error & { code?: unknown }) => ({ code, message }));

const namesIn = (answer: Answer, list: string): Result[] => ((answer as Result)[list] ?? []) as Result[];

/** Everything but calls, in the order of the matrix. */
async function look(client: Client): Promise<Record<string, unknown>> {
  const tools = await ask(client, 'tools/list');
  const prompts = await ask(client, 'prompts/list');
  const resources = await ask(client, 'resources/list');
  const [prompt, resource] = [namesIn(prompts, 'prompts')[0], namesIn(resources, 'resources')[0]];
  const args = Object.fromEntries(namesIn(prompt ?? {}, 'arguments').map(({ name }) => [name, '1']));
  const ref = { type: 'ref/prompt', name: prompt?.['name'] ?? 'none' };
  return {
    initialize: [client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()],
    tools: { ...tools, ...('tools' in tools && { tools: withoutOwn(tools.tools as { name: string }[]) }) },
    cursor: Object.keys(await ask(client, 'tools/list', { cursor: 'bad' })),
    ping: await ask(client, 'ping'),
    prompts: [prompts, await ask(client, 'prompts/get', { name: ref.name, arguments: args })],
    resources: [resources, await ask(client, 'resources/templates/list')],
    read: await ask(client, 'resources/read', { uri: resource?.['uri'] ?? 'file:///none' }),
    completion: await ask(client, 'completion/complete', {
      ref,
      argument: { name: Object.keys(args)[0] ?? 'a', value: 'E' },
    }),
    unknown: 'code' in (await ask(client, 'tools/shout')),
  };
}

const call = (client: Client, [name, args]: Call): Promise<Answer> =>
  ask(client, 'tools/call', { name, arguments: args });

describe.each(matrixServers)('$name', (it) => {
  test('lists, reads and errors are the same with and without the gateway', async () => {
    const direct = await look(await startDirect(it));
    const wrapped = await look(await startWrapped(it));
    expect(wrapped).toEqual(direct);
    if (it.calls) expect((direct['tools'] as Result)['tools']).not.toEqual([]);
  }, 240_000);

  const { calls } = it;
  if (calls)
    test('a call that waits was not made before; approved, its result is the same', async () => {
      const { passes, waits } = calls(work);
      const direct = await startDirect(it);
      const expected = [await call(direct, passes), await call(direct, waits)];
      await direct.close();
      const wrapped = await startWrapped(it);
      const passed = await call(wrapped, passes);
      const decide = async (action: 'accept' | 'decline'): Promise<Answer> => {
        const result = call(wrapped, waits);
        const { id } = await findRequest(approver, `Run ${waits[0]} on ${it.name}?`);
        await approver.vote(id, action);
        return result;
      };
      expect(JSON.stringify(await decide('decline'))).toContain('nothing was run');
      expect([passed, await decide('accept')].map(steady)).toEqual(expected.map(steady));
    }, 240_000);
});

/** Without what differs from run to run: times and identifiers. */
const steady = (answer: Answer): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replaceAll(/E\d{4} [\d:.]+ +\d+ /g, ''), // of kubectl
  );
