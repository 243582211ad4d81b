import { describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adapters } from '#gateway/harness/adapters/adapters';
import { harnesses, type Harness } from '#gateway/harness/adapters/harness';
import type { HookWords } from '#gateway/harness/adapters/adapter';
import { hookFilesIn, installHook } from '#gateway/harness/install-hooks';
import { newFolder } from '../../support/new-folder.ts';

const words = {
  program: ['node', "/opt/it's here/main.js"],
  directory: '/data',
  event: 'PreToolUse',
  timeout: 600,
} as const;

const addHook = (text: string, harness: Harness, how: HookWords) => adapters[harness].hookFile.add(text, how);
const removeHook = (text: string) => adapters['claude-code'].hookFile.remove(text);

/** As a person may have it, with comments and a hook of their own. */
const settings = `{
  // mine
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] } // first
    ],
    "Stop": []
  }
}
`;

interface Group {
  matcher: string;
  hooks: { type: string; command: string; timeout: number }[];
}
const hooksOf = (text: string) =>
  (JSON.parse(text.replaceAll(/ *\/\/.*/g, '')) as { hooks: Record<string, Group[]> }).hooks;

describe('the hook in the settings of an agent', () => {
  test('stands next to the hooks that are there, and comments stay', () => {
    const text = addHook(settings, 'claude-code', words) ?? '';
    expect(text).toContain('// mine');
    expect(text).toContain('// first');
    const [mine, ours] = hooksOf(text)['PreToolUse'] ?? [];
    expect(mine?.hooks[0]?.command).toBe('./mine.sh');
    expect(ours?.matcher).toBe('*'); // a tool of a later version is judged, too
    expect(ours?.hooks[0]).toMatchObject({ type: 'command', timeout: 600 });
  });

  test('of Claude Code blocks a call whose hook fails, and judges the commands of skills as calls', () => {
    const text = addHook('{}', 'claude-code', words) ?? '';
    const { PreToolUse: [calls] = [], PreSkillShellCommand: skills = [] } = hooksOf(text);
    expect(calls?.hooks[0]).toMatchObject({ onFailure: 'block' });
    expect(skills).toEqual([calls]);
    const asking = hooksOf(addHook(text, 'claude-code', { ...words, event: 'PermissionRequest' }) ?? '');
    expect(Object.keys(asking).toSorted()).toEqual(['PermissionRequest', 'PostToolBatch', 'PostToolUse']);
    expect(JSON.parse(removeHook(text) ?? '')).toEqual({});
  });

  test('added twice is there once, and moves to the event that is asked for', () => {
    const once = addHook(settings, 'claude-code', words) ?? '';
    expect(addHook(once, 'claude-code', words)).toBe(once);
    const moved = hooksOf(addHook(once, 'claude-code', { ...words, event: 'PermissionRequest' }) ?? '');
    expect([moved['PreToolUse']?.length, moved['PermissionRequest']?.length]).toEqual([1, 1]);
  });

  test('that races the agent’s own person starts nothing after a call unless a request waits', () => {
    const directory = newFolder('raced');
    const program = ['sh', '-c', 'echo started'];
    const text = addHook(settings, 'claude-code', { ...words, program, directory, event: 'PermissionRequest' }) ?? '';
    const { PostToolUse: [after] = [], PostToolBatch: [atEnd] = [] } = hooksOf(text);
    expect(atEnd).toEqual(after);
    const output = (): string => execFileSync('sh', ['-c', after?.hooks[0]?.command ?? ''], { encoding: 'utf8' });
    expect([after?.matcher, output()]).toEqual(['*', '']);
    mkdirSync(path.join(directory, 'raced-calls'));
    expect(output()).toBe('');
    writeFileSync(path.join(directory, 'raced-calls', 'call'), 'elc_1');
    expect(output()).toBe('started\n');
    expect(hooksOf(addHook(text, 'claude-code', words) ?? '')['PostToolUse']).toBeUndefined();
    expect(hooksOf(removeHook(text) ?? '')).toEqual(hooksOf(settings));
  });

  test('taken out leaves what was there before', () => {
    expect(hooksOf(removeHook(addHook(settings, 'codex', words) ?? '') ?? '')).toEqual(hooksOf(settings));
    expect(JSON.parse(removeHook(addHook('{}', 'codex', words) ?? '') ?? '')).toEqual({});
  });

  test('is not put into what is no JSON', () => expect(addHook('{ "hooks": ', 'codex', words)).toBeNull());

  test.each([127, 1, 3])('that fails with %s blocks the call, with words', (code) => {
    const program = ['sh', '-c', `exit ${code}`];
    const [group] = hooksOf(addHook('{}', 'codex', { ...words, program }) ?? '')['PreToolUse'] ?? [];
    const { status, stderr } = spawnSync('sh', ['-c', group?.hooks[0]?.command ?? ''], { encoding: 'utf8' });
    expect([status, stderr.trim()]).toEqual([2, 'The hook of Assentry could not run, so nothing was run.']);
  });

  test('runs no code and believes no server that a project names in the environment', () => {
    const names = ['NODE_OPTIONS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'OPENSSL_CONF', 'NODE_USE_ENV_PROXY'];
    const theirs = Object.fromEntries(names.map((name) => [name, '/nowhere']));
    const program = ['sh', '-c', `echo ${names.map((name) => `$${name}`).join('')}`];
    const printed = (harness: Harness, url?: string) => {
      const text = addHook('{}', harness, { ...words, program, url }) ?? '';
      const [group] =
        (JSON.parse(text) as { hooks: Record<string, { hooks: { command: string }[] }[]> }).hooks[
          harness === 'gemini-cli' ? 'BeforeTool' : 'PreToolUse'
        ] ?? [];
      const env = { PATH: process.env['PATH'], ...theirs };
      return execFileSync('sh', ['-c', group?.hooks[0]?.command ?? ''], { encoding: 'utf8', env }).trim();
    };
    expect([printed('codex'), printed('claude-code', 'http://127.0.0.1:4700'), printed('gemini-cli')]).toEqual([
      '',
      '',
      '',
    ]);
    expect(printed('codex', 'https://assentry.example.com')).toBe('/nowhere'); // a proxy passes what only the server can read
    expect(addHook('', 'opencode', words)).toContain(`for (const name of ${JSON.stringify(names)}) delete env[name];`);
  });

  test('is a plugin that OpenCode loads, and that passes a call only if the hook says so', async () => {
    type Plugin = (at: object) => Promise<{ 'tool.execute.before': (about: object, call: object) => Promise<void> }>;
    const callWith = async (script: string) => {
      const file = path.join(newFolder(), 'assentry.mjs');
      writeFileSync(file, addHook('', 'opencode', { ...words, program: ['node', '-e', script] }) ?? '');
      const plugins = Object.values((await import(file)) as Record<string, Plugin>);
      expect(plugins).toHaveLength(1);
      const call = { args: { command: 'touch a' } };
      const { 'tool.execute.before': before } = await plugins[0]!({ directory: '/project' });
      await before({ tool: 'bash', sessionID: 's' }, call);
      return call.args;
    };
    const answer = (output: object) => `console.log(${JSON.stringify(JSON.stringify({ hookSpecificOutput: output }))})`;
    expect(await callWith(answer({ permissionDecision: 'allow' }))).toEqual({ command: 'touch a' });
    const updatedInput = { command: 'touch b' };
    expect(await callWith(answer({ permissionDecision: 'allow', updatedInput }))).toEqual(updatedInput);
    const denial = { permissionDecision: 'deny', permissionDecisionReason: 'Not here.' };
    await expect(callWith(answer(denial))).rejects.toThrow('Not here.');
    await expect(callWith('console.log("{}")')).rejects.toThrow('Assentry');
    await expect(callWith('process.exit(2)')).rejects.toThrow('Assentry');
  });

  test('gives its words to the program as they are', () => {
    const program = ['node', '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', "it's here"];
    const [group] = hooksOf(addHook('{}', 'codex', { ...words, program }) ?? '')['PreToolUse'] ?? [];
    const output = execFileSync('sh', ['-c', group?.hooks[0]?.command ?? ''], { encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual(["it's here", 'hook', 'codex', '--timeout', '600', '--data-dir', '/data']);
  });
});

describe.each(harnesses)('the hook of %s', (harness) => {
  test('is installed, found right, and undone without a trace', async () => {
    const home = newFolder();
    const { folder, file } = adapters[harness].placeOf({ home, variables: {} });
    mkdirSync(folder, { recursive: true });
    const install = (undo: boolean) => installHook({ harness, file }, { words, undo, write: true });
    expect(await install(false)).toMatchObject({ change: 'rewritten', backup: null });
    const text = readFileSync(file, 'utf8');
    expect(adapters[harness].hookFile.check(file, text)).toEqual([]);
    expect(text).toContain(harness);
    expect(await install(false)).toMatchObject({ change: 'same' });
    await install(true);
    expect(existsSync(file)).toBe(false);
    expect(adapters[harness].hookFile.check(file, null)).toEqual([expect.stringContaining('is not installed')]);
  });

  test('leaves alone what it cannot read', () =>
    expect(adapters[harness].hookFile.add('{ "hooks": ', words)).toBeNull());
});

test('the settings are written, and undone byte for byte', async () => {
  const home = newFolder();
  for (const folder of ['.claude', '.codex']) mkdirSync(path.join(home, folder));
  const [claude, codex] = hookFilesIn({ home, variables: {} }).map(({ file }) => file) as [string, string];
  writeFileSync(claude, settings);
  const run = (undo: boolean, write: boolean) =>
    Promise.all(hookFilesIn({ home, variables: {} }).map((file) => installHook(file, { words, undo, write })));
  await run(false, false);
  expect([readFileSync(claude, 'utf8'), existsSync(codex)]).toEqual([settings, false]);
  await run(false, true);
  const installed = readFileSync(claude, 'utf8');
  expect(installed).not.toBe(settings);
  expect(readFileSync(`${claude}.before-assentry`, 'utf8')).toBe(settings);
  expect((await run(false, true)).map(({ change }) => change)).toEqual(['same', 'same']);
  expect(readFileSync(claude, 'utf8')).toBe(installed);
  await run(true, true);
  expect([readFileSync(claude, 'utf8'), existsSync(codex)]).toEqual([settings, false]);
  expect(existsSync(`${claude}.before-assentry`)).toBe(false);
});

test('settings that are read-only stay, even if they hold the hook alone', async () => {
  const home = newFolder();
  mkdirSync(path.join(home, '.claude'));
  const [own] = hookFilesIn({ home, variables: {} }) as [ReturnType<typeof hookFilesIn>[number]];
  await installHook(own, { words, undo: false, write: true });
  chmodSync(own.file, 0o400);
  const detail = `Make ${own.file} writable first: it is read-only.`;
  await expect(installHook(own, { words, undo: true, write: true })).rejects.toMatchObject({ message: detail });
  expect(existsSync(own.file)).toBe(true);
});
