import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileCondition } from '#policies/language/rules/expression';
import { runsOnly } from '#policies/language/rules/cel';
import { parsePolicies, parsePolicy } from '#policies/language/rules/parse';
import { runs } from '../../support/runs.ts';

const starts = ['npm test', 'git status', 'git diff', 'git log', 'ls', 'grep'];

test.each([
  'npm test',
  'npm test -- --runInBand test/a.test.ts',
  '  git   status ',
  'git status && npm test',
  'git status; npm test;',
  'git log -1 --format=%H | grep abc',
  'git status || git log',
  `grep "a b" 'c;d' src/a.ts`,
  "grep '$(x)' a",
  'git diff HEAD~1'.replace('~', '@'),
  'ls -la /srv/ä',
])('%j runs only what is listed', (line) => expect(runsOnly(line, starts)).toBe(true));

test.each([
  '',
  ' ',
  'npm',
  'npm testing',
  'npm run test',
  'git push',
  'git -C /x status',
  'npm test; rm -rf ~',
  'npm test && curl x | sh',
  'npm test\nrm -rf /',
  'npm test & rm x',
  'npm test |& tee x',
  'npm test | tee x',
  'git status $(touch pwn)',
  'git status `touch pwn`',
  'git status "$(touch pwn)"',
  'git status $HOME',
  'git status > a',
  'git status 2>&1',
  'git log < a',
  'grep a <(sh)',
  '(npm test)',
  '{ npm test; }',
  'npm test #',
  'ls ~',
  'ls *',
  'ls \\x',
  'ls !x',
  "ls 'a",
  'ls "a',
  'FOO=bar npm test',
  'sudo npm test',
  'env npm test',
  'git diff --output=src/a.ts',
  'git diff --output src/a.ts',
  'git log --exec=x',
  'git diff --ext-diff',
  'git status -c core.pager=x',
  'npm test --script-shell=x',
  'ls && ',
  '&& ls',
  'ls ;; ls',
  'ls\u0000',
  'ls\u200b',
  'ls\u00a0x',
])('%j may run something else', (line) => expect(runsOnly(line, starts)).toBe(false));

test('an option that the list names is no other program', () => {
  expect(runsOnly('git -C /srv/shop status -s', ['git -C /srv/shop status'])).toBe(true);
});

test('whatever a shell reads is put into a line, the line may run something else', () => {
  const reads = fc.constantFrom(
    '$(id)',
    '`id`',
    '$x',
    '>a',
    '<a',
    '\n',
    '&',
    '(id)',
    '{id',
    '*',
    '?',
    '[a]',
    '~',
    '#',
    '\\',
    '!',
  );
  const listed = fc.constantFrom('npm test', 'git status', 'ls', 'grep a b');
  const others = fc.constantFrom('rm -rf x', 'sh', 'curl x', 'npm', 'git', 'env ls', 'x=1 ls');
  const joint = fc.constantFrom(' && ', '; ', ' | ', ' || ');
  fc.assert(
    fc.property(listed, joint, reads, others, fc.nat(), (line, join, sign, other, at) => {
      expect(runsOnly(`${line}${join}${line}`, starts)).toBe(true);
      expect(runsOnly(`${line}${join}${other}`, starts)).toBe(false);
      expect(runsOnly(`${other}${join}${line}`, starts)).toBe(false);
      const place = at % (line.length + 1);
      expect(runsOnly(line.slice(0, place) + sign + line.slice(place), starts)).toBe(false);
    }),
    { numRuns: runs(4_000) },
  );
});

describe('the commands of runsOnly', () => {
  const refusalOf = (text: string): string | null => {
    const compiled = compileCondition(text, 'request');
    return compiled.ok ? null : compiled.message;
  };

  test('are a list of literal texts', () => {
    expect(refusalOf('runsOnly(request.args.command, ["npm test"])')).toBeNull();
    expect(refusalOf('runsOnly(request.args.command, request.args.allowed)')).toContain('literal');
    expect(refusalOf('runsOnly(request.args.command, [request.args.first])')).toContain('literal');
    expect(refusalOf('runsOnly(request.args.command, [])')).toContain('literal');
  });

  test.each(['', 'a; b', '$x', 'ls > a', 'a | b'])('are the first words of one: %j', (start) =>
    expect(refusalOf(`runsOnly(request.args.command, [${JSON.stringify(start)}])`)).toContain('first words'),
  );
});

const command = 'request.args.command';
const parts = [
  `${command}.startsWith("npm test")`,
  `${command}.contains("npm")`,
  `${command}.endsWith("test")`,
  `re2(${command}, "^git (log|diff)")`,
  `like(${command}, "git *")`,
  `request.args["command"].startsWith("a")`,
  `${command}.trim().lowerAscii().startsWith("a")`,
  `request.args.cmd.startsWith("a")`,
  `string(request.args.script).contains("a")`,
  `!${command}.contains("rm")`,
  `request.args.all(name, request.args[name].startsWith("a"))`,
  `has(${command}) && (${command} == "a" || ${command}.startsWith("b"))`,
];
const policyOf = (when: string, rest = 'allow: {}'): string =>
  `policy: a\nmatch: { server: claude-code, tool: Bash }\nwhen: ${JSON.stringify(when)}\n${rest}\n`;

describe.each(parts)('%s', (when) => {
  test('allows no shell command in a new policy, and is named with its place', () => {
    for (const parsed of [parsePolicies(policyOf(when)), parsePolicy(policyOf(when), { isNew: true })]) {
      expect(parsed).toMatchObject({ ok: false, errors: [{ path: ['when'], line: 3 }] });
      expect(JSON.stringify(parsed)).toContain('Use runsOnly(');
    }
  });

  test('allows none in one of several rules', () => {
    const rules = `rules:\n  - { when: ${JSON.stringify(when)}, allow: {} }\n  - { deny: { reason: No. } }\n`;
    const parsed = parsePolicies(`policy: a\nmatch: { tool: Bash }\n${rules}`);
    expect(parsed).toMatchObject({ ok: false, errors: [{ path: ['rules', 0, 'when'] }] });
  });

  test('keeps what it says in a version that is in force, and may deny or require', () => {
    expect(parsePolicy(policyOf(when)).ok).toBe(true);
    expect(parsePolicies(policyOf(when, 'deny: { reason: No. }')).ok).toBe(true);
  });
});

test.each([
  'request.args.path.startsWith("/srv")',
  `${command} == "npm test"`,
  `runsOnly(${command}, ["npm test"]) && request.args.cwd == "/srv/shop"`,
])('%s may allow', (when) => expect(parsePolicies(policyOf(when)).ok).toBe(true));
