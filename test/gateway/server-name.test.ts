import { expect, test } from '@jest/globals';
import { serverNameOf } from '../../src/gateway/server-name.ts';

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
