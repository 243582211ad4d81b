import { expect, test } from '@jest/globals';
import { freeName, isServerName, serverNameOf } from '#gateway/authorization-config';
import { newFolder } from '../support/new-folder.ts';

test.each([
  ['npx -y @modelcontextprotocol/server-filesystem ~/work', 'server-filesystem'],
  ['node node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'server-everything'],
  ['uvx mcp-server-git@1.2 --repository .', 'mcp-server-git'],
  ['python -m weather', 'weather'],
  ['docker run -i --rm mcp/github', 'github'],
  ['cmd /c npx -y files', 'files'],
  ['C:\\tools\\notes.exe', 'notes'],
  ['node /srv/notes/server.js', 'notes'],
  ['npx', 'npx'],
])('%s is called %s', (command, name) => expect(serverNameOf(command.split(' '))).toBe(name));

test.each([
  ['npx -y mcp-remote https://mcp.linear.app/sse', 'mcp.linear.app'],
  ['npx tsx src/billing.ts', 'billing'],
  ['npx -y @smithery/cli@latest run @x/db', 'db'],
  ['uv --directory /srv/weather run server.py', 'weather'],
  ['op run --env-file=.env -- npx -y @x/db', 'db'],
  ['bash ./start-db.sh', 'start-db.sh'],
  ['java -jar /srv/db.jar', 'db.jar'],
  ['ssh host npx @x/db', 'db'],
])('%s is called by what is behind it', (command, name) => expect(serverNameOf(command.split(' '))).toBe(name));

test('each name is of one server, for every process', async () => {
  const folder = newFolder();
  const names = await Promise.all(['a', 'b', 'a', 'c', 'b'].map((reaches) => freeName(folder, 'db', reaches)));
  expect(new Set(names)).toEqual(new Set(['db', 'db-2', 'db-3']));
  expect([names[0], names[1]]).toEqual([names[2], names[4]]);
  expect(await freeName(folder, 'db', 'c')).toBe(names[3]);
});

test.each(['..', '.', '-x', '_x', 'a/b', 'a b', '', 'ä', 'x'.repeat(129)])('%j is no name of a server', (name) =>
  expect(isServerName(name)).toBe(false),
);
test.each(['notes', '9', 'a..b', 'A_b.c-d'])('%j is a name of a server', (name) =>
  expect(isServerName(name)).toBe(true),
);
