import { describe, expect, test } from '@jest/globals';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { configurationsOn } from '#gateway/import/clients';
import { importConfigurations } from '#gateway/import/import-configurations';
import { remove, replace, restore } from '#gateway/import/rewrite';
import { newFolder } from '../../support/new-folder.ts';
import { samples } from './samples.ts';

const words = { program: ['node', '/opt/main.js'], directory: '/data' } as const;

/** A home with a configuration of every client. */
function prepare() {
  const home = newFolder();
  const configurations = configurationsOn({
    home,
    platform: 'linux',
    appData: undefined,
    cwd: path.join(home, 'none'),
  });
  const own = samples.map(({ client, text }) => {
    const file = configurations.find((first) => first.client === client)?.file ?? '';
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    return { file, text };
  });
  const run = (undo: boolean, write: boolean) => importConfigurations(configurations, { words, undo, write });
  return { own, run, read: () => own.map(({ file }) => readFileSync(file, 'utf8')) };
}

test('without --write nothing is written', async () => {
  const { own, run, read } = prepare();
  const files = await run(false, false);
  expect(files.map(({ client }) => client).toSorted()).toEqual(samples.map(({ client }) => client).toSorted());
  expect(read()).toEqual(own.map(({ text }) => text));
  expect(own.some(({ file }) => existsSync(`${file}.before-assentry`))).toBe(false);
});

test('written twice and undone, every file is as it was, byte for byte', async () => {
  const { own, run, read } = prepare();
  await run(false, true);
  const wrapped = read();
  expect(wrapped.every((text, at) => text !== own[at]?.text && text.includes('--data-dir'))).toBe(true);
  expect(own.map(({ file }) => statSync(file).mode & 0o777)).toEqual(own.map(() => 0o600));
  await run(false, true);
  expect(read()).toEqual(wrapped);
  expect(own.map(({ file }) => readFileSync(`${file}.before-assentry`, 'utf8'))).toEqual(own.map(({ text }) => text));
  await run(true, true);
  expect(read()).toEqual(own.map(({ text }) => text));
  expect(own.some(({ file }) => existsSync(`${file}.before-assentry`))).toBe(false);
  await run(true, true);
  expect(read()).toEqual(own.map(({ text }) => text));
});

test('what was changed after the import stays when it is undone', async () => {
  const { own, run, read } = prepare();
  await run(false, true);
  for (const [at, { file }] of own.entries()) writeFileSync(file, read()[at]?.replace('{', '{ "mine": 1,') ?? '');
  await run(true, true);
  for (const text of read()) expect([text.includes('"mine": 1'), text.includes('--data-dir')]).toEqual([true, false]);
});

test('one name in two configurations is one server only if it is started alike, also if one is imported later', async () => {
  const home = newFolder();
  const all = configurationsOn({ home, platform: 'linux', appData: undefined, cwd: path.join(home, 'none') });
  const fileOf = (client: string) => all.find((first) => first.client === client)?.file ?? '';
  const save = (client: string, db: string, paths: Record<string, unknown> = {}) => {
    mkdirSync(path.dirname(fileOf(client)), { recursive: true });
    writeFileSync(
      fileOf(client),
      JSON.stringify({ mcpServers: { db: { command: 'npx', args: ['pg', db] } }, ...paths }),
    );
  };
  const run = (undo = false) => importConfigurations(all, { words, undo, write: true });
  const serversIn = (client: string) =>
    [...readFileSync(fileOf(client), 'utf8').matchAll(/"--server",\s*"([^"]+)"/g)].map(([, name = '']) => name);
  save('claude-desktop', 'shop');
  await run();
  const projects = { '/work/a': { mcpServers: { db: { command: 'npx', args: ['pg', 'bank'] } } } };
  save('claude-code', 'shop', { projects });
  save('windsurf', 'books');
  const texts = ['claude-code', 'windsurf'].map((client) => readFileSync(fileOf(client), 'utf8'));
  await run();
  expect(serversIn('claude-desktop')).toEqual(['db']);
  const [same, other] = serversIn('claude-code');
  expect([same, other]).toEqual(['db', expect.stringMatching(/^db-[0-9a-f]{8}$/)]);
  const [third] = serversIn('windsurf');
  expect(third).toMatch(/^db-[0-9a-f]{8}$/);
  expect(third).not.toBe(other);
  await run(true);
  expect(['claude-code', 'windsurf'].map((client) => readFileSync(fileOf(client), 'utf8'))).toEqual(texts);
});

test.each([
  ['codex', '.codex/config.toml', '[mcp_servers.db]\ncommand = "pg" # mine\n'],
  ['gemini-cli', '.gemini/settings.json', '{ "theme": "x", "mcpServers": { "db": { "command": "pg" } } }'],
  [
    'zed',
    '.config/zed/settings.json',
    '{ // mine\n "context_servers": { "db": { "source": "custom", "command": "pg" } } }',
  ],
  [
    'cline',
    '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    '{ "mcpServers": { "db": { "command": "pg", "disabled": false } } }',
  ],
])('the servers of %s are put behind the gateway, and undone byte for byte', async (client, file, text) => {
  const home = newFolder();
  const place = path.join(home, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  const all = configurationsOn({ home, platform: 'linux', appData: undefined, cwd: path.join(home, 'none') });
  const run = (undo: boolean) => importConfigurations(all, { words, undo, write: true });
  expect(await run(false)).toMatchObject([{ client, servers: [{ name: 'db', change: 'rewritten' }] }]);
  expect(readFileSync(place, 'utf8')).toContain('"--server"');
  await run(true);
  expect(readFileSync(place, 'utf8')).toBe(text);
});

test('a link to a configuration elsewhere stays one', async () => {
  const { own, run } = prepare();
  const [{ file, text } = { file: '', text: '' }] = own;
  const place = path.join(newFolder(), 'dotfile.json');
  writeFileSync(place, text);
  rmSync(file);
  symlinkSync(place, file);
  await run(false, true);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(place, 'utf8')).toContain('--data-dir');
  await run(true, true);
  expect([lstatSync(file).isSymbolicLink(), readFileSync(place, 'utf8')]).toEqual([true, text]);
});

test('a file of a project that leads out of it is left alone, and it is said where it leads', async () => {
  const [project, elsewhere] = [newFolder(), newFolder()];
  const text = JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['notes.js'] } } });
  const [outside, inside] = [path.join(elsewhere, 'outside.json'), path.join(project, 'inside.json')];
  writeFileSync(outside, text);
  writeFileSync(inside, text);
  mkdirSync(path.join(project, '.cursor'));
  symlinkSync(path.relative(project, outside), path.join(project, '.mcp.json'));
  symlinkSync('../inside.json', path.join(project, '.cursor', 'mcp.json'));
  const all = configurationsOn({ home: newFolder(), platform: 'linux', appData: undefined, cwd: project });
  const files = await importConfigurations(all, { words, undo: false, write: true });
  expect(files).toMatchObject([
    { client: 'claude-code', servers: null, leadsTo: realpathSync(outside) },
    { client: 'cursor', servers: [{ name: 'notes', change: 'rewritten' }], leadsTo: null },
  ]);
  expect(readFileSync(outside, 'utf8')).toBe(text);
  expect(readFileSync(inside, 'utf8')).toContain('--data-dir');
  expect(readdirSync(project).toSorted()).toEqual(['.cursor', '.mcp.json', 'inside.json']);
});

describe('nothing at all is written', () => {
  const untouched = (own: { file: string; text: string }[]) => {
    expect(own.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(own.map(({ text }) => text));
    const folders = own.map(({ file }) => readdirSync(path.dirname(file)).filter((name) => name.includes('.json.')));
    expect(folders.flat()).toEqual([]);
  };

  test('if one of the files is read-only', async () => {
    const { own, run } = prepare();
    const { file } = own.at(-1)!;
    chmodSync(file, 0o400);
    const detail = `Make ${file} writable first: it is read-only.`;
    await expect(run(false, true)).rejects.toMatchObject({ code: 'config-invalid', message: detail });
    untouched(own);
  });

  test('if one of the files is not in UTF-8, whose bytes would be lost', async () => {
    const { own, run } = prepare();
    const { file, text } = own.at(-1)!;
    const bytes = Buffer.concat([Buffer.from(text.replace(/\s*$/, '')), Buffer.from([0x20, 0xe4])]);
    writeFileSync(file, bytes);
    const detail = `Save ${file} as UTF-8: it has other bytes.`;
    await expect(run(false, true)).rejects.toMatchObject({ code: 'config-invalid', message: detail });
    expect(readFileSync(file)).toEqual(bytes);
    untouched(own.slice(0, -1));
  });
});

test('what a client saves in the meantime stays', async () => {
  const { own } = prepare();
  const [{ file, text } = { file: '', text: '' }] = own;
  const detail = `Run it again: ${file} was changed in the meantime.`;
  const later = text.replace('{', '{ "mine": 1,');
  writeFileSync(file, later);
  await expect(replace(file, text, '{}', true)).rejects.toMatchObject({ message: detail });
  await expect(restore(file, text, '{}')).rejects.toMatchObject({ message: detail });
  await expect(remove(file, text)).rejects.toMatchObject({ message: detail });
  expect(readFileSync(file, 'utf8')).toBe(later);
  expect(readdirSync(path.dirname(file)).filter((name) => name.includes('.json.'))).toEqual([]); // no draft, no backup
});

test('a file whose place cannot be written stays, and no draft does', async () => {
  const folder = newFolder();
  const file = path.join(folder, 'mcp.json');
  writeFileSync(file, '{}');
  mkdirSync(`${file}.before-assentry`); // nothing can be renamed to a directory
  await expect(replace(file, '{}', '{"a":1}', true)).rejects.toMatchObject({ code: 'config-invalid' });
  expect(readFileSync(file, 'utf8')).toBe('{}');
  expect(readdirSync(folder).toSorted()).toEqual(['mcp.json', 'mcp.json.before-assentry']);
});

test('a mark at the beginning and line ends stay as they are', async () => {
  const { own, run, read } = prepare();
  const texts = own.map(({ text }) => `\ufeff${text.replaceAll('\n', '\r\n')}`);
  for (const [at, { file }] of own.entries()) writeFileSync(file, texts[at] ?? '');
  await run(false, true);
  for (const text of read()) expect([text.startsWith('\ufeff'), /[^\r]\n/.test(text)]).toEqual([true, false]);
  await run(true, true);
  expect(read()).toEqual(texts);
});
