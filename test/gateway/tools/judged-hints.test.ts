import { describe, expect, test } from '@jest/globals';
import { digestTool, type ToolDefinition, judgedHints } from '#gateway/tools/definition';
import { knownServers, toolOfServer } from '#gateway/known-tools/known-tools';
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

const readerOf = (...names: string[]) => ({
  name: 'read_things',
  inputSchema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) },
  annotations: { readOnlyHint: true },
});

const freeForms =
  'pipeline query sql graphql code script command statement filter url baseUrl image_url uri connectionString connection_string path filePath local_path file fileName files output_dir directory host endpoint webhook body headers expression'.split(
    ' ',
  );

test.each(freeForms)('a server is not believed that a call with %s only reads', async (name) => {
  for (const value of ['x', ['x'], [{ $match: {} }, { $out: 'wiped' }]])
    expect((await hintsOf(readerOf(name), { [name]: value })).readOnlyHint).toBe(false);
  expect((await hintsOf(readerOf('options'), { options: { [name]: 'x' } })).readOnlyHint).toBe(false);
});

test.each(['database', 'collection', 'limit', 'page', 'id', 'project', 'language', 'title', 'since', 'text'])(
  'a call with %s may only read',
  async (name) => expect((await hintsOf(readerOf(name), { [name]: 'x' })).readOnlyHint).toBe(true),
);

test('an address is one under any name', async () => {
  expect((await hintsOf(readerOf('id'), { id: 'mongodb://evil.example' })).readOnlyHint).toBe(false);
});

test('an argument that the definition does not have ends the belief, also in a known tool', async () => {
  expect((await hintsOf(readerOf('id'), { id: 'x', cmd: 'y' })).readOnlyHint).toBe(false);
  expect((await hintsOf(readerOf('id'), { id: 'x', more: 1 })).readOnlyHint).toBe(false);
  const search = recordedTool('github', 'search_code');
  expect((await hintsOf(search, { q: 'x' })).readOnlyHint).toBe(true);
  expect((await hintsOf(search, { q: 'x', more: 1 })).readOnlyHint).not.toBe(true);
});

test.each([{ target: '--output=/home/ada/.bashrc' }, { paths: ['a', '-rf'] }, { more: { flag: ' -x' } }])(
  'a call does not only read whose arguments could be an option of some program: %j',
  async (args) => {
    const properties = { target: {}, count: {}, note: {}, paths: {}, more: {} };
    const tool = { name: 'git_diff', inputSchema: { type: 'object', properties }, annotations: { readOnlyHint: true } };
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
