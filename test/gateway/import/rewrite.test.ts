import { describe, expect, test } from '@jest/globals';
import jsonc from 'jsonc-parser';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { unwrapEntry, wrapEntry, type StdioEntry } from '#gateway/import/import';
import { isServerName } from '#gateway/authorization-config';
import { importServers, undoServers } from '#gateway/import/rewrite';
import { samples } from './samples.ts';

const words = { program: ['node', '/opt/assentry/main.js'], directory: '/home/ada/.assentry' } as const;
const valueOf = (text: string): unknown => jsonc.parse(text.replace('\ufeff', ''), [], { allowTrailingComma: true });
const commentsIn = (text: string): string[] => text.match(/\/\/ .*|\/\*.*?\*\//g) ?? [];

test('a server keeps its command behind the gateway', () => {
  const entry = { command: 'npx', args: ['-y', 'files', '--', 'x'] };
  const wrapped = wrapEntry({ entry, env: undefined }, 'my-files', words);
  const own = ['wrap', '--data-dir', '/home/ada/.assentry', '--server', 'my-files', '--'];
  expect(wrapped).toEqual({
    command: 'node',
    args: ['/opt/assentry/main.js', ...own, 'npx', '-y', 'files', '--', 'x'],
  });
  expect(unwrapEntry(wrapped as unknown as StdioEntry)).toEqual(entry);
  expect(unwrapEntry(entry)).toBeNull();
  expect(unwrapEntry({ command: 'x', args: ['wrap', '--', 'y'] })).toBeNull();
});

test('variables by which no table could tell what a server reaches are named, and the entry is the same without the gateway', () => {
  const [entry, env] = [
    { command: 'npx', args: ['files'] },
    { MODE: 'prod', DATABASE_URL: 'x://y', TOKEN: 'z' },
  ];
  const wrapped = wrapEntry({ entry, env }, 'files', words);
  expect(wrapped['args']).toEqual(expect.arrayContaining(['files', '--variables', 'MODE', '--', 'npx']));
  expect(unwrapEntry(wrapped as unknown as StdioEntry)).toEqual(entry);
});

test('entries whose names would become one get names of their own, which wrap takes', () => {
  const names = ['a b', 'a-b', '../../../x', '--', 'ä', 'x'];
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: 'node' }]));
  const { text = '' } = importServers(JSON.stringify({ mcpServers }), [['mcpServers']], words) ?? {};
  const servers = [...text.matchAll(/"--server",\s*"([^"]+)"/g)].map(([, name = '']) => name);
  expect(servers).toHaveLength(names.length);
  expect(new Set(servers).size).toBe(names.length);
  expect(servers.filter((name) => !isServerName(name))).toEqual([]);
  expect(servers).toEqual(expect.arrayContaining(['a-b', 'x']));
});

describe.each(samples)('of $client', ({ text, paths }) => {
  const imported = importServers(text, paths, words);
  const wrapped = imported?.text ?? '';

  test('every server is put behind the gateway', () => {
    const commands = [...text.matchAll(/"(?:command|url)":/g)].length;
    expect(imported?.servers.filter(({ change }) => change === 'rewritten')).toHaveLength(commands);
    expect([...wrapped.matchAll(/"--server"/g)]).toHaveLength(commands);
    expect(imported?.servers.filter(({ change }) => change === 'same')).toEqual([]);
  });

  test('a second time changes nothing', () => {
    const again = importServers(wrapped, paths, words);
    expect(again?.text).toBe(wrapped);
    expect(again?.servers.some(({ change }) => change === 'rewritten')).toBe(false);
  });

  const changed = ['command', 'args', 'url', 'type'];

  test('everything but commands and addresses stays: members, order, comments, the ends of lines', () => {
    const bare = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (key, member: unknown) => (changed.includes(key) ? undefined : member)));
    expect(JSON.stringify(bare(valueOf(wrapped)))).toBe(JSON.stringify(bare(valueOf(text))));
    const outside = commentsIn(text).filter((comment) => !comment.includes('without a question')); // within the arguments
    expect(commentsIn(wrapped)).toEqual(outside);
    expect(wrapped.includes('\r\n')).toBe(text.includes('\r\n'));
    expect(/[^\r]\n/.test(wrapped)).toBe(/[^\r]\n/.test(text));
    expect(wrapped.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
  });

  test('undone, it says what it said', () => {
    const undone = undoServers(wrapped, paths);
    expect(JSON.stringify(valueOf(undone?.text ?? ''))).toBe(JSON.stringify(valueOf(text)));
    expect(undoServers(text, paths)?.text).toBe(text);
  });
});

describe('of Codex, in TOML', () => {
  const text = `# mine
model = "gpt-5" # of the month

[mcp_servers.files]
command = "npx" # the usual
args = [
  "-y", # at once
  'server-files',
]
startup_timeout_sec = 20

[mcp_servers.files.env]
TOKEN = "x"

[mcp_servers."my db"]
args = []
command = 'C:\\db.exe'

[mcp_servers.bare]
command = "bare"

[mcp_servers.remote]
url = "https://example.com/mcp"
`;
  const wrapped = importServers(text, 'codex', words);
  const valuesIn = (toml: string) => getStaticTOMLValue(parseTOML(toml)) as Record<string, Record<string, object>>;

  test('every server with a command is put behind the gateway, and all else stays', () => {
    expect(wrapped?.servers.map(({ name, change }) => [name, change])).toEqual([
      ['files', 'rewritten'],
      ['my db', 'rewritten'],
      ['bare', 'rewritten'],
      ['remote', 'rewritten'],
    ]);
    const own = (server: string) => ['wrap', '--data-dir', words.directory, '--server', server, '--'];
    const servers = valuesIn(wrapped?.text ?? '')['mcp_servers'];
    expect(servers).toMatchObject({
      remote: { args: expect.arrayContaining(['--url', 'https://example.com/mcp']) },
      files: {
        command: 'node',
        args: [words.program[1], ...own('files'), 'npx', '-y', 'server-files'],
        env: { TOKEN: 'x' },
      },
      'my db': { command: 'node', args: [words.program[1], ...own('my-db'), 'C:\\db.exe'] },
      bare: { command: 'node', args: [words.program[1], ...own('bare'), 'bare'] },
    });
    for (const kept of ['# mine\n', '# of the month', '# the usual', 'startup_timeout_sec = 20'])
      expect(wrapped?.text).toContain(kept);
  });

  test('a second time changes nothing, and undone it says what it said', () => {
    expect(importServers(wrapped?.text ?? '', 'codex', words)?.text).toBe(wrapped?.text);
    const undone = valuesIn(undoServers(wrapped?.text ?? '', 'codex')?.text ?? '');
    const servers = valuesIn(text)['mcp_servers'];
    expect(undone).toEqual({
      ...valuesIn(text),
      mcp_servers: { ...servers, bare: { ...servers?.['bare'], args: [] } },
    });
  });

  test('what is no TOML, or has two tables of one name, is left alone', () => {
    expect(importServers('[mcp_servers', 'codex', words)).toBeNull();
    expect(importServers(`${text}[mcp_servers.bare]\ncommand = "other"\n`, 'codex', words)).toBeNull();
  });

  test('a server that is not written as a table of its own is left alone', () => {
    const inline = '[mcp_servers]\nfiles = { command = "npx" }\n';
    expect(importServers(inline, 'codex', words)).toEqual({
      text: inline,
      servers: [{ name: 'files', change: 'unfit' }],
    });
  });
});

test('what is not valid JSON is left alone', () => {
  expect(importServers('{ "mcpServers": { "a": ', [['mcpServers']], words)).toBeNull();
  expect(importServers('', [['mcpServers']], words)).toBeNull();
});

test.each([
  ['servers of one name', '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}'],
  ['lists of servers', '{"mcpServers":{"a":{"command":"x"}},"mcpServers":{"b":{"command":"y"}}}'],
  ['commands', '{"mcpServers":{"a":{"command":"x","command":"y"}}}'],
])('what has two %s is left alone: a client goes by the last one', (_what, text) => {
  expect(importServers(text, [['mcpServers']], words)).toBeNull();
});

test.each([
  ['npx', ['assentry', 'wrap', '--', 'npx', 'x']],
  ['npx', ['-y', 'assentry@0.1.0', 'wrap', '--server', 'x', '--', 'npx', 'x']],
  ['/usr/local/bin/assentry', ['wrap', 'x']],
  ['node', ['/opt/assentry/dist/cli/main.js', 'wrap', '--', 'x']],
])('a server that someone has put behind the gateway by hand stays as it is: %s %j', (command, args) => {
  const text = JSON.stringify({ mcpServers: { a: { command, args } } });
  const servers = [{ name: 'a', change: 'same' }];
  expect(importServers(text, [['mcpServers']], words)).toEqual({ text, servers });
  expect(undoServers(text, [['mcpServers']])).toEqual({ text, servers });
});

test('a server that is told to wrap something is put behind the gateway', () => {
  const text = JSON.stringify({ mcpServers: { a: { command: 'paper', args: ['wrap', '--', 'assentry'] } } });
  expect(importServers(text, [['mcpServers']], words)?.servers).toEqual([{ name: 'a', change: 'rewritten' }]);
});

test.each([
  '[]',
  '{}',
  '{"mcpServers":[]}',
  '{"mcpServers":{"a":null,"b":{"command":7},"c":{"command":"x","args":[1]}}}',
])('a configuration without servers over stdio stays: %s', (text) =>
  expect(importServers(text, [['mcpServers']], words)?.text).toBe(text),
);
