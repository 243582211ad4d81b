import { afterAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { compiled } from '../support/compiled.ts';
import { callTool, findRequest, makeClient, textOf } from '../sdk/mcp/peers.ts';
import { startTestServer } from '../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());

test('the ten lines hold their tool until an approver has answered', async () => {
  const approver = await server.newUser('approver');
  const client = makeClient();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [compiled('examples/ten-lines.ts')],
    env: { PATH: process.env.PATH ?? '', ASSENTRY_URL: server.url, ASSENTRY_API_KEY: await server.newServerKey() },
  });
  await client.connect(transport);
  try {
    const call = callTool(client, 'delete_account', { id: '7' });
    const request = await findRequest(approver, 'Run delete_account?');
    expect(request.risk).toBe('high');
    expect((await approver.vote(request.id, 'accept', {})).status).toBe(200);
    expect(textOf(await call)).toBe('Account 7 is deleted.');
    const declined = callTool(client, 'delete_account', { id: '9' });
    const { id } = await findRequest(approver, 'Run delete_account?');
    await approver.vote(id, 'decline');
    expect(textOf(await declined)).toMatch(/^Declined; nothing was run/);
  } finally {
    await client.close();
  }
});

test('the README shows the ten lines as they run', async () => {
  const [readme, example] = await Promise.all([
    readFile('README.md', 'utf8'),
    readFile('examples/ten-lines.ts', 'utf8'),
  ]);
  const local = "import { assentry } from '../src/sdk/mcp/assentry.ts'; // in your project: 'assentry/mcp'\n";
  expect(example.split(local)).toHaveLength(2);
  const shown = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(shown).toContain(example.replace(local, "import { assentry } from 'assentry/mcp';\n"));
});
