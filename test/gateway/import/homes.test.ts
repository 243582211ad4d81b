import { describe, expect, test } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientNames, configurationsOn } from '#gateway/import/clients';
import { importConfigurations } from '#gateway/import/import-configurations';
import { examineServers } from '#gateway/import/rewrite';
import { newFolder } from '../../support/new-folder.ts';

const words = { program: ['node', '/opt/main.js'], directory: '/data' } as const;
const remote = 'https://mcp.example.com/mcp';
const secret = 'Bearer sk_live_0123456789abcdef';

/** One home for each client: a server by its command and one at an address, as the client writes them, with comments where it takes them. */
const homes: Record<string, [file: string, text: string]> = {
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', usual('')],
  'claude-code': ['.claude.json', usual('"type": "http", ')],
  cursor: ['.cursor/mcp.json', usual('')],
  vscode: ['.config/Code/User/mcp.json', usual('"type": "http", ', { servers: 'servers', comment: '// mine\n' })],
  'vscode-insiders': ['.config/Code - Insiders/User/mcp.json', usual('"type": "sse", ', { servers: 'servers' })],
  windsurf: ['.codeium/windsurf/mcp_config.json', usual('', { url: 'serverUrl' })],
  codex: [
    '.codex/config.toml',
    `model = "x" # mine\n\n[mcp_servers.files]\ncommand = "npx" # the usual\nargs = ["-y", "files"]\n\n[mcp_servers.linear]\n# theirs\nurl = "${remote}" # at home\nstartup_timeout_sec = 20\n`,
  ],
  'gemini-cli': ['.gemini/settings.json', usual('', { url: 'httpUrl' })],
  zed: ['.config/zed/settings.json', usual('', { servers: 'context_servers', comment: '// mine\n' })],
  cline: [
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    usual('"type": "streamableHttp", '),
  ],
  'copilot-cli': ['.copilot/mcp-config.json', usual('"type": "http", "tools": ["*"], ')],
  opencode: [
    '.config/opencode/opencode.jsonc',
    `{ // mine\n  "mcp": {\n    "files": { "type": "local", "command": ["npx", "-y", "files"], "environment": { "A": "b" } }, // the usual\n    "linear": { "type": "remote", "url": "${remote}", "headers": { "Authorization": "${secret}" }, "enabled": true }\n  }\n}\n`,
  ],
  kiro: ['.kiro/settings/mcp.json', usual('"disabled": false, ')],
  'lm-studio': ['.lmstudio/mcp.json', usual('')],
  goose: [
    '.config/goose/config.yaml',
    `# mine\nGOOSE_MODE: auto\nextensions:\n  developer:\n    type: builtin\n    name: developer\n  files: # the usual\n    type: stdio\n    name: files\n    cmd: npx # of npm\n    args:\n    - -y\n    - files\n    timeout: 300\n  linear:\n    enabled: true\n    type: streamable_http\n    uri: ${remote}\n    timeout: 300\n`,
  ],
  junie: ['.junie/mcp/mcp.json', usual('')],
  'amazon-q': ['.aws/amazonq/agents/default.json', usual('"type": "http", ')],
  amp: ['.config/amp/settings.json', usual('', { servers: 'amp.mcpServers' })],
};

interface Wording {
  servers?: string;
  url?: string;
  comment?: string;
}

function usual(type: string, { servers = 'mcpServers', url = 'url', comment = '' }: Wording = {}): string {
  return `{\n  ${comment}"${servers}": {\n    "files": { "command": "npx", "args": ["-y", "files"] },\n    "linear": { ${type}"${url}": "${remote}", "headers": { "Authorization": "${secret}" } }\n  },\n  "theme": "dark"\n}\n`;
}

function prepare(file: string, text: string, cwd?: string) {
  const home = newFolder();
  const place = path.join(cwd ?? home, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  const all = configurationsOn({ home, platform: 'linux', appData: undefined, cwd: cwd ?? path.join(home, 'none') });
  const run = (undo = false) => importConfigurations(all, { words, undo, write: true });
  return { place, all, run, read: () => readFileSync(place, 'utf8') };
}

test('there are eighteen clients, and a home of each', () => {
  expect(Object.keys(homes).toSorted()).toEqual(clientNames.toSorted());
  expect(clientNames).toHaveLength(18);
});

describe.each(Object.entries(homes))('%s', (client, [file, text]) => {
  test('both servers are put behind the gateway once, and every byte comes back', async () => {
    const { place, all, run, read } = prepare(file, text);
    const servers = [
      { name: 'files', change: 'rewritten' },
      { name: 'linear', change: 'rewritten' },
    ];
    expect(await run()).toMatchObject([{ client, servers }]);
    const wrapped = read();
    expect(wrapped).toContain('--server');
    expect(wrapped.match(/--url/g)).toHaveLength(1);
    const paths = all.find((configuration) => configuration.file === place)?.paths ?? [];
    expect(examineServers(wrapped, paths)?.map(({ way, reaches }) => [way, reaches])).toEqual([
      ['gateway', expect.stringContaining('npx files')],
      ['gateway', remote],
    ]);
    expect(await run()).toMatchObject([{ servers: servers.map(({ name }) => ({ name, change: 'same' })) }]);
    expect(read()).toBe(wrapped);
    for (const comment of text.match(/(?:#|\/\/ )(?: mine| the usual| of npm| at home| theirs)|\/\/ mine/g) ?? [])
      expect(wrapped).toContain(comment);
    await run(true);
    expect(read()).toBe(text);
    expect(existsSync(`${place}.before-assentry`)).toBe(false);
  });

  test('what was added after the import stays, and the servers start as before', async () => {
    const { place, run, read } = prepare(file, text);
    await run();
    const mark = /ya?ml$|toml$/.test(file) ? '# added\n' : '';
    writeFileSync(place, mark === '' ? read().replace(/\{/, '{ "added": 1,') : mark + read());
    await run(true);
    expect(read()).toContain('added');
    expect(read()).not.toMatch(/--server|--was|MCP_HEADER/);
    for (const part of [remote, ...(text.includes(secret) ? [secret] : []), '-y', 'files'])
      expect(read()).toContain(part);
  });
});

test('the secret of a header stands in no argument, where every process could read it', async () => {
  const { run, read } = prepare(...(homes['cursor'] as [string, string]));
  await run();
  const { mcpServers } = JSON.parse(read()) as { mcpServers: Record<string, { args: string[]; env: object }> };
  expect(mcpServers['linear']).toMatchObject({
    args: expect.arrayContaining(['--header-from', 'Authorization=MCP_HEADER_AUTHORIZATION', '--url', remote]),
    env: { MCP_HEADER_AUTHORIZATION: secret },
  });
  expect(mcpServers['linear']?.args.join()).not.toContain('sk_live');
});

test('in a file of a project an entry with a secret is left alone, and one that names a variable is not', async () => {
  const [cwd, headers] = [newFolder(), { named: 'Bearer ${LINEAR_KEY}', literal: secret }];
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    { url: remote, headers: { Authorization: value } },
  ]);
  const { run, read } = prepare('.cursor/mcp.json', JSON.stringify({ mcpServers: Object.fromEntries(entries) }), cwd);
  const servers = [
    { name: 'named', change: 'rewritten' },
    { name: 'literal', change: 'secret' },
  ];
  expect(await run()).toMatchObject([{ client: 'cursor', servers }]);
  expect(read().match(/sk_live/g)).toHaveLength(1);
});

test.each([
  [['-y', 'mcp-remote', remote], true],
  [['mcp-remote@0.1.2', remote, '--transport', 'http-only'], true],
  [['-y', 'mcp-remote', remote, '--header', 'Authorization: x'], false],
  [['-y', 'mcp-remote', 'http://192.168.0.9/mcp', '--allow-http'], false],
])('npx %j is put behind the gateway, by its address: %s', async (args, isByAddress) => {
  const text = JSON.stringify({ mcpServers: { linear: { command: 'npx', args } } }, null, 2);
  const { run, read } = prepare('.cursor/mcp.json', text);
  await run();
  const { mcpServers } = JSON.parse(read()) as { mcpServers: { linear: { args: string[] } } };
  expect(mcpServers.linear.args.includes('--url')).toBe(isByAddress);
  await run(true);
  expect(read()).toBe(text);
});

test.each([
  ['.config/goose/config.yaml', 'extensions:\n  files: { type: stdio, name: files, cmd: npx, args: [] }\n', 'unfit'],
  ['.codex/config.toml', `[mcp_servers.a]\nurl = "${remote}"\nbearer_token_env_var = "KEY"\n`, 'unfit'],
  ['.cursor/mcp.json', '{ "mcpServers": { "a": { "url": "http://mcp.example.com/mcp" } } }', 'unfit'],
  ['.cursor/mcp.json', '{ "mcpServers": { "a": { "url": 7 } } }', 'unfit'],
])('in %s, %j is left alone', async (file, text, change) => {
  const { run, read } = prepare(file, text);
  expect(await run()).toMatchObject([{ servers: [{ change }] }]);
  expect(read()).toBe(text);
});

test.each([
  ['.config/goose/config.yaml', 'extensions: [a: }\n'],
  ['.codex/config.toml', '[mcp_servers\n'],
  ['.kiro/settings/mcp.json', '{ "mcpServers": '],
])('%s that cannot be read is left alone', async (file, text) => {
  const { run, read } = prepare(file, text);
  expect(await run()).toMatchObject([{ servers: null }]);
  expect(read()).toBe(text);
});

test('a file that is no configuration by its size ends the import before anything is written', async () => {
  const { place, run, all } = prepare('.lmstudio/mcp.json', '');
  const other = all.find(({ client }) => client === 'cursor')?.file ?? '';
  mkdirSync(path.dirname(other), { recursive: true });
  writeFileSync(other, usual(''));
  truncateSync(place, 65 * 1024 * 1024);
  await expect(run()).rejects.toMatchObject({ code: 'config-invalid', message: expect.stringContaining(place) });
  expect(readFileSync(other, 'utf8')).toBe(usual(''));
});

test('a link stays one, and the file behind it comes back', async () => {
  const [elsewhere, home] = [path.join(newFolder(), 'goose.yaml'), newFolder()];
  const [file, text] = homes['goose'] as [string, string];
  writeFileSync(elsewhere, text);
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  symlinkSync(elsewhere, path.join(home, file));
  const all = configurationsOn({ home, platform: 'linux', appData: undefined, cwd: path.join(home, 'none') });
  await importConfigurations(all, { words, undo: false, write: true });
  expect(readFileSync(elsewhere, 'utf8')).toContain('--server');
  await importConfigurations(all, { words, undo: true, write: true });
  expect(readFileSync(elsewhere, 'utf8')).toBe(text);
});

test.each([
  [
    'win32',
    [
      'C:/R/Claude/claude_desktop_config.json',
      'C:/L/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json',
    ],
  ],
  ['darwin', ['/h/Library/Application Support/Claude/claude_desktop_config.json']],
] as const)('on %s Claude Desktop keeps its servers in %j', (platform, files) => {
  const machine = { home: '/h', platform, appData: 'C:/R', localAppData: 'C:/L', cwd: '/p' };
  const own = configurationsOn(machine).filter(({ client }) => client === 'claude-desktop');
  expect(own.map(({ file }) => file)).toEqual(files);
});
