import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { keysIn } from '#gateway/command/gateway-folders';
import type { HookEvent } from '#gateway/harness/adapters/hook-event';
import { serveSocket } from '#gateway/harness/command/serve-socket';
import { socketFolderIn, socketIn, type AskedEvent } from '#gateway/harness/socket';
import { applyPolicies } from '#policies/verbs/apply';
import { noteServing } from '#server/directory-of';
import { findRequest } from '../../sdk/mcp/peers.ts';
import { compiled, shippedProgram } from '../../support/compiled.ts';
import { newFolder } from '../../support/new-folder.ts';
import { until } from '../../support/poll.ts';
import { startTestServer, type TestServer, type TestUser } from '../../support/nodes/server.ts';

let server: TestServer;
let approver: TestUser;
let key: string;

const policies = [
  'policy: tests\nmatch: { tool: Bash }\nwhen: request.args.command == "npm test"\nallow: { ceiling: medium }',
  'policy: commands\nmatch: { tool: Bash }\nwhen: request.args.command != "npm test"\nrequire: { stages: [{ name: One, approvers: anyone }] }',
];

beforeAll(async () => {
  server = await startTestServer();
  approver = await server.newUser();
  await applyPolicies(server.engine, policies);
  key = await server.newServerKey('claude-code');
});
afterAll(() => server?.stop());

/** A data directory on which this Assentry serves. */
async function newDirectory(): Promise<string> {
  const directory = newFolder('hook-socket');
  mkdirSync(keysIn(directory), { recursive: true });
  writeFileSync(path.join(keysIn(directory), 'claude-code'), key);
  await noteServing(directory, server.url);
  return directory;
}

const eventOf = (command: string, more: Partial<HookEvent> = {}): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'one',
    cwd: '/work',
    tool_name: 'Bash',
    tool_input: { command },
    ...more,
  });

function start(directory: string, event: string) {
  const words = ['hook', 'claude-code', '--timeout', '60', '--data-dir', directory];
  const child = spawn(process.execPath, [compiled(shippedProgram), ...words], {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  child.stdin.end(event);
  const ended = Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [code]]) => ({ stdout, stderr, code: code as number | null }),
  );
  return { child, ended };
}

/** Answers every hook in this way, whatever it asks. */
async function pretend(directory: string, answer: (message: string) => string): Promise<Server> {
  mkdirSync(socketFolderIn(directory), { mode: 0o700 });
  const pretender = createServer((socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (chunk.toString().endsWith('\n')) socket.end(answer(Buffer.concat(chunks).toString()));
    });
  });
  pretender.listen(socketIn(directory));
  await once(pretender, 'listening');
  return pretender;
}

const yes = JSON.stringify({ code: 0, output: 'pretended\n', words: '' });

describe('the Assentry that runs here', () => {
  test.each([
    ['a call that a policy allows', eventOf('npm test')],
    ['a call into its own files', (directory: string) => eventOf(`cat ${directory}/secrets`)],
    ['the end of a call', JSON.stringify({ ...(JSON.parse(eventOf('ls')) as object), hook_event_name: 'PostToolUse' })],
    ['no event', '{'],
  ])('answers as the hook does without it: %s', async (_, event) => {
    const directory = await newDirectory();
    const text = typeof event === 'string' ? event : event(directory);
    const alone = await start(directory, text).ended;
    const stop = await serveSocket({ directory, url: server.url });
    expect(await start(directory, text).ended).toEqual(alone);
    await stop();
  });

  test('answers once people have declined', async () => {
    const directory = await newDirectory();
    const stop = await serveSocket({ directory, url: server.url });
    const { ended } = start(directory, eventOf('make docs'));
    const { id } = await findRequest(approver, 'Run Bash?');
    expect((await approver.vote(id, 'decline')).ok).toBe(true);
    expect((await ended).stdout).toContain('Declined; nothing was run.');
    await stop();
  });

  test('keeps the yes of people for the next equal call if the hook was killed', async () => {
    const directory = await newDirectory();
    const stop = await serveSocket({ directory, url: server.url });
    const { child, ended } = start(directory, eventOf('make release'));
    const { id } = await findRequest(approver, 'Run Bash?');
    child.kill('SIGKILL');
    await ended;
    expect((await approver.vote(id, 'accept', {})).ok).toBe(true);
    expect((await start(directory, eventOf('make release')).ended).stdout).toContain('"permissionDecision":"allow"');
    await stop();
  });

  test("withdraws the request if the agent's own person has said no", async () => {
    const directory = await newDirectory();
    const stop = await serveSocket({ directory, url: server.url });
    const { child, ended } = start(directory, eventOf('npm slow', { hook_event_name: 'PermissionRequest' }));
    const { id } = await findRequest(approver, 'Run Bash?');
    child.kill('SIGTERM');
    await ended;
    await until(async () => (await approver.show(id)).status === 'cancelled');
    await stop();
  });

  test('answers a hook that waited while another process began to serve', async () => {
    const directory = await newDirectory();
    const stop = await serveSocket({ directory, url: server.url });
    const { ended } = start(directory, eventOf('make again'));
    const { id } = await findRequest(approver, 'Run Bash?');
    await stop();
    const next = await serveSocket({ directory, url: server.url });
    expect((await approver.vote(id, 'accept', {})).ok).toBe(true);
    expect((await ended).stdout).toContain('"permissionDecision":"allow"');
    await next();
  });

  test('removes the socket of a process that was killed', async () => {
    const directory = await newDirectory();
    const dead = await pretend(directory, () => yes);
    dead.unref(); // its socket stays as a file
    renameSync(socketIn(directory), `${socketIn(directory)}.kept`);
    dead.close();
    renameSync(`${socketIn(directory)}.kept`, socketIn(directory));
    const stop = await serveSocket({ directory, url: server.url });
    expect((await start(directory, eventOf('npm test')).ended).stdout).toContain('"permissionDecision":"allow"');
    await stop();
  });
});

describe('the hook', () => {
  test('prints what the socket answers, with the bytes of the event and without variables of Assentry', async () => {
    const directory = await newDirectory();
    const messages: string[] = [];
    const pretender = await pretend(directory, (text) => (messages.push(text), yes));
    expect(await start(directory, eventOf('ls')).ended).toEqual({ stdout: 'pretended\n', stderr: '', code: 0 });
    const { hook } = JSON.parse(messages[0] ?? '') as { hook: AskedEvent };
    expect(Buffer.from(hook.event, 'base64').toString()).toBe(eventOf('ls'));
    expect(Object.keys(hook.variables)).toEqual(['PATH']);
    pretender.close();
  });

  test('judges by itself if what runs there cannot read it', async () => {
    const directory = await newDirectory();
    const pretender = await pretend(directory, () => 'null');
    expect((await start(directory, eventOf('npm test')).ended).stdout).toContain('"permissionDecision":"allow"');
    pretender.close();
  });

  test.each([
    ['that others can open', (folder: string) => chmodSync(folder, 0o755)],
    [
      'behind a link',
      (folder: string) => {
        renameSync(folder, `${folder}-moved`);
        symlinkSync(`${folder}-moved`, folder);
      },
    ],
  ])('believes no socket in a folder %s', async (_, change) => {
    const directory = await newDirectory();
    const pretender = await pretend(directory, () => yes);
    change(socketFolderIn(directory));
    expect((await start(directory, eventOf('npm test')).ended).stdout).toContain('"permissionDecision":"allow"');
    pretender.close();
    rmSync(socketFolderIn(directory), { recursive: true });
  });
});
