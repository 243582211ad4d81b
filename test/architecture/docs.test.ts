import { describe, expect, test } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remembering } from './places.ts';
import { roleOf } from './roles.ts';
import { readTree } from './source-tree.ts';

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => path.join('docs', file));

const allPages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pages];

/** As the code names them; `unsupported` is none. */
const channels = [
  ...(/export type Channel = ([^;]+);/.exec(readFileSync('src/sdk/mcp/question/call.ts', 'utf8'))?.[1] ?? '').matchAll(
    /'(\w+)'/g,
  ),
]
  .map(([, name]) => name ?? '')
  .filter((name) => name !== 'unsupported');

/** Where the links of a page lead, but for other sites. */
const linksIn = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to]) => to ?? '')
    .filter((to) => !/^https?:/.test(to));

describe('every channel', () => {
  test('is read off the code', () => expect(channels).toContain('push'));

  test.each(channels)('%s has its page, drawn, and says what happens on loss', (channel) => {
    const page = readFileSync(`docs/channels/${channel}.md`, 'utf8');
    for (const part of ['**Chosen**', '**The person sees**', '```mermaid\nsequenceDiagram', '**When it is lost**']) {
      expect(page).toContain(part);
    }
  });

  test.each(channels)('%s is in the table of channels and in the table of outcomes', (channel) => {
    expect(readFileSync('docs/channels/README.md', 'utf8')).toContain(`[${channel}](${channel}.md)`);
    expect(readFileSync('docs/outcomes.md', 'utf8')).toMatch(new RegExp(`^\\| ${channel} `, 'm'));
  });

  test('no page is of a channel that is gone', () => {
    const named = readdirSync('docs/channels').filter((file) => file !== 'README.md');
    expect(named.sort()).toEqual(channels.map((channel) => `${channel}.md`).sort());
  });
});

/** The addresses of a page's headings, as GitHub and most renderers make them. */
const anchorsIn = (page: string): string[] =>
  [
    ...readFileSync(page, 'utf8')
      .replaceAll(/^```[^]*?^```/gm, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const leadsSomewhere = (page: string, to: string): boolean => {
  const [name = '', anchor] = to.split('#');
  const file = name ? path.join(path.dirname(page), name) : page;
  return existsSync(file) && (anchor === undefined || !file.endsWith('.md') || anchorsIn(file).includes(anchor));
};

test.each(allPages)('the links of %s lead to pages and headings that exist', (page) => {
  expect(linksIn(page).filter((to) => !leadsSomewhere(page, to))).toEqual([]);
});

test('docs/README.md leads to every page, itself or by the index of its folder', () => {
  const reached = new Set<string>();
  const follow = (page: string): void => {
    if (reached.has(page)) return;
    reached.add(page);
    if (!page.endsWith('README.md')) return;
    for (const to of linksIn(page)) follow(path.join(path.dirname(page), to.split('#')[0] ?? ''));
  };
  follow('docs/README.md');
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});

test.each(allPages)('the sources that %s names are there', (page) => {
  const names = [...readFileSync(page, 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs))`/g)];
  const isThere = (name: string): boolean => ['', 'src', 'test'].some((root) => existsSync(path.join(root, name)));
  expect(names.map(([, name = '']) => name).filter((name) => !isThere(name))).toEqual([]);
});

test('the page about what a process remembers names every module that does', () => {
  const page = readFileSync('docs/decisions/0017-what-a-process-remembers.md', 'utf8');
  expect(remembering.filter((name) => !page.includes(`\`${name.slice(0, -3)}\``))).toEqual([]);
});

test('llms.txt leads to pages that exist', () => {
  const links = [...readFileSync('llms.txt', 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});

describe('docs/commands.md', () => {
  const sources = readTree('src')
    .filter(({ name }) => ['command', 'main'].includes(roleOf(name) ?? ''))
    .map(({ text }) => text);
  const commands = sources.flatMap((text) => [...text.matchAll(/\.command\('([\w-]+)/g)].map(([, name = '']) => name));
  const lines = readFileSync('docs/commands.md', 'utf8').split('\n');
  const table = lines.filter((line) => line.startsWith('| `assentry ')).join('\n');

  test('names every command', () => {
    expect(commands).toContain('rotate');
    expect(commands.filter((name) => !new RegExp(`\\b${name}\\b`).test(table))).toEqual([]);
  });

  test('names no option that no command has', () => {
    const options = table.match(/(?<![\w-])--[a-z][\w-]+/g) ?? [];
    expect(options.filter((option) => !sources.some((text) => text.includes(option)))).toEqual([]);
  });
});

test('every decision is in the index of decisions, by its title', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8');
  const files = readdirSync('docs/decisions').filter((file) => file !== 'README.md');
  const titleOf = (file: string): string =>
    readFileSync(path.join('docs/decisions', file), 'utf8').split('\n')[0] ?? '';
  const lines = files.map((file) => `[${file.slice(0, 4)} ${titleOf(file).replace('# ', '')}](${file})`);
  expect(lines.filter((line) => !index.includes(line))).toEqual([]);
});
