import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { digestTool, toolsIn, type ToolDefinition, doubtfulClaim, isKnown } from '#gateway/tools/definition';
import type { KnownServer } from '#gateway/known-tools/known-server';
import { knownServers } from '#gateway/known-tools/known-tools';
import { installPackages, programOf } from '../../matrix/install-packages.ts';
import { credentials, matrixServers } from '../../matrix/matrix-servers.ts';
import { newFolder } from '../../support/new-folder.ts';

/** A coding agent is no server that could be asked. */
const servers = Object.entries(knownServers).filter(([name]) => name !== 'claude-code');
/** With KNOWN_SERVERS=latest the newest packages are read, to see what the table lacks. */
const isLatest = process.env['KNOWN_SERVERS'] === 'latest';

const specOf = (server: KnownServer): string => `${server.package}@${isLatest ? 'latest' : server.version}`;

beforeAll(() => {
  for (const [, server] of servers) installPackages(specOf(server));
}, 600_000);

async function listTools(name: string, server: KnownServer): Promise<ToolDefinition[]> {
  const work = newFolder('work');
  const words = matrixServers.find((it) => it.name === name)?.words?.(work) ?? [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programOf(specOf(server)), ...words],
    env: { PATH: process.env['PATH'] ?? '', HOME: newFolder('home'), ...credentials },
    cwd: work,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'reader', version: '1.0.0' });
  await client.connect(transport);
  const tools: ToolDefinition[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, ResultSchema); // with members that MCP does not have
    tools.push(...toolsIn(page));
    cursor = page['nextCursor'] as string | undefined;
  } while (cursor !== undefined);
  await client.close();
  return tools;
}

const argumentsOf = ({ inputSchema }: ToolDefinition): string[] =>
  Object.keys((inputSchema as { properties?: object } | undefined)?.properties ?? {});

describe('the table of known tools says what the packages list', () => {
  test.each(servers)('%s', async (name, server) => {
    const tools = await listTools(name, server);
    const listed = tools.map((tool) => [tool.name, argumentsOf(tool)]);
    expect(Object.entries(server.tools).map(([tool, { takes }]) => [tool, takes])).toEqual(listed);
    for (const tool of tools) {
      const { definition } = server.tools[tool.name] ?? {};
      if (definition !== undefined) expect([tool.name, await digestTool(tool)]).toEqual([tool.name, definition]);
      expect([tool.name, isKnown(tool) ? null : doubtfulClaim(tool)]).toEqual([tool.name, null]);
    }
  });
});
