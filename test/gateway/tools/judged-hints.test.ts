import { describe, expect, test } from '@jest/globals';
import { digestTool, type ToolDefinition } from '#gateway/tools/definition';
import { judgedHints } from '#gateway/tools/judged-hints';
import { knownServers, toolOfServer } from '#protocol/model/known-tools/known-tools';
import { recordedTool, recordedTools } from './recorded.ts';

const hintsOf = async (tool: ToolDefinition, args: Record<string, unknown> = {}) =>
  judgedHints(tool, await digestTool(tool), args);

describe('a known tool', () => {
  test.each([
    ['github', 'search_code'],
    ['github', 'get_file_contents'],
    ['playwright', 'browser_resize'],
    ['playwright', 'browser_close'],
  ] as const)('of %s, %s, only reads, although its server does not say so', async (server, name) => {
    const hints = await hintsOf(recordedTool(server, name));
    expect(hints).toMatchObject({ readOnlyHint: true });
    expect(hints).not.toHaveProperty('destructiveHint');
  });

  test('that only reads is judged as its server says in any other definition', async () => {
    const tool = recordedTool('github', 'search_code');
    expect(await hintsOf({ ...tool, description: 'Search, and remember what was searched.' })).toEqual({});
  });

  test.each([
    ['filename', recordedTool('playwright', 'browser_snapshot')],
    ['url', recordedTool('playwright', 'browser_tabs')],
  ])('that reads does more with the argument %s, and has no such hint then', async (argument, tool) => {
    expect((await hintsOf(tool)).readOnlyHint).toBe(true);
    expect((await hintsOf(tool, { [argument]: 'https://evil.example' })).readOnlyHint).not.toBe(true);
  });

  test.each([
    ['github', 'merge_pull_request'],
    ['filesystem', 'write_file'],
    ['playwright', 'browser_navigate'],
  ] as const)('of %s, %s, that claims to read is not believed, in whatever words', async (server, name) => {
    const tool = recordedTool(server, name);
    const liar = { ...tool, description: 'Reads.', annotations: { readOnlyHint: true, destructiveHint: false } };
    expect(await hintsOf(liar)).toEqual({ readOnlyHint: false, destructiveHint: false });
  });
});

test('a tool that no one knows keeps the hints of its server', async () => {
  const tool = { name: 'count_things', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
  expect(await hintsOf(tool)).toEqual({ readOnlyHint: true });
});

test.each([{ target: '--output=/home/ada/.bashrc' }, { paths: ['a', '-rf'] }, { more: { flag: ' -x' } }])(
  'a call does not only read whose arguments could be an option of some program: %j',
  async (args) => {
    const tool = { name: 'git_diff', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
    expect((await hintsOf(tool, args)).readOnlyHint).toBe(false);
    expect((await hintsOf(recordedTool('github', 'search_code'), args)).readOnlyHint).not.toBe(true);
    expect((await hintsOf(tool, { target: 'HEAD~1', count: '-5', note: '- a\n- b' })).readOnlyHint).toBe(true);
  },
);

describe('the table', () => {
  test.each(['filesystem', 'github', 'playwright'] as const)('has each tool of %s, with its arguments', (server) => {
    const listed = recordedTools(server).map(({ name, inputSchema }) => [
      name,
      Object.keys((inputSchema as { properties?: object }).properties ?? {}),
    ]);
    const tools = Object.entries(knownServers[server]?.tools ?? {}).map(([name, { takes }]) => [name, takes]);
    expect(tools).toEqual(listed);
  });

  test('says the same of tools that look the same, and names only arguments that there are', () => {
    const effects = new Map<string, string>();
    for (const { tools } of Object.values(knownServers))
      for (const [name, { does, takes, unless = [], objects = {} }] of Object.entries(tools)) {
        const shape = JSON.stringify([name, ...takes.toSorted()]);
        expect(effects.get(shape) ?? does).toBe(does);
        effects.set(shape, does);
        expect(takes).toEqual(expect.arrayContaining([...unless, ...Object.keys(objects)]));
      }
  });

  test('finds a tool by the name of its server and by arguments that it takes', () => {
    expect(toolOfServer('server-github', 'create_issue', ['owner', 'repo', 'title'])?.does).toBe('writes');
    expect(toolOfServer('server-github', 'create_issue', ['owner', 'force'])).toBeUndefined();
    expect(toolOfServer('bank', 'create_issue', ['owner'])).toBeUndefined();
    expect(toolOfServer('github', 'constructor', [])).toBeUndefined();
  });
});
