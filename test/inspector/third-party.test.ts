import { readFileSync } from 'node:fs';
import path from 'node:path';
import { StdioClientTransport as V2StdioTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { connect, connectBy, kinds, startGates } from '../gateway/http/peers.ts';
import { newFolder } from '../support/new-folder.ts';
import { callTool, findRequest, listRequests, textOf } from '../sdk/mcp/peers.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { foreignServers, timesIn, type ForeignServer } from './foreign-servers.ts';
import { startInspector } from './inspector.ts';

const folder = newFolder();
const foreigners = foreignServers(folder);

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

const keys = new Map<string, string>();
const closing: (() => Promise<void>)[] = [];

const server = await startTestServer();
const approver = await server.newUser('approver');
await server.applyPolicies(policies);
for (const { name } of foreigners) keys.set(name, await server.newServerKey(name));
const upstreams = Object.fromEntries(
  foreigners.map(({ name, command, args, env = {} }) => [name, { command, args, env }]),
);
const clientFor = (name: string) => createClient({ url: server.url, apiKey: keys.get(name) });
const gateway = await startGates({ upstreams, clientFor });
const inspector = await startInspector();
afterAll(async () => {
  for (const close of closing) await close();
  await inspector.stop();
  await gateway.close();
  await server.stop();
});

/** Calls a tool, and resolves with the text of its answer. */
type Call = (tool: string, args: Record<string, unknown>) => Promise<string>;

/** How a client reaches a server behind the gateway. */
const doors = {
  'at /u/NAME/mcp': {
    words: ({ name }: ForeignServer) => ['--transport', 'http', gateway.addresses[name] ?? ''],
    connect: ({ name }: ForeignServer, isFirst: boolean) =>
      connect(gateway.addresses[name] ?? '', isFirst ? kinds[0] : kinds[1]),
  },
  'through wrap': {
    words(foreigner: ForeignServer) {
      const { command, args, env } = wrapped(foreigner);
      const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      return ['--transport', 'stdio', ...variables, '--', command, ...args];
    },
    connect(foreigner: ForeignServer, isFirst: boolean) {
      const transport = isFirst ? StdioClientTransport : V2StdioTransport;
      return connectBy(new transport(wrapped(foreigner)), isFirst ? kinds[0] : kinds[1]);
    },
  },
};

type Door = keyof typeof doors;

/** As it stands in the configuration of a client. */
const wrapped = ({ name, command, args, env = {} }: ForeignServer) => ({
  command: process.execPath,
  args: [compiled(shippedProgram), 'wrap', '--server', name, '--', command, ...args],
  env: {
    PATH: process.env['PATH'] ?? '',
    ASSENTRY_URL: server.url,
    ASSENTRY_API_KEY: keys.get(name) ?? '',
    ASSENTRY_DATA_DIR: path.join(folder, 'assentry'),
    ...env,
  },
});

async function reach(door: Door, client: string, foreigner: ForeignServer): Promise<Call> {
  if (client !== 'the Inspector') {
    const agent = await doors[door].connect(foreigner, client === 'the first SDK');
    closing.push(() => agent.client.close());
    return async (tool, args) => textOf(await callTool(agent.client, tool, args));
  }
  const connection = `${door} ${foreigner.name}`.replaceAll(/\W+/g, '-');
  expect(await inspector.connect(connection, ...doors[door].words(foreigner))).toMatchObject({ code: 0 });
  return async (tool, args) => {
    const { result, text } = await inspector.run(connection, 'tools/call', tool, JSON.stringify(args));
    return result ? textOf(result) : text;
  };
}

describe.each(Object.keys(doors) as Door[])('%s', (door) => {
  describe.each(foreigners)('$name', (foreigner) => {
    test.each(['the first SDK', 'the second SDK', 'the Inspector'])(
      'called by %s: what reads passes, what writes waits and runs once',
      async (client) => {
        const { name, reads, writes, file, says } = foreigner;
        const [tool, argsOf] = writes;
        const call = await reach(door, client, foreigner);
        expect(await call(...reads)).not.toContain('nothing was run');
        expect(await listRequests(approver)).toEqual([]);
        const text = `${client} ${door} ${name}`.replaceAll(/\W+/g, '-');
        const result = call(tool, argsOf(text));
        const { id } = await findRequest(approver, `Run ${tool} on ${name}?`);
        expect(timesIn(file, text)).toBe(0);
        await approver.vote(id, 'accept');
        expect(await result).toMatch(says);
        expect(timesIn(file, text)).toBe(file === undefined ? 0 : 1);
      },
      60_000,
    );
  });

  test('an edit reaches a server that knows nothing of it', async () => {
    const [files] = foreigners as [ForeignServer];
    const call = await reach(door, 'the first SDK', files);
    const result = call('write_file', files.writes[1](`as asked ${door}`));
    const { id } = await findRequest(approver, 'Run write_file on filesystem?');
    const { digest } = await approver.show(id);
    const args = { content: `as edited ${door}` };
    const edit = await approver.call('POST', `/api/elicitations/${id}/edit`, { digest, arguments: args });
    expect(edit.status).toBe(200);
    await approver.vote(id, 'accept');
    expect(await result).toMatch(/Successfully wrote/);
    expect(readFileSync(files.file ?? '', 'utf8')).toBe(`as edited ${door}`);
  });
});
