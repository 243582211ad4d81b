import { afterAll, expect, test } from '@jest/globals';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createAdministration } from '#sdk/client/administration';
import { createClient } from '#sdk/client/client';
import { version } from '#platform/process/package';
import { notesServer } from '../../gateway/peers.ts';
import { gateNotes } from '../../stories/gateway-process.ts';
import { compiled, shippedProgram } from '../../support/compiled.ts';
import { newFolder } from '../../support/new-folder.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { makeClient } from './peers.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const apiKey = await server.newServerKey('notes');
/** The first of the nodes is down. */
const addresses = `http://127.0.0.1:2, ${server.url}`;

/** Connects to a server that a client starts with these words, and reads what it writes on standard error. */
async function connect(words: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: words,
    env: {
      PATH: process.env['PATH'] ?? '',
      ASSENTRY_URL: addresses,
      ASSENTRY_API_KEY: apiKey,
      ASSENTRY_DATA_DIR: newFolder(),
    },
    stderr: 'pipe',
  });
  const output = { stderr: '' };
  transport.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const client = makeClient();
  await client.connect(transport);
  return { client, output };
}

test('a server with the library starts with a list of addresses, and names them', async () => {
  const { client, output } = await connect([compiled('examples/ten-lines.ts')]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('delete_account');
  await until(() => output.stderr.includes('\n'));
  expect(output.stderr).toBe(`Assentry ${version} at http://127.0.0.1:2, ${server.url}, as notes\n`);
  await client.close();
});

test('so do a client of one’s own, wrap and the gateway', async () => {
  expect(await createClient({ url: addresses, apiKey }).identify()).toMatchObject({ name: 'notes' });
  const { client } = await connect([
    compiled(shippedProgram),
    'wrap',
    '--server',
    'notes',
    '--',
    ...notesServer().words,
  ]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_note');
  await client.close();
  const gateway = await gateNotes(addresses, apiKey).start();
  expect(gateway.url).toMatch(/^http:/);
  await gateway.kill();
});

test('a command with a token asks the next node if one cannot be reached', async () => {
  const administration = createAdministration({ url: addresses, readToken: async () => 'asnadm_none' });
  await expect(administration.showChange('eli_none')).rejects.toMatchObject({ code: 'unauthenticated' });
  const nowhere = createAdministration({ url: 'http://127.0.0.1:2', readToken: async () => 'asnadm_none' });
  await expect(nowhere.showChange('eli_none')).rejects.toMatchObject({ code: 'unavailable' });
});
