import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adapters } from '#gateway/harness/adapters/adapters';
import { hintsOf, type CallHints } from '#gateway/harness/judge-event';
import { readProject } from '#gateway/harness/project';
import type { HookEvent } from '#gateway/harness/adapters/hook-event';
import { newFolder } from '../../support/new-folder.ts';
import { firstHour, harmfulLines, secondHour, type Call } from './coding-hours.ts';

const variables = { PATH: '/usr/bin:/bin', HOME: '/home/ada' };

/** A project like many: sources, packages, a repository, and links and files that lead to what is not its own. */
function newProject(): string {
  const root = realpathSync(newFolder('shop'));
  const outside = newFolder('outside');
  const files: Record<string, string> = {
    'package.json': '{"scripts":{"test":"jest","build":"tsc"}}',
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
    'README.md': '# Shop\n',
    '.gitignore': 'node_modules\n.env\n.npmrc\ndist\n',
    'src/a.ts': 'a',
    'src/a.test.ts': 'a',
    'src/b.ts': 'b',
    Makefile: 'all:\n',
    'a.txt': 'a',
  };
  for (const [file, text] of Object.entries(files)) write(root, file, text);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'First');
  write(root, '.env', 'KEY=1');
  write(root, '.npmrc', 'token');
  write(root, 'untracked.txt', 'x');
  write(root, 'dist/a.js', 'x');
  write(root, 'node_modules/zod/package.json', '{}');
  for (const name of ['tsc', 'eslint', 'prettier', 'jest', 'rimraf']) write(root, `node_modules/.bin/${name}`, '');
  write(outside, 'passwd', 'x');
  symlinkSync(outside, path.join(root, 'out'));
  symlinkSync('.env', path.join(root, 'env-link'));
  return root;
}

function write(root: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
const git = (root: string, ...words: string[]): void =>
  void execFileSync('git', words, { cwd: root, env: { PATH: process.env['PATH'], HOME: root } });

const hintsIn = (root: string, [tool, input]: Call, cwd = root, more: Record<string, string> = {}): CallHints => {
  const text = JSON.stringify(input).replaceAll('"P/', `"${root}/`);
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd,
    tool_name: tool,
    tool_input: JSON.parse(text) as Record<string, unknown>,
  } satisfies HookEvent;
  const facts = readProject(event, { home: '/home/ada', project: root, variables: { ...variables, ...more } });
  return hintsOf(event, facts, adapters['claude-code'].tools);
};
const effectOf = ({ annotations }: CallHints): 'reads' | 'undoable' | 'harms' | 'unknown' => {
  if (annotations?.readOnlyHint === true) return 'reads';
  if (annotations?.destructiveHint === true) return 'harms';
  return annotations?.destructiveHint === false ? 'undoable' : 'unknown';
};
const bash = (command: string): Call => ['Bash', { command }];
const effectIn = (root: string, command: string, cwd = root, more = {}) =>
  effectOf(hintsIn(root, bash(command), cwd, more));

let root: string;
beforeAll(() => {
  root = newProject();
});

/** Calls that people are asked about; what can be undone is asked once, as a rule for the project then holds. */
function askedIn(hour: readonly Call[]): string[] {
  const project = newProject();
  const titles = new Set<string>();
  const asked: string[] = [];
  for (const call of hour) {
    const hints = hintsIn(project, call);
    const effect = effectOf(hints);
    const title = hints.annotations?.title ?? '';
    if (effect !== 'reads' && !(effect === 'undoable' && titles.has(title))) asked.push(`${effect}: ${nameOf(call)}`);
    if (effect === 'undoable') titles.add(title);
    carryOut(project, call);
  }
  return asked;
}
const nameOf = ([tool, input]: Call): string => String(input['command'] ?? tool);

/** Later calls find what earlier ones made. */
function carryOut(project: string, [tool, input]: Call): void {
  const { command, file_path: file, content } = input;
  if (tool === 'Write') write(project, String(file).slice(2), String(content));
  if (typeof command !== 'string' || !/^(?:mkdir|mv|git add|git switch)/.test(command)) return;
  execFileSync('bash', ['-c', command.replaceAll('commit', '-c user.name=A -c user.email=a@b.example commit')], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: project },
    stdio: 'ignore',
  });
}

describe('an hour of a coding agent', () => {
  test('that is ordinary asks at most ten times in forty calls', () => {
    const asked = askedIn(firstHour);
    expect(firstHour).toHaveLength(40);
    expect(asked).toEqual([]);
  });

  test('that mends a mistake asks at most for a quarter of sixty calls', () => {
    const asked = askedIn(secondHour);
    expect(secondHour).toHaveLength(60);
    expect(asked).toEqual([]);
  });
});

test.each(harmfulLines)('%j is asked about', (line) => {
  expect(['harms', 'unknown']).toContain(effectIn(root, line));
});
void chmodSync;
