import { expect, test } from '@jest/globals';
import { isServerName, serverCommandOf, serverNameOf } from '#gateway/server-name';

test.each([
  ['npx -y @modelcontextprotocol/server-filesystem ~/work', 'server-filesystem'],
  ['node node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'server-everything'],
  ['uvx mcp-server-git@1.2 --repository .', 'mcp-server-git'],
  ['python -m weather', 'weather'],
  ['docker run -i --rm mcp/github', 'github'],
  ['cmd /c npx -y files', 'files'],
  ['C:\\tools\\notes.exe', 'notes'],
  ['node server.js', 'server'],
  ['npx', 'npx'],
])('%s is called %s', (command, name) => expect(serverNameOf(command.split(' '))).toBe(name));

const places = new Map([
  ['node_modules/.bin/server-x', '/w/node_modules/@scope/server-x/dist/index.js'],
  ['/g/node_modules/@scope/server-x/dist/index.js', '/g/node_modules/@scope/server-x/dist/index.js'],
  ['server.js', '/shop/server.js'],
  ['./run', '/shop/run'],
]);
const resolve = (word: string) => places.get(word) ?? null;

test.each([
  'npx -y @scope/server-x',
  'npx @scope/server-x@1.2 --port 1',
  'cmd /c npx.cmd -y @scope/server-x@latest',
  'pnpm dlx @scope/server-x',
  'node /g/node_modules/@scope/server-x/dist/index.js /work',
  'node node_modules/.bin/server-x',
  'node_modules/.bin/server-x',
])('%s is the server server-x of one package', (command) => {
  expect(serverCommandOf(command.split(' '), resolve)).toBe('npm:@scope/server-x');
  expect(serverNameOf(command.split(' '), resolve)).toBe('server-x');
});

test.each([
  ['npx -y server-x', 'npm:server-x'],
  ['npx -y @other/server-x', 'npm:@other/server-x'],
  ['node server.js', 'file:/shop/server.js'],
  ['node --inspect server.js', 'file:/shop/server.js'],
  ['./run', 'file:/shop/run'],
  ['uvx server-x@2', 'uvx:server-x'],
  ['python3 -m server_x', 'python3:server_x'],
  ['docker run -i --rm -e TOKEN mcp/github:1.2', 'docker:mcp/github'],
  ['docker run -i --rm -e TOKEN mcp/slack', 'docker:mcp/slack'],
  ['notes', 'program:notes'],
])('%s runs %s', (command, runs) => expect(serverCommandOf(command.split(' '), resolve)).toBe(runs));

test.each(['..', '.', '-x', '_x', 'a/b', 'a b', '', 'ä', 'x'.repeat(129)])('%j is no name of a server', (name) =>
  expect(isServerName(name)).toBe(false),
);
test.each(['notes', '9', 'a..b', 'A_b.c-d'])('%j is a name of a server', (name) =>
  expect(isServerName(name)).toBe(true),
);
