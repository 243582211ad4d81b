import { afterAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startNotes } from '../gateway/http/peers.ts';
import { startPersonalNotes } from '../gateway/identity/personal-notes.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { startIssuerOfServers } from '../support/connect/issuer-of-servers.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { leaveBy, newVisitor } from '../support/nodes/visitor.ts';
import { until } from '../support/poll.ts';
import { runAssentry, serveAssentry } from './assentry-process.ts';
import { discardDirectory, findDatabase, newDataDirectory } from './data-directory.ts';

const directory = newDataDirectory('wrap-url');
const issuer = await startIssuerOfServers();
const [linear, sentry, plain] = [await startPersonalNotes(), await startPersonalNotes(), await startNotes()];
for (const server of [linear, sentry]) {
  server.isClosed = true;
  server.takes = (header) => issuer.isLive(header.replace(/^Bearer /, ''), server.url);
  server.metadata = { resource: server.url, authorization_servers: [issuer.issuer], scopes_supported: ['read'] };
}
afterAll(async () => {
  for (const { close } of [linear, sentry, plain, issuer]) await close();
  await discardDirectory(directory);
});

const env = { ASSENTRY_DATA_DIR: directory };

/** The program as a client starts it. */
async function connect(server: string, url: string, more: string[] = [], variables: Record<string, string> = {}) {
  const printed = { text: '' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [compiled(shippedProgram), 'wrap', '--server', server, ...more, '--url', url],
    env: { PATH: process.env['PATH'] ?? '', ASSENTRY_LOG_LEVEL: 'error', ...env, ...variables },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => (printed.text += chunk.toString()));
  const changed: number[] = [];
  const client = new Client(
    { name: 'laptop', version: '1.0.0' },
    { listChanged: { tools: { onChanged: () => void changed.push(1), autoRefresh: false } } },
  );
  await client.connect(transport);
  return { client, printed, changed };
}

const list = async (client: Client): Promise<string[]> =>
  (await client.listTools(undefined, { timeout: 60_000 })).tools.map(({ name }) => name);

/** The person reads the link and the code in the client, agrees, and comes back from the issuer. */
async function goThere(client: Client): Promise<number> {
  const message = await list(client).then(() => '', String);
  const [, url = ''] = /(https?:\/\/[^\s"]+\/go\/v1\.[^\s"]+)/.exec(message) ?? [];
  const [, first = '', last = ''] = /code (\d{3}) (\d{3})/.exec(message) ?? [];
  const visitor = newVisitor();
  const address = await leaveBy(visitor, url, first + last);
  return (await visitor.get((await issuer.visit(address)).href)).status;
}

test('three servers at addresses, two of which want a token: connected once, also after a restart of Assentry', async () => {
  const ASSENTRY_PORT = String(await freePort());
  const first = await serveAssentry({ ...env, ASSENTRY_PORT });
  const open = [
    await connect('linear', linear.url),
    await connect('sentry', sentry.url),
    await connect('plain', plain.url),
  ];
  const [{ client: wrappedLinear, changed }, { client: wrappedSentry }, { client: wrappedPlain }] = open as [
    Awaited<ReturnType<typeof connect>>,
    Awaited<ReturnType<typeof connect>>,
    Awaited<ReturnType<typeof connect>>,
  ];
  expect(await list(wrappedPlain)).toContain('write_note');
  for (const client of [wrappedLinear, wrappedSentry]) expect(await goThere(client)).toBe(303);
  await until(() => changed.length > 0);
  for (const client of [wrappedLinear, wrappedSentry]) expect(await list(client)).toContain('write_note');
  for (const { client } of open) await client.close();
  await first.end('SIGTERM');
  const second = await serveAssentry({ ...env, ASSENTRY_PORT });
  for (const [name, { url }] of Object.entries({ linear, sentry })) {
    const { client } = await connect(name, url);
    expect(await list(client)).toContain('write_note');
    await client.close();
  }
  expect((await runAssentry(['doctor'], { env })).stdout).toContain('linear: wait for a person');
  await second.end('SIGTERM');
  await until(async () => (await findDatabase(directory)) === undefined);
});

test('the value of a header stands in no message, and a header of the transport is refused', async () => {
  const url = ['--url', plain.url];
  const refused = await runAssentry(['wrap', ...url, '--header', 'Host=evil.example'], { env });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no header of the transport')]);
  const missing = await runAssentry(['wrap', ...url, '--header-from', 'Authorization=NOT_SET'], { env });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Set NOT_SET')]);
  const secret = 'sk_live_0123456789abcdef';
  const { client, printed } = await connect('keyed', plain.url, ['--header-from', 'X-Api-Key=KEY'], { KEY: secret });
  expect(await list(client)).toContain('write_note');
  const pins = await runAssentry(['gateway', 'pin', '--all', '--json'], { env });
  expect(printed.text + pins.stdout).not.toContain(secret);
  await client.close();
  await until(async () => (await findDatabase(directory)) === undefined);
});

test.each([
  ['no address and no command', []],
  ['both', ['--url', 'https://mcp.example.com/mcp', '--', 'node']],
  ['an address over http', ['--url', 'http://mcp.example.com/mcp']],
  ['a name and a password in the address', ['--url', 'https://ada:x@mcp.example.com/mcp']],
])('%s are refused', async (_name, words) => {
  const { code, stderr } = await runAssentry(['wrap', ...words], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--url')]);
});
