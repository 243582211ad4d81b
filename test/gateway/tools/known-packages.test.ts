import { beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { digestTool, toolsIn, type ToolDefinition } from '../../../src/gateway/tools/definition.ts';
import { doubtfulClaim } from '../../../src/gateway/tools/doubtful-claim.ts';
import { isKnown } from '../../../src/gateway/tools/judged-hints.ts';
import type { KnownServer } from '../../../src/model/known-tools/known-server.ts';
import { knownServers } from '../../../src/model/known-tools/known-tools.ts';
import { newFolder } from '../../support/new-folder.ts';

/** A coding agent is no server that could be asked. */
const servers = Object.entries(knownServers).filter(([name]) => name !== 'claude-code');
/** With KNOWN_SERVERS=latest the newest packages are read, to see what the table lacks. */
const isLatest = process.env['KNOWN_SERVERS'] === 'latest';
const folder = path.resolve('node_modules', '.cache', isLatest ? 'latest-servers' : 'known-servers');

/** What they need to start; none of it is a real credential. */
const words: Record<string, string[]> = {
  filesystem: [folder],
  sentry: ['--access-token=x'],
  figma: ['--stdio', '--figma-api-key=x'],
};
const variables = { TAVILY_API_KEY: 'x', EXA_API_KEY: 'x', NOTION_TOKEN: 'ntn_x', GITHUB_PERSONAL_ACCESS_TOKEN: 'x' };

beforeAll(() => {
  const packages = servers.map(([, server]) => `${server.package}@${isLatest ? 'latest' : server.version}`);
  const list = path.join(folder, 'packages');
  if (!isLatest && existsSync(list) && readFileSync(list, 'utf8') === packages.join('\n')) return;
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, ...packages],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  );
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  writeFileSync(list, packages.join('\n'));
}, 600_000);

async function listTools(name: string, server: KnownServer): Promise<ToolDefinition[]> {
  const home = path.join(folder, 'node_modules', server.package);
  const { bin } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const program = typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? '');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(home, program), ...(words[name] ?? [])],
    env: { PATH: process.env['PATH'] ?? '', HOME: newFolder('home'), ...variables },
    cwd: newFolder('work'),
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
