import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { compiled } from '../support/compiled.ts';
import { callTool, findRequest, makeClient, textOf } from '../mcp/peers.ts';
import { startTestServer, type TestServer } from '../support/nodes/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

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
    for (const [id, confirmed, text] of [
      ['7', true, 'Account 7 is deleted.'],
      ['8', false, 'Not deleted: accept.'],
    ] as const) {
      const call = callTool(client, 'delete_account', { id });
      const request = await findRequest(approver, `Delete account ${id}?`);
      expect((await approver.vote(request.id, 'accept', { confirmed })).status).toBe(200);
      expect(textOf(await call)).toBe(text);
    }
    const declined = callTool(client, 'delete_account', { id: '9' });
    const { id } = await findRequest(approver, 'Delete account 9?');
    await approver.vote(id, 'decline');
    expect(textOf(await declined)).toBe('Not deleted: decline.');
  } finally {
    await client.close();
  }
}, 60_000);

test('the README shows the ten lines as they run', async () => {
  const [readme, example] = await Promise.all([
    readFile('README.md', 'utf8'),
    readFile('examples/ten-lines.ts', 'utf8'),
  ]);
  const local = "import { assentry } from '../src/mcp/assentry.ts'; // in your project: 'assentry/mcp'\n";
  expect(example.split(local)).toHaveLength(2);
  const shown = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(shown).toContain(example.replace(local, "import { assentry } from 'assentry/mcp';\n"));
});
