import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adapters } from '#gateway/harness/adapters/adapters';
import { hintsOf, type CallHints } from '#gateway/harness/judge-event';
import { readProject } from '#gateway/harness/project';
import { newFolder } from '../../support/new-folder.ts';
import type { Call } from './coding-hours.ts';

/** A project like many: sources, packages, a repository, and links and files that lead to what is not its own. */
export function newShop(root = realpathSync(newFolder('shop'))): string {
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
    justfile: 'all:\n',
    'Taskfile.yml': 'version: 3\n',
    'Cargo.toml': '',
    'go.mod': '',
    'pyproject.toml': '',
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
  for (const name of ['tsc', 'eslint', 'prettier', 'jest', 'vitest', 'mocha', 'oxlint', 'biome', 'rimraf'])
    write(root, `node_modules/.bin/${name}`, '');
  write(outside, 'passwd', 'x');
  symlinkSync(outside, path.join(root, 'out'));
  symlinkSync('.env', path.join(root, 'env-link'));
  return root;
}

export function write(root: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

export const git = (root: string, ...words: string[]): void =>
  void execFileSync('git', words, { cwd: root, env: { PATH: process.env['PATH'], HOME: root } });

interface Circumstances {
  cwd?: string;
  variables?: Record<string, string>;
  /** Null if the agent names no project. */
  project?: string | null;
}

export function hintsIn(root: string, [tool, input]: Call, circumstances: Circumstances = {}): CallHints {
  const { cwd = root, variables = {}, project = root } = circumstances;
  const event = {
    hook_event_name: 'PreToolUse' as const,
    session_id: 's',
    cwd,
    tool_name: tool,
    tool_input: JSON.parse(JSON.stringify(input).replaceAll('"P/', `"${root}/`)) as Record<string, unknown>,
  };
  const place = {
    home: '/home/ada',
    project: project ?? undefined,
    variables: { PATH: '/usr/bin:/bin', HOME: '/home/ada', ...variables },
  };
  return hintsOf(event, readProject(event, place), adapters['claude-code'].tools);
}

export const bash = (command: string): Call => ['Bash', { command }];

export function effectOf({ annotations }: CallHints): 'reads' | 'undoable' | 'harms' | 'unknown' {
  if (annotations?.readOnlyHint === true) return 'reads';
  if (annotations?.destructiveHint === true) return 'harms';
  return annotations?.destructiveHint === false ? 'undoable' : 'unknown';
}

export const effectIn = (root: string, command: string, circumstances?: Circumstances) =>
  effectOf(hintsIn(root, bash(command), circumstances));
