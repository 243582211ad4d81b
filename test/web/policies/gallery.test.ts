import { expect, test } from '@jest/globals';
import { decide } from '#policies/deciding/rules/decide';
import { knownServers } from '#gateway/known-tools/known-tools';
import { galleryNames, type GalleryName } from '../../../web/src/ui/words/gallery-names.ts';
import { galleryDocuments, startingDocument } from '../../../web/src/policies/NewPolicyPage.tsx';
import * as english from '#locales/policies.en';
import * as french from '#locales/policies.fr';
import * as german from '#locales/policies.de';
import { bookOf, read } from '../../policies/policies.ts';
import { factsOf } from '../../policies/users.ts';

test.each(galleryNames)('the example %s is a policy as it stands, under its own name', (name) => {
  expect(read(galleryDocuments[name])).toMatchObject({ policy: name });
});

test.each([english, german, french])('what a new policy begins with is one as it stands, in each language', (words) => {
  expect(read(startingDocument(words.starting))).toMatchObject({ description: words.starting.purpose });
});

test.each([
  ['filesystem-server', 'filesystem'],
  ['browser-server', 'playwright'],
] as const)('the example %s names tools that the server has', (name, server) => {
  const tools = Object.keys(knownServers[server]?.tools ?? {});
  expect(tools).toEqual(expect.arrayContaining(read(galleryDocuments[name]).match.tool ?? []));
});

type Call = [name: GalleryName, server: string, tool: string, args: Record<string, unknown>, isCovered: boolean];

const files = { path: '/work/a.md', content: 'a' };
const repository = { owner: 'acme', repo: 'shop' };
const push = { ...repository, branch: 'main', files: [], message: 'Mend it' };

test.each<Call>([
  ['filesystem-server', 'server-filesystem', 'write_file', files, true],
  ['filesystem-server', 'server-filesystem', 'move_file', { source: '/work/a.md', destination: '/work/b.md' }, true],
  ['filesystem-server', 'server-filesystem', 'read_text_file', { path: '/work/a.md' }, false],
  ['github-server', 'github', 'merge_pull_request', { ...repository, pullNumber: 7 }, true],
  ['github-server', 'github', 'push_files', push, true],
  ['github-server', 'github', 'get_file_contents', { ...repository, path: 'README.md' }, false],
  ['slack-server', 'server-slack', 'slack_post_message', { channel_id: 'C0999ZZZZ', text: 'Hello' }, true],
  ['slack-server', 'server-slack', 'slack_post_message', { channel_id: 'C0123ABCD', text: 'Hello' }, false],
  ['slack-server', 'server-slack', 'slack_post_message', { text: 'What cannot be evaluated applies.' }, true],
  ['postgres-server', 'postgres-mcp', 'execute_sql', { sql: 'DELETE FROM orders' }, true],
  ['postgres-server', 'postgres-mcp', 'execute_sql', { sql: 'select 1; drop table orders' }, true],
  ['postgres-server', 'postgres-mcp', 'execute_sql', { sql: 'select * into copy from orders' }, true],
  ['postgres-server', 'postgres-mcp', 'query', { sql: 'SELECT id\nFROM orders;' }, false],
  ['browser-server', 'playwright', 'browser_navigate', { url: 'https://docs.example.com/' }, false],
  ['browser-server', 'playwright', 'browser_navigate', { url: 'https://example.com.evil.test/' }, true],
  ['browser-server', 'playwright', 'browser_file_upload', { paths: ['/home/ada/.ssh/id_ed25519'] }, true],
])('the example %s, with %s › %s of %j: it decides: %s', (name, server, tool, args, isCovered) => {
  const verdict = decide(bookOf(galleryDocuments[name]), factsOf({ request: { server, tool, args } }));
  expect(verdict).toMatchObject({ outcome: 'require', policy: isCovered ? `${name}@1` : 'built-in@1' });
});
