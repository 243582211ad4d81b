/**
 * A command that runs tasks of the project, or changes only what git or a second command undoes. It is believed in the root of the project, with
 * words that name nothing outside.
 */
export interface ProjectCommand {
  /** First words behind the program; any of `a|b`. */
  words?: string;
  /** Options that it may have before `--`; without it, any that names nothing outside. */
  options?: RegExp;
  /** It must have a word of this form. */
  needs?: RegExp;
  /** Files of which one must be in the project: they say what runs. */
  definedBy?: readonly string[];
  /** The project brings the program itself. */
  isOwn?: true;
  /** Most operands. */
  most?: number;
  /** What its operands are: names of tasks, or files. */
  operands: 'names' | 'tracked' | 'new' | 'moved' | 'any' | 'none';
}

const npmOptions = /^(?:-s|--silent|--if-present)$/;
const node = ['package.json'] as const;
const python = ['pyproject.toml', 'pytest.ini', 'tox.ini', 'setup.cfg', 'setup.py'] as const;
const make = ['Makefile', 'makefile', 'GNUmakefile'] as const;
/** Options of checkers, formatters and test runners that take no code, write nowhere else, and end. */
export const usualOptions =
  /^(?:--(?:no-?emit|pretty|check|write|fix|quiet|silent|verbose|coverage|bail|ci|run-?in-?band|pass-?with-?no-?tests|no-color|color|cache|list-different|max-warnings|ext|project|test-?path-?patterns?|test-?name-?pattern|max-?workers|run|incremental|build|skip-?lib-?check|deny-warnings|update(?:-?snapshot)?|detect-?open-?handles|force-?exit|tb|maxfail|lf|ff|strict|diff|changed|only-?changed|find-?related-?tests|grep|if-present)(?:=.*)?|-[bikpqstuvwx]|-qq|-vv|-vvv)$/i;
/** Names of tasks that send or destroy something. */
export const reachingTask =
  /deploy|publish|release|push|upload|ship|prod|reset|drop|destroy|delete|clean|prune|purge|wipe|migrat|seed|sync|send|install|login/i;

/** Commands by their programs. */
export const projectCommands: Readonly<Record<string, readonly ProjectCommand[]>> = {
  npm: [{ words: 'test|t|tst|run|run-script|start', options: npmOptions, definedBy: node, operands: 'names' }],
  // By `run`, yarn and bun also start any program.
  yarn: [{ words: 'test|build|lint', options: npmOptions, definedBy: node, operands: 'names' }],
  pnpm: [{ words: 'test|run|build|lint', options: npmOptions, definedBy: node, operands: 'names' }],
  bun: [{ words: 'test', options: npmOptions, definedBy: node, operands: 'names' }],
  npx: ['tsc', 'eslint', 'prettier', 'jest', 'vitest', 'mocha', 'oxlint', 'biome'].map((words) => ({
    words,
    options: usualOptions,
    definedBy: node,
    isOwn: true,
    operands: 'any',
  })),
  make: [{ options: /^(?:-s|-k|-B|-n|-j\d*|--silent|--keep-going|--dry-run)$/, definedBy: make, operands: 'names' }],
  just: [{ options: /^(?:-l|--list|-q|--quiet)$/, definedBy: ['justfile', 'Justfile'], operands: 'names' }],
  task: [{ options: /^(?:-l|--list|-s|--silent)$/, definedBy: ['Taskfile.yml', 'Taskfile.yaml'], operands: 'names' }],
  cargo: [
    {
      words: 'build|check|test|clippy|fmt|doc',
      options:
        /^(?:-q|-v|-p|--(?:quiet|verbose|release|all|lib|bins|tests|workspace|all-targets|all-features|no-run|check|offline|locked|frozen|nocapture))$/,
      definedBy: ['Cargo.toml'],
      operands: 'names',
    },
  ],
  go: [
    {
      words: 'build|test|vet|fmt',
      options: /^-(?:v|race|short|cover|count=\d+|run|bench|timeout=?\w*)$/,
      definedBy: ['go.mod'],
      operands: 'names',
    },
  ],
  pytest: [{ options: usualOptions, definedBy: python, operands: 'any' }],
  ruff: [{ words: 'check|format', options: usualOptions, definedBy: python, operands: 'any' }],
  black: [{ options: usualOptions, definedBy: python, operands: 'any' }],
  mypy: [{ options: usualOptions, definedBy: python, operands: 'any' }],
  git: [
    { words: 'add|stage', options: /^(?:-A|--all|-u|--update|-v|-N)$/, operands: 'any' },
    {
      words: 'commit',
      options: /^(?:-m|-a|-am|-q|-v|-s|--message|--all|--quiet|--signoff|--allow-empty)$/,
      operands: 'names',
    },
    { words: 'mv', operands: 'moved', options: /^(?:-v|-k)$/ },
    { words: 'switch', options: /^(?:-c|--create)$/, needs: /^(?:-c|--create)$/, operands: 'names', most: 1 },
    { words: 'checkout', options: /^-b$/, needs: /^-b$/, operands: 'names', most: 1 },
    { words: 'branch', options: /^(?:-q)$/, operands: 'names' },
  ],
  mkdir: [{ options: /^(?:-p|-v|-pv|--parents)$/, operands: 'new' }],
  touch: [{ options: /^-c$/, operands: 'new' }],
  mv: [{ options: /^(?:-n|-v|-nv)$/, operands: 'moved' }],
  cp: [{ options: /^(?:-n|-v|-p)$/, operands: 'moved' }],
};

/**
 * Files of a project's root that say what its commands run. A rule for a project holds as long as none of them changes.
 */
export const definingFiles = [
  ...new Set(Object.values(projectCommands).flatMap((commands) => commands.flatMap(({ definedBy = [] }) => definedBy))),
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'bunfig.toml',
  'build.rs',
  'conftest.py',
  '.cargo/config.toml',
  '.git/config',
  '.gitattributes',
  '.pre-commit-config.yaml',
  '.envrc',
];
