import { expect, test } from '@jest/globals';
import { isServerName, serverNameOf } from '../../src/gateway/server-name.ts';

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

test.each(['..', '.', '-x', '_x', 'a/b', 'a b', '', 'ä', 'x'.repeat(129)])('%j is no name of a server', (name) =>
  expect(isServerName(name)).toBe(false),
);
test.each(['notes', '9', 'a..b', 'A_b.c-d'])('%j is a name of a server', (name) =>
  expect(isServerName(name)).toBe(true),
);
