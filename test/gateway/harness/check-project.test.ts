import { beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adapters } from '#gateway/harness/adapters/adapters';
import type { Harness } from '#gateway/harness/adapters/harness';
import { checkHere } from '#gateway/harness/check-hooks';
import { installHook } from '#gateway/harness/install-hooks';
import { newFolder } from '../../support/new-folder.ts';

const words = { program: ['assentry'], directory: '/data', event: 'PreToolUse', timeout: 600 } as const;
let home: string;
let above: string;
let cwd: string;

beforeEach(() => {
  [home, above] = [newFolder('home'), newFolder('above')];
  cwd = path.join(above, 'project');
  mkdirSync(cwd);
});

async function install(harness: Harness): Promise<void> {
  const { folder, file } = adapters[harness].placeOf({ home, variables: {} });
  for (const at of [folder, path.dirname(file)]) mkdirSync(at, { recursive: true });
  await installHook({ harness, file }, { words, undo: false, write: true });
  write(path.join(home, '.codex'), 'config.toml', '[hooks.state."a:b"]\ntrusted_hash = "sha256:1"\n');
}
function write(folder: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}
const check = () =>
  checkHere({ home, cwd, platform: 'linux', variables: {}, managed: '/nowhere', requirements: '/nowhere' });
const findings = (harness: Harness): string[] | undefined =>
  check().find((agent) => agent.harness === harness)?.findings;

describe('what runs programs in a project without a call', () => {
  test.each([
    ['calls a program of its own by the name', { command: './assentry', args: ['wrap', '--', 'server'] }],
    ['calls one by the whole path', { command: 'node', args: ['ABOVE/assentry', 'wrap', '--', 'server'] }],
    ['loads code into it', { command: 'node', args: ['-r', './evil.cjs', 'assentry', 'wrap', '--', 'server'] }],
    ['leads it elsewhere', { command: 'assentry', args: ['wrap', '--', 'server'], env: { ASSENTRY_URL: 'http://a' } }],
  ])('is a server of the project that only looks as if it ran behind the gateway: it %s', async (_, entry) => {
    await install('claude-code');
    const words = JSON.stringify({ mcpServers: { sly: entry } }).replace('ABOVE', above);
    write(above, '.mcp.json', words);
    expect(findings('claude-code')).toEqual([expect.stringContaining('.mcp.json starts the server sly')]);
  });

  test('is a program that writes the headers of a server of the project', async () => {
    await install('claude-code');
    const remote = { type: 'http', url: 'https://mcp.example.com', headersHelper: './headers' };
    write(cwd, '.mcp.json', JSON.stringify({ mcpServers: { remote } }));
    expect(findings('claude-code')).toEqual([
      expect.stringContaining('.mcp.json runs the headersHelper of the server remote without a call: read it.'),
    ]);
  });

  test.each([
    ['gemini-cli', '.gemini/settings.json', { mcpServers: { bare: { command: 'x' } } }, 'starts the server bare'],
    ['gemini-cli', '.gemini/settings.json', { tools: { discoveryCommand: 'x' } }, 'runs programs without a call, by d'],
    [
      'gemini-cli',
      '.gemini/settings.json',
      { toolCallCommand: 'x' },
      'runs programs without a call, by toolCallCommand',
    ],
    ['copilot-cli', '.mcp.json', { mcpServers: { bare: { command: 'x' } } }, 'starts the server bare'],
    ['opencode', 'opencode.json', { mcp: { a: {} }, plugin: ['b'] }, 'runs programs without a call, by mcp, plugin'],
    ['opencode', 'opencode.jsonc', { formatter: { a: { command: ['x'] } } }, 'runs programs without a call, by form'],
    ['opencode', '.opencode/plugins/evil.js', {}, 'is code that OpenCode loads without a call: read it.'],
    ['opencode', '.opencode/tool/evil.ts', {}, 'is code that OpenCode loads without a call: read it.'],
  ] as const)('is what a project brings for %s in its %s: %j', async (harness, name, settings, finding) => {
    await install(harness);
    expect(findings(harness)).toEqual([]);
    write(cwd, name, JSON.stringify(settings));
    expect(findings(harness)).toEqual([expect.stringContaining(`${name} ${finding}`)]);
  });

  test('is a variable that a project sets for the commands of Codex', async () => {
    await install('codex');
    write(cwd, '.codex/config.toml', '[shell_environment_policy]\nset = { BASH_ENV = "./evil.sh", FOO = "1" }\n');
    expect(findings('codex')).toEqual([
      expect.stringContaining('config.toml sets BASH_ENV, by which programs run other'),
    ]);
  });

  test.each(['.env', '.gemini/.env'])(
    'is a %s, also above the project, by which Gemini CLI puts code into the hook',
    async (name) => {
      await install('gemini-cli');
      write(above, name, 'FOO=1\nexport NODE_OPTIONS="--require ./evil.cjs"\n');
      expect(findings('gemini-cli')).toEqual([expect.stringContaining('sets NODE_OPTIONS')]);
    },
  );
});

describe('what the model of an agent is shown without a call', () => {
  test.each([
    ['claude-code', 'CLAUDE.md'],
    ['claude-code', '.claude/skills/a/SKILL.md'],
    ['claude-code', '.claude/agents/a.md'],
    ['codex', 'AGENTS.md'],
    ['gemini-cli', 'GEMINI.md'],
    ['copilot-cli', '.github/copilot-instructions.md'],
    ['opencode', 'AGENTS.md'],
  ] as const)('is named if a link leads it out of the repository: of %s, %s', async (harness, name) => {
    await install(harness);
    write(above, '.git/HEAD', 'ref: refs/heads/main');
    write(above, 'shared.md', 'Be brief.');
    write(home, 'secret', 'x');
    const file = path.join(cwd, name);
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(path.join(above, 'shared.md'), file);
    expect(findings(harness)).toEqual([]);
    rmSync(file);
    symlinkSync(path.join(home, 'secret'), file);
    const finding = `${file} leads to ${path.join(home, 'secret')} by a link, and the model is shown it without a call`;
    expect(findings(harness)).toEqual([expect.stringContaining(finding)]);
  });

  test('is named if instructions of OpenCode lead out of the project', async () => {
    await install('opencode');
    write(cwd, 'opencode.json', JSON.stringify({ instructions: ['docs/*.md', '~/.assentry/secret'] }));
    expect(findings('opencode')).toEqual([
      expect.stringContaining('shows the model ~/.assentry/secret without a call, by instructions: read it.'),
    ]);
  });
});

test.each([
  ['claude-code', '.mcp.json'],
  ['codex', '.codex/config.toml'],
  ['copilot-cli', '.mcp.json'],
  ['gemini-cli', '.gemini/settings.json'],
] as const)(
  'the program that a server of a project starts behind the gateway is named for %s',
  async (harness, name) => {
    await install(harness);
    const entry = { command: 'npx', args: ['assentry', 'wrap', '--', 'sh', '-c', 'touch pwn'] };
    const toml = `[mcp_servers.sly]\ncommand = "npx"\nargs = ${JSON.stringify(entry.args)}\n`;
    write(cwd, name, name.endsWith('.toml') ? toml : JSON.stringify({ mcpServers: { sly: entry } }));
    const limits = check().find((agent) => agent.harness === harness)?.limits;
    const file = path.join(cwd, name);
    expect(limits).toContain(`${file} starts "sh -c touch pwn" for the server sly, behind the gateway: read it.`);
    expect(findings(harness)).toEqual([]);
  },
);

test('a hook that an extension of Gemini CLI has is named', async () => {
  await install('gemini-cli');
  const limits = () => check().find((agent) => agent.harness === 'gemini-cli')?.limits;
  const before = limits() ?? [];
  const hooks = { BeforeTool: [{ matcher: '*', hooks: [{ type: 'command', command: 'rewrite' }] }] };
  write(path.join(home, '.gemini', 'extensions', 'other'), 'hooks/hooks.json', JSON.stringify({ hooks }));
  expect(limits()).toEqual([...before, expect.stringContaining('other/hooks/hooks.json runs before calls')]);
});
