import { afterAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '#sdk/client/client';
import { compiled, shippedProgram } from '../support/compiled.ts';
import { newFolder } from '../support/new-folder.ts';
import { until } from '../support/poll.ts';
import { killProcesses, runAssentry, startProgram } from './assentry-process.ts';
import { discardDirectory, newDataDirectory } from './data-directory.ts';

const directory = newDataDirectory('start');
afterAll(async () => {
  await killProcesses();
  await discardDirectory(directory);
});

/** A program that writes its words into a file. */
function noting(folder: string, name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho "$@" > "$0.words"\n`);
  chmodSync(file, 0o755);
  return `${file}.words`;
}

test('at a terminal it opens the set-up page and offers what it found; then it tells how many requests wait', async () => {
  const [home, programs, nothing] = [newFolder('start-home'), newFolder('programs'), newFolder('nothing')];
  const [opened, notified] = [noting(programs, 'browser'), noting(programs, 'notify-send')];
  mkdirSync(path.join(home, '.cursor'));
  const file = path.join(home, '.cursor', 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { files: { command: 'npx', args: ['-y', 'some-server'] } } }));
  const env = {
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    DISPLAY: ':9',
    BROWSER: path.join(programs, 'browser'),
    XDG_DATA_DIRS: nothing,
    XDG_DATA_HOME: nothing,
    TERM: 'xterm',
    ASSENTRY_DATA_DIR: directory,
    ASSENTRY_PORT: '0',
    ASSENTRY_SHUTDOWN_GRACE: '0',
  };
  const command = `'${process.execPath}' '${compiled(shippedProgram)}'`;
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, cwd: home });
  let output = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until(() => output.includes('MCP servers do?'));
  expect(output).toContain('files in cursor');
  const link = /http:\S+\/setup#link=\S+/.exec(output)?.[0] ?? '';
  await until(() => existsSync(opened));
  expect(readFileSync(opened, 'utf8').trim()).toBe(link);
  terminal.stdin.write('y\r');
  await until(() => output.includes('agents do?'));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    mcpServers: { files: { command: process.execPath } },
  });
  expect(output).not.toContain('is shared with the project'); // it is the person's own file, in their home folder
  terminal.stdin.write('n\r');
  await until(() => output.includes('Later: assentry hook install'));
  expect(existsSync(path.join(home, '.cursor', 'hooks.json'))).toBe(false);

  const here = { env: { ASSENTRY_DATA_DIR: directory, HOME: home } };
  expect((await runAssentry(['status'], here)).stdout).toBe('Assentry: nothing waits\n');
  const { stdout } = await runAssentry(['key', 'create', '--server', 'payments', '--json'], here);
  const { key } = JSON.parse(stdout) as { key: string };
  const client = createClient({ url: new URL(link).origin, apiKey: key });
  const question = { tool: { name: 'pay' }, arguments: {}, message: 'Pay?', requester: { subject: 'alice' } };
  await client.open({ ...question, audience: 'approvers' });
  const line = 'Assentry: 1 waiting, the first for less than a minute\n';
  expect(await runAssentry(['status', '--data-dir', directory], here)).toEqual({ code: 0, stdout: line, stderr: '' });
  expect(JSON.parse((await runAssentry(['status', '--json'], here)).stdout)).toMatchObject({ waiting: { count: 1 } });
  await until(() => existsSync(notified) && readFileSync(notified, 'utf8').trim() !== '');
  expect(readFileSync(notified, 'utf8')).toBe('--app-name=Assentry Assentry A call waits for an answer.\n');

  const second = await runAssentry([], here);
  expect([second.code, second.stdout]).toEqual([0, `Assentry runs already at ${new URL(link).origin}\n`]);
  terminal.stdin.write('\u0003');
  await once(terminal, 'close');
  expect(await runAssentry(['status'], here)).toMatchObject({ code: 1, stdout: expect.stringContaining('"assentry"') });
});

test('without a terminal it serves, and prints one address', async () => {
  const env = { ASSENTRY_DATA_DIR: directory, ASSENTRY_PORT: '0', ASSENTRY_SHUTDOWN_GRACE: '0', DISPLAY: ':9' };
  const { child, said, ended } = startProgram([shippedProgram], { env });
  await until(() => said.stdout !== '');
  child.kill('SIGTERM');
  expect((await ended).stdout).toMatch(/^Assentry is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
});
