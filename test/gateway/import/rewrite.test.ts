import { describe, expect, test } from '@jest/globals';
import jsonc from 'jsonc-parser';
import { unwrapEntry, wrapEntry } from '../../../src/gateway/import/entry.ts';
import { isServerName } from '../../../src/gateway/server-name.ts';
import { importServers, undoServers } from '../../../src/gateway/import/rewrite.ts';
import { samples } from './samples.ts';

const words = { program: ['node', '/opt/assentry/main.js'], directory: '/home/ada/.assentry' } as const;
const valueOf = (text: string): unknown => jsonc.parse(text.replace('\ufeff', ''), [], { allowTrailingComma: true });
const commentsIn = (text: string): string[] => text.match(/\/\/ .*|\/\*.*?\*\//g) ?? [];

test('a server keeps its command behind the gateway', () => {
  const entry = { command: 'npx', args: ['-y', 'files', '--', 'x'] };
  const wrapped = wrapEntry(entry, 'my-files', words);
  const own = ['wrap', '--data-dir', '/home/ada/.assentry', '--server', 'my-files', '--'];
  expect(wrapped).toEqual({
    command: 'node',
    args: ['/opt/assentry/main.js', ...own, 'npx', '-y', 'files', '--', 'x'],
  });
  expect(unwrapEntry(wrapped)).toEqual(entry);
  expect(unwrapEntry(entry)).toBeNull();
  expect(unwrapEntry({ command: 'x', args: ['wrap', '--', 'y'] })).toBeNull();
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

  test('every server with a command is put behind the gateway, and no other', () => {
    const commands = [...text.matchAll(/"command":/g)].length;
    expect(imported?.servers.filter(({ change }) => change === 'rewritten')).toHaveLength(commands);
    expect([...wrapped.matchAll(/"--server"/g)]).toHaveLength(commands);
    expect(imported?.servers.filter(({ change }) => change === 'same')).toEqual([]);
  });

  test('a second time changes nothing', () => {
    const again = importServers(wrapped, paths, words);
    expect(again?.text).toBe(wrapped);
    expect(again?.servers.some(({ change }) => change === 'rewritten')).toBe(false);
  });

  test('everything but commands stays: members, order, comments, the ends of lines', () => {
    const bare = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, member: unknown) => (key === 'command' || key === 'args' ? undefined : member)),
      );
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
