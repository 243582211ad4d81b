import { beforeAll, describe, expect, test } from '@jest/globals';
import { harmingCommands } from '#gateway/known-tools/harming-commands';
import { projectCommands } from '#gateway/known-tools/project-commands';
import { readingCommands, readingGit, readingSubcommands } from '#gateway/known-tools/reading-commands';
import { harmsOf } from '#gateway/harness/shell/harms';
import { effectIn, newShop } from './shop.ts';

let root: string;
beforeAll(() => {
  root = newShop();
});

/** For each row, what it lets run and what it does not. */
const reading: Record<string, [free: string, stopped: string]> = {
  ls: ['ls -la src', 'ls -L src'],
  cat: ['cat -n a.txt', 'cat --help-me a.txt'],
  head: ['head -n 5 a.txt', 'head -x a.txt'],
  tail: ['tail -5 a.txt', 'tail -f a.txt'],
  wc: ['wc -l a.txt', 'wc --files0-from=a.txt'],
  nl: ['nl -b a a.txt', 'nl -q a.txt'],
  tac: ['tac a.txt', 'tac -s x a.txt'],
  rev: ['rev a.txt', 'rev -x a.txt'],
  cut: ['cut -d: -f1 a.txt', 'cut -x a.txt'],
  tr: ['tr a b < a.txt', 'tr --x a b'],
  sort: ['sort -rn a.txt', 'sort -o a.txt a.txt'],
  uniq: ['uniq -c a.txt', 'uniq a.txt -c'],
  comm: ['comm -12 a.txt README.md', 'comm --x a.txt README.md'],
  column: ['column -t a.txt', 'column -x a.txt'],
  cmp: ['cmp -s a.txt README.md', 'cmp --x a.txt README.md'],
  diff: ['diff -u a.txt README.md', 'diff --from-file=/etc/hosts a.txt'],
  grep: ['grep -n a a.txt', 'grep -f a.txt a.txt'],
  egrep: ['egrep a a.txt', 'egrep -f a.txt a.txt'],
  fgrep: ['fgrep a a.txt', 'fgrep -R a src'],
  rg: ['rg -n a src', 'rg --pre id a src'],
  find: ['find src -name "*.ts"', 'find src -delete'],
  sed: ["sed -n '1,3p;9p' a.txt", 'sed -i s/a/b/ a.txt'],
  awk: ["awk '{print $1}' a.txt", "awk '{print > 1}' a.txt"],
  jq: ["jq '.a.b' package.json", 'jq -f a.jq package.json'],
  file: ['file a.txt', 'file -C -m a.txt'],
  stat: ['stat a.txt', 'stat -x- a.txt'],
  du: ['du -sh src', 'du --files0-from=a.txt'],
  df: ['df -h', 'df --x'],
  tree: ['tree -L 2 src', 'tree -o a.txt'],
  basename: ['basename src/a.ts', 'basename -x a'],
  dirname: ['dirname src/a.ts', 'dirname -x a'],
  realpath: ['realpath src', 'realpath -x src'],
  readlink: ['readlink -f src', 'readlink -x src'],
  md5sum: ['md5sum a.txt', 'md5sum -c a.txt'],
  sha1sum: ['sha1sum a.txt', 'sha1sum -c a.txt'],
  sha256sum: ['sha256sum a.txt', 'sha256sum --check a.txt'],
  cksum: ['cksum a.txt', 'cksum -c a.txt'],
  xxd: ['xxd -l 16 a.txt', 'xxd a.txt -p'],
  pwd: ['pwd -P', 'pwd src'],
  date: ['date -u +%F', 'date 01010101'],
  whoami: ['whoami', 'whoami x'],
  uname: ['uname -a', 'uname x'],
  nproc: ['nproc', 'nproc x'],
  uptime: ['uptime', 'uptime x'],
  which: ['which node', 'which --x node'],
  type: ['type node', 'type --x'],
  echo: ['echo "--- a"', 'echo a > .x'],
  true: ['ls || true', 'true --x'],
  false: ['false', 'false --x'],
  sleep: ['sleep 1', 'sleep --x'],
  seq: ['seq 1 3', 'seq --x 1'],
  test: ['test -f a.txt', 'test -f /etc/hosts'],
};
const readingByGit: Record<string, [free: string, stopped: string]> = {
  status: ['-s', '-vv'],
  log: ['--oneline -5', '--output=a.txt'],
  diff: ['HEAD -- src/a.ts', '--no-index a b'],
  show: ['HEAD:src/a.ts', 'HEAD:.env'],
  'stash show': ['-p', '--x'],
  'stash list': ['', '--output=a.txt'],
  blame: ['src/a.ts', '--contents=/etc/hosts a.txt'],
  grep: ['-n a', '-O a'],
  branch: ['-a', 'main --delete'],
  tag: ['-l', 'v1'],
  remote: ['-v', 'add x y'],
  'worktree list': ['', 'x'],
  reflog: ['-5', 'expire --all'],
  'reflog show': ['main', '--output=a.txt'],
  shortlog: ['-sn HEAD', '--output=a.txt'],
  describe: ['--tags', '--x'],
  'rev-parse': ['--short HEAD', '--parseopt'],
  'rev-list': ['--count HEAD', '--filter=x HEAD'],
  'merge-base': ['HEAD main', '--x'],
  'ls-files': ['-m', '--x'],
  'ls-tree': ['-r HEAD', '--x HEAD'],
  'check-ignore': ['-v a.txt', '--stdin'],
  'count-objects': ['-v', 'x'],
  'show-ref': ['--heads', '--delete'],
};
const readingBySubcommands: Record<string, [free: string, stopped: string]> = {
  'command -v': ['jq', '--x'],
  'command -V': ['jq', '--x'],
  'npm ls': ['zod', '--prefix=/tmp'],
  'npm list': ['--depth=0', '-g --x'],
  'npm explain': ['zod', '--prefix=/tmp'],
  'npm why': ['zod', '--prefix=/tmp'],
  'npm root': ['', 'x'],
  'npm run': ['', '--prefix=/tmp'],
  'npm pkg get': ['name', '--prefix=/tmp'],
  'pip list': ['', '--x'],
  'pip show': ['zod', '--x'],
};
const inProject: Record<string, [undoable: string, stopped: string][]> = {
  npm: [['npm run -s build', 'npm run build --prefix /tmp']],
  yarn: [['yarn test', 'yarn run rimraf src']],
  pnpm: [['pnpm test', 'pnpm -C /tmp test']],
  bun: [['bun test', 'bun run rm a.txt']],
  npx: ['tsc', 'eslint', 'prettier', 'jest', 'vitest', 'mocha', 'oxlint', 'biome'].map((name) => [
    `npx ${name} src`,
    `npx ${name} ../x`,
  ]),
  make: [['make -s all', 'make -C /tmp']],
  just: [['just all', 'just -f /tmp/x']],
  task: [['task all', 'task -t /tmp/x']],
  cargo: [['cargo test', 'cargo test --manifest-path /tmp/x']],
  go: [['go test ./...', 'go test -exec=id ./...']],
  pytest: [['pytest -q', 'pytest -c /tmp/x']],
  ruff: [['ruff check src', 'ruff check --config /tmp/x']],
  black: [['black src', 'black ../x']],
  mypy: [['mypy src', 'mypy /tmp/x']],
  git: [
    ['git add src/a.ts', 'git add .env'],
    ['git commit -am "a; b"', 'git commit --amend'],
    ['git mv src/a.ts src/c.ts', 'git mv -f src/a.ts src/b.ts'],
    ['git switch -c topic', 'git switch --discard-changes main'],
    ['git checkout -b topic', 'git checkout src/a.ts'],
    ['git branch topic', 'git branch -f main'],
  ],
  mkdir: [['mkdir -p src/x/y', 'mkdir -m 777 x']],
  touch: [['touch src/x.ts', 'touch -r /etc/hosts x']],
  mv: [['mv src/a.ts src/c.ts', 'mv -f src/a.ts src/b.ts']],
  cp: [['cp src/a.ts src/c.ts', 'cp src/a.ts src/b.ts']],
};

const names = (table: object): string[] => Object.keys(table).toSorted();
const rows = (table: Record<string, [string, string]>, before = ''): [string, string][] =>
  Object.entries(table).map(([name, [free, stopped]]) =>
    before === '' ? [free, stopped] : [`${before} ${name} ${free}`.trim(), `${before} ${name} ${stopped}`],
  );

test('every row has an example', () => {
  expect(names(reading)).toEqual(names(readingCommands));
  expect(names(readingByGit)).toEqual(names(readingGit));
  expect(names(readingBySubcommands)).toEqual(names(readingSubcommands));
  expect(names(inProject)).toEqual(names(projectCommands));
  for (const [name, commands] of Object.entries(projectCommands)) expect(inProject[name]).toHaveLength(commands.length);
});

test.each([
  ...rows(reading),
  ...rows(readingByGit, 'git'),
  ...Object.entries(readingBySubcommands).map(([name, [free, stopped]]) => [
    `${name} ${free}`.trim(),
    `${name} ${stopped}`,
  ]),
])('%s only reads, and %s is asked about', (free, stopped) => {
  expect([effectIn(root, free), ['harms', 'unknown'].includes(effectIn(root, stopped))]).toEqual(['reads', true]);
});

test.each(Object.values(inProject).flat())('%s can be undone, and %s is asked about', (undoable, stopped) => {
  const effect = effectIn(root, undoable);
  expect([effect, ['harms', 'unknown'].includes(effectIn(root, stopped))]).toEqual(['undoable', true]);
});

describe('what destroys or sends', () => {
  const words = (text: string): string =>
    (/^\w[\w.-]*/.exec(text.split('|')[0]?.replace('.*', 'disk') ?? '') ?? ['x'])[0];
  const forms =
    '--recursive -R of=x -delete -r -c -f --hard -- -D drop expire -d remove -XPOST --post-data=x POST host:x --delete prune rm delete create DROP flushall reset'.split(
      ' ',
    );

  test.each(
    Object.entries(harmingCommands).flatMap(([program, all]) => all.map((row, at) => [program, at, row] as const)),
  )('%s %i is high, and says what it does', (program, at, row) => {
    const name = row.words === undefined ? '' : ` ${words(row.words)}`;
    const lines = row.with === undefined ? [`${program}${name} x`] : forms.map((form) => `${program}${name} ${form} x`);
    const says = new RegExp(`^${row.says.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+')}$`, 's');
    expect([at, lines.some((line) => harmsOf(line, {}).some((phrase) => says.test(phrase)))]).toEqual([at, true]);
  });
});
