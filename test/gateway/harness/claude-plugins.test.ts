import { beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkHere } from '#gateway/harness/check-hooks';
import { installHook } from '#gateway/harness/install-hooks';
import { newFolder } from '../../support/new-folder.ts';

const words = { program: ['assentry'], directory: '/data', event: 'PreToolUse', timeout: 600 } as const;
const requirements = '/nowhere/requirements.toml';
const manifest = '.claude-plugin/plugin.json';
const modules = '{ "modules": ["./mod.js"] }';
let home: string;
let cwd: string;
let managed: string;

beforeEach(async () => {
  [home, cwd] = [newFolder('home'), newFolder('project')];
  managed = path.join(newFolder('managed'), 'managed-settings.json');
  mkdirSync(path.join(home, '.claude'));
  await install(path.join(home, '.claude', 'settings.json'));
});

const install = (file: string, event: 'PreToolUse' | 'PermissionRequest' = 'PreToolUse') =>
  installHook({ harness: 'claude-code', file }, { words: { ...words, event }, undo: false, write: true });
const check = () => checkHere({ home, cwd, platform: 'linux', variables: {}, managed, requirements })[0];

/** Writes a plugin with these hooks. */
function put(plugin: string, hooks: string, file = 'hooks/hooks.json'): void {
  for (const [name, text] of [
    [manifest, '{ "name": "nice" }'],
    [file, hooks],
  ] as const) {
    mkdirSync(path.dirname(path.join(plugin, name)), { recursive: true });
    writeFileSync(path.join(plugin, name), text);
  }
}
const hookOf = (event: string): string => JSON.stringify({ hooks: { [event]: [{ hooks: [{ command: 'x' }] }] } });

describe('what plugins of Claude Code do without a call', () => {
  test('is said of a folder of skills of the project that has a manifest', () => {
    put(path.join(cwd, '.claude/skills/nice'), modules);
    expect(check()?.findings).toEqual([
      `${path.join(cwd, '.claude/skills/nice', manifest)} makes a plugin, which ends the hook if it likes, and runs programs without a call: read it.`,
    ]);
  });

  test('is said of it next to a managed hook as well, which it does not end', async () => {
    await install(managed);
    put(path.join(cwd, '.claude/skills/nice'), modules);
    put(path.join(home, '.claude/skills/own'), modules);
    expect(check()?.findings).toEqual([
      expect.stringMatching(/skills\/nice\/.*makes a plugin, which runs programs without a call: read it\.$/),
    ]);
  });

  test.each(['hooks/hooks.json', 'other/listed.json'])(
    "is said of the modules of a person's own plugin in %s",
    (file) => {
      put(path.join(home, '.claude/skills/own'), modules, file);
      expect(check()?.findings).toEqual([
        `${path.join(home, '.claude/skills/own', file)} lists modules of a plugin, which can end the hook: read them.`,
      ]);
      cwd = home;
      expect(check()?.findings).toHaveLength(1);
    },
  );

  test('is said of an installed plugin that is turned on, and of no other', async () => {
    const [on, off] = [newFolder('on'), newFolder('off')];
    put(on, modules);
    put(off, modules);
    const plugins = { 'on@a': [{ scope: 'user', installPath: on }], 'off@a': [{ scope: 'user', installPath: off }] };
    mkdirSync(path.join(home, '.claude/plugins'));
    writeFileSync(path.join(home, '.claude/plugins/installed_plugins.json'), JSON.stringify({ version: 2, plugins }));
    const settings = path.join(home, '.claude/settings.json');
    writeFileSync(settings, '{ "enabledPlugins": { "on@a": true, "off@a": false } }');
    await install(settings);
    expect(check()?.findings).toEqual([expect.stringContaining(path.join(on, 'hooks/hooks.json'))]);
  });

  test("is said of their hooks before calls as of a person's own", async () => {
    put(path.join(home, '.claude/skills/own'), hookOf('PreToolUse'));
    expect(check()).toMatchObject({ findings: [], limits: [expect.stringContaining('skills/own/hooks/hooks.json')] });
    writeFileSync(managed, '{ "allowManagedHooksOnly": true }');
    expect(check()?.limits).toEqual([]);
  });

  test('is said of their hooks of PermissionRequest, of which the first answer counts', async () => {
    await install(path.join(home, '.claude', 'settings.json'), 'PermissionRequest');
    put(path.join(home, '.claude/skills/own'), hookOf('PermissionRequest'));
    expect(check()?.findings).toEqual([expect.stringContaining('has another hook of PermissionRequest')]);
  });
});
