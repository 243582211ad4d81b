import { describe, expect, test } from '@jest/globals';
import { decide } from '#policies/deciding/rules/decide';
import { alwaysConditions } from '#policies/language/rules/always';
import { bookOf } from '../policies.ts';
import { factsOf } from '../users.ts';

const asking = (server: string, tool: string, args: Record<string, unknown>, annotations = {}) =>
  factsOf({ request: { server, tool, args, annotations, risk: 'high' } });

const named = (...call: Parameters<typeof asking>) =>
  alwaysConditions(asking(...call)).map(({ kind, value }) => [kind, value]);

/** Would the first condition let this call run, once it is a policy? */
function lets(first: Parameters<typeof asking>, args: Record<string, unknown>): boolean {
  const [server, tool] = first;
  const [condition] = alwaysConditions(asking(...first));
  const text = `policy: a
match: { server: "${server}", tool: "${tool}" }
when: |-
  ${condition?.when.replaceAll('\n', '\n  ') ?? 'false'}
allow: { ceiling: high, until: 2027-01-01T00:00:00Z }`;
  return decide(bookOf(text), asking(server, tool, args)).outcome === 'allow';
}

const project = '/home/ada/project';
const writing = { path: `${project}/src/a.ts`, content: 'x' };

describe('always, for', () => {
  test('a folder, and those above it that are not everything', () => {
    const conditions = alwaysConditions(asking('server-filesystem', 'write_file', writing));
    const alike = ['write_file', 'edit_file', 'create_directory'];
    expect(conditions.map(({ kind, value, tools }) => [kind, value, tools])).toEqual([
      ['folder', `${project}/src`, ['write_file']],
      ['folder', project, ['write_file']],
      ['folder', `${project}/src`, alike],
      ['folder', project, alike],
    ]);
    expect(named('files', 'save', { path: '/etc/passwd' })).toEqual([['same', '']]);
    expect(named('files', 'save', { path: 'C:\\Users\\ada\\work\\a.txt' })).toEqual([
      ['folder', 'C:\\Users\\ada\\work'],
    ]);
  });

  test('a folder without what begins with a dot, unless that was asked about', () => {
    const runs = (path: string) => lets(['filesystem', 'write_file', { path: `${project}/a` }], { path });
    expect([`${project}/b/c`, `${project}/.git/hooks/x`, `${project}/b/.env`].map(runs)).toEqual([true, false, false]);
    const workflow = { path: `${project}/.github/workflows/a.yml` };
    expect(lets(['filesystem', 'write_file', workflow], { path: `${project}/.github/workflows/b.yml` })).toBe(true);
  });

  test('a folder whose name begins with a dot without more such names below, and none above it', () => {
    const ignored = ['filesystem', 'write_file', { path: `${project}/.gitignore` }] as const;
    expect(named(...ignored)).toEqual([['same', '']]);
    expect(lets([...ignored], { path: `${project}/.git/hooks/pre-commit` })).toBe(false);
    const workflow = ['filesystem', 'write_file', { path: `${project}/.github/workflows/a.yml` }] as const;
    expect([...new Set(named(...workflow).map(([, value]) => value))]).toEqual([
      `${project}/.github/workflows`,
      `${project}/.github`,
    ]);
    expect(lets([...workflow], { path: `${project}/.github/workflows/.git/config` })).toBe(false);
  });

  test.each([
    ['a home directory with a part that says nothing', '/home/ada/./a.txt'],
    ['a home directory with an empty part', '/home//ada/a.txt'],
    ['a home directory in another case', '/users/ada/a.txt'],
    ['the settings of a person', '/Users/ada/Library/a.txt'],
    ['the settings of a person on Windows', 'C:\\Users\\ada\\AppData\\Roaming\\a.txt'],
    ['a home directory on a mounted disk', '/mnt/c/Users/ada/a.txt'],
    ['Windows', 'c:\\WINDOWS\\System32\\a.dll'],
    ['a folder of the system', '/private/etc/a.conf'],
  ])('no folder that is %s', (_what, path) => {
    expect(named('filesystem', 'write_file', { path })).toEqual([['same', '']]);
  });

  test('the folder of all paths of a call', () => {
    const moving = { source: `${project}/src/a.ts`, destination: `${project}/test/a.ts` };
    expect(named('filesystem', 'move_file', moving)).toEqual([['folder', project]]);
    expect(named('filesystem', 'move_file', { ...moving, destination: '/srv/x/a.ts' })).toEqual([['same', '']]);
    expect(lets(['filesystem', 'move_file', moving], { source: `${project}/b`, destination: `${project}/c` })).toBe(
      true,
    );
    expect(
      lets(['filesystem', 'move_file', moving], { source: `${project}/b`, destination: '/home/ada/.bashrc' }),
    ).toBe(false);
    expect(
      lets(['filesystem', 'move_file', moving], { source: '/home/ada/.ssh/id', destination: `${project}/c` }),
    ).toBe(false);
  });

  test('a site', () => {
    const going = { url: 'http://localhost:3000/cart?id=7' };
    expect(named('playwright', 'browser_navigate', going)).toEqual([['site', 'http://localhost:3000']]);
    const run = (url: string) => lets(['playwright', 'browser_navigate', going], { url });
    expect(run('http://localhost:3000/help')).toBe(true);
    expect(run('http://localhost:3000@evil.example/')).toBe(false);
    expect(run(`http://localhost:3000/?q=${'a'.repeat(200)}`)).toBe(false);
    expect(run('http://localhost:3001/')).toBe(false);
  });

  test('a repository, with its owner', () => {
    const issue = { owner: 'ada', repo: 'site', title: 'Typo' };
    expect(named('server-github', 'create_issue', issue)).toEqual([['repository', 'ada/site']]);
    const run = (args: Record<string, unknown>) => lets(['server-github', 'create_issue', issue], args);
    expect(run({ ...issue, title: 'Another', body: 'Text', labels: ['bug'] })).toBe(true);
    expect(run({ ...issue, owner: 'eve' })).toBe(false);
    expect(run({ ...issue, repo: 'site2' })).toBe(false);
    expect(run({ ...issue, force: true })).toBe(false);
  });

  test('exactly one command in one folder', () => {
    const command = { command: 'npm test', cwd: project };
    expect(named('claude-code', 'Bash', command)).toEqual([['command', 'npm test']]);
    const run = (args: Record<string, unknown>) => lets(['claude-code', 'Bash', command], args);
    expect(run({ ...command, description: 'Runs the tests' })).toBe(true);
    expect(run({ ...command, command: 'npm test; curl evil.example' })).toBe(false);
    expect(run({ ...command, cwd: '/home/ada/other' })).toBe(false);
    expect(run({ ...command, dangerouslyDisableSandbox: true })).toBe(false);
  });

  test('a call without a second object, which no limit would hold', () => {
    const pdf = { path: `${project}/a.pdf`, content: 'x' };
    const printing = ['desktop-commander', 'write_pdf', pdf] as const;
    expect(lets([...printing], { ...pdf, options: {} })).toBe(true);
    expect(lets([...printing], { ...pdf, outputPath: '/home/ada/.bashrc' })).toBe(false);
    const going = { url: 'http://localhost:3000/' };
    const visiting = ['chrome-devtools', 'navigate_page', going] as const;
    expect(lets([...visiting], { ...going, pageId: 2 })).toBe(true);
    expect(lets([...visiting], { ...going, initScript: 'fetch("https://evil.example")' })).toBe(false);
    const building = ['claude-code', 'Bash', { command: 'make' }] as const;
    expect(lets([...building], { command: 'make', cwd: '/tmp/evil' })).toBe(false);
    const starting = ['desktop-commander', 'start_process', { command: 'make' }] as const;
    expect(lets([...starting], { command: 'make', timeout_ms: 5 })).toBe(true);
    expect(lets([...starting], { command: 'make', shell: '/tmp/evil' })).toBe(false);
  });

  test('a command with all that it is given, whatever that is called', () => {
    const feeding = ['exec', 'start', { command: 'sh -s', body: 'echo hello', note: 'Says hello' }] as const;
    expect(lets([...feeding], { ...feeding[2], note: 'Says hello again' })).toBe(true);
    expect(lets([...feeding], { ...feeding[2], body: 'rm -rf /' })).toBe(false);
    expect(named('db', 'run_sql', { database: 'shop', text: 'SELECT 1' })).toEqual([]);
    expect(named('runner', 'python', { cwd: project, content: 'print(1)' })).toEqual([]);
    const selling = ['broker', 'place_order', { price: 90, account: 'a' }] as const;
    expect(lets([...selling], { price: 1, account: 'a' })).toBe(false);
  });

  test('a query of an unknown tool as it is, which may be a statement', () => {
    const call = { database: 'shop', query: 'SELECT 1' };
    expect(lets(['db', 'run_query', call], call)).toBe(true);
    expect(lets(['db', 'run_query', call], { ...call, query: 'DROP TABLE orders' })).toBe(false);
  });

  test('up to an amount, to the same account', () => {
    const paying = { amount: 40, to: 'DE02', note: 'Lunch' };
    expect(named('bank', 'transfer', paying)).toEqual([['amount', '40']]);
    const run = (args: Record<string, unknown>) => lets(['bank', 'transfer', paying], args);
    expect(run({ amount: 12.5, to: 'DE02' })).toBe(true);
    expect(run({ amount: 41, to: 'DE02' })).toBe(false);
    expect(run({ amount: -41, to: 'DE02' })).toBe(false);
    expect(run({ amount: 12, to: 'DE03' })).toBe(false);
    expect(run({ amount: 12, to: 'DE02', from: 'DE09' })).toBe(false);
    expect(run({ amount: '12', to: 'DE02' })).toBe(false);
  });

  test('the same call, of a tool that no one knows', () => {
    const call = { mode: 'fast', size: 3, tags: ['a'] };
    expect(named('x', 'build', call)).toEqual([['same', '']]);
    expect(lets(['x', 'build', call], call)).toBe(true);
    expect(lets(['x', 'build', call], { ...call, tags: ['a', 'b'] })).toBe(false);
  });

  test('text with quotes, line ends and hidden characters, as it is', () => {
    const call = { mode: '"] || true\n\u202e\u0000\u{e0041}´' };
    expect(alwaysConditions(asking('x', 'build', call))[0]?.when).toContain(String.raw`\u202e`);
    expect(lets(['x', 'build', call], call)).toBe(true);
    expect(lets(['x', 'build', call], { mode: 'x' })).toBe(false);
  });
});

describe('never always, for', () => {
  test.each([
    ['what removes something', 'kubernetes', 'kubectl_delete', { name: 'web', namespace: 'prod' }, {}],
    ['what removes something by its name', 'bank', 'delete_account', { account: 'DE02' }, {}],
    ['what nothing limits', 'playwright', 'browser_click', { element: 'Save', target: 'e12' }, {}],
    ['a call without arguments', 'x', 'sync', {}, {}],
    [
      'a command that takes more commands',
      'claude-code',
      'Bash',
      { command: 'psql', cwd: project },
      { destructiveHint: true },
    ],
    [
      'such a command at a server of any name',
      'laptop',
      'Bash',
      { command: 'psql', cwd: project },
      { destructiveHint: true },
    ],
    [
      'a known tool that ends something, with one more argument',
      'kubernetes',
      'cleanup',
      { namespace: 'dev', x: 1 },
      {},
    ],
    ['a command of kubectl', 'kubernetes', 'kubectl_generic', { command: 'get', namespace: 'dev' }, {}],
    ['a manifest, which is of any namespace', 'kubernetes', 'kubectl_apply', { namespace: 'dev', manifest: '' }, {}],
    ['a file to any page', 'playwright', 'browser_file_upload', { paths: [`${project}/a`] }, {}],
    ['rm by its name', 'files', 'rm', { path: `${project}/a` }, {}],
    ['a record, which differs from every other', 'x', 'build', { options: { a: 1 } }, {}],
    ['the release of a result', 'x', 'assentry.result', { tool: 'y' }, {}],
    ['a changed definition', 'x', 'assentry.definition', { tool: 'y' }, {}],
    ['a change of who may decide', 'assentry', 'add-user', { email: 'eve@example.com' }, {}],
  ])('%s', (_what, server, tool, args, annotations) => {
    expect(named(server, tool, args, annotations)).toEqual([]);
  });
});

describe('always, for the project of a coding agent', () => {
  const title = 'Undoable in project 0f';
  const shop = { cwd: '/home/ada/shop', command: 'npm test' };
  const undoable = { title, readOnlyHint: false, destructiveHint: false };
  const medium = (server: string, tool: string, args: Record<string, unknown>, annotations = {}) =>
    factsOf({ request: { server, tool, args, annotations, risk: 'medium' } });
  const rule = (annotations = {}, server = 'claude-code') =>
    alwaysConditions(medium(server, 'Bash', shop, annotations)).find(({ kind }) => kind === 'project');

  test('is offered for what can be undone, and holds for the other tools that change its files', () => {
    const condition = rule(undoable);
    expect(condition).toMatchObject({
      value: '/home/ada/shop',
      tools: expect.arrayContaining(['Bash', 'Edit', 'Write']),
    });
    const book = bookOf(`policy: a
match: { server: claude-code, tool: ${JSON.stringify(condition?.tools)} }
when: |-
  ${condition?.when.replaceAll('\n', '\n  ')}
allow: { ceiling: medium, until: 2027-01-01T00:00:00Z }`);
    const runs = (annotations: object, cwd = shop.cwd, tool = 'Edit', server = 'claude-code') =>
      decide(book, medium(server, tool, { cwd, file_path: 'a' }, annotations)).outcome === 'allow';
    expect([runs(undoable), runs(undoable, '/home/ada/shop/src', 'Bash')]).toEqual([true, true]);
    expect([
      runs({ ...undoable, title: 'Undoable in project 10' }), // other scripts, or another project
      runs({ readOnlyHint: false, destructiveHint: false }),
      runs({}),
      runs(undoable, '/home/ada/other'),
      runs(undoable, shop.cwd, 'WebFetch'),
      runs(undoable, shop.cwd, 'Edit', 'codex'),
    ]).toEqual([false, false, false, false, false, false]);
  });

  test('is not offered for anything else, nor by a server that only says so', () => {
    expect([rule(), rule({ ...undoable, destructiveHint: true }), rule({ ...undoable, title: 'Undoable' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(rule(undoable, 'files')).toBeUndefined();
  });
});
