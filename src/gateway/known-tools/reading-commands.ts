/** What the words of a command that are no options name. */
type Operands =
  | 'paths'
  /** The first one is a text, unless `-e` gives it; the rest are paths. */
  | 'pattern'
  | 'texts'
  /** Texts, also those that look like options. */
  | 'anything'
  | 'none'
  /** Paths, then tests of `find`. */
  | 'tests'
  /** Revisions or paths, or both in one word. */
  | 'revisions';

/** A command that only reads with these options. Any other option may write, send, or start a program. */
export interface ReadingCommand {
  /** Options of one letter without a value. */
  flags?: string;
  /** Options of one letter with a value. */
  values?: string;
  /** Long options, with or without `=` and a value. */
  long?: readonly string[];
  /** Long options whose value may be the next word. */
  longValues?: readonly string[];
  operands: Operands;
  /** Most operands: the next one would be written to. */
  most?: number;
  /** Its options end with the first operand: what looks like an option behind it is a file. */
  isOrdered?: true;
  /** A program in the first operand, which must be one of these. */
  program?: RegExp;
  /** It shows what files contain or contained whose names the line does not say. */
  shows?: 'history';
  /** It also shows folders with all that is in them, by these options or always. */
  searches?: 'always' | RegExp;
  /** Names that it leaves out when it searches. */
  skips?: RegExp;
  /** It follows no links. */
  staysHere?: true;
}

/** Without brackets, in which a `/` would end nothing. */
const sedPart = String.raw`(?:[^\/\\\n[]|\\[^\n])*`;
const sedPlace = String.raw`(?:\d+|\$|\/${sedPart}\/)`;
const sedStep = String.raw`(?:${sedPlace}(?:,(?:\+?\d+|\$|\/${sedPart}\/))?)?\s*(?:[pdq=]|s\/${sedPart}\/${sedPart}\/[gpI\d]*)`;

/** `>` writes, but not at the beginning, where it compares. The words run something, or read what the line does not name. */
const awkOnlyReads =
  /^(?:\s*(?:NR|NF|\$\d+)\s*>\s*\d+)?(?:(?!system|getline|\\\n|ENVIRON|PROCINFO|ARG[VC]|SYMTAB|FUNCTAB|load|include)(?:[^>|@`]|>=))*$/s;
const jqOnlyReads =
  /^(?!.*(?:\benv\b|\$ENV|\binput|\bimport\b|\binclude\b|\bdebug\b|\bstderr\b|\$__|modulemeta|get_search_list)).*$/s;

const grep: ReadingCommand = {
  flags: 'abcEFGHhiIlLnoqsvwxyzZPr0123456789',
  values: 'ABCem',
  long: 'color colour count ignore-case line-number recursive files-with-matches no-messages files-without-match only-matching quiet with-filename no-filename word-regexp line-regexp invert-match extended-regexp fixed-strings perl-regexp text null'.split(
    ' ',
  ),
  longValues: ['include', 'exclude', 'exclude-dir', 'after-context', 'before-context', 'max-count', 'regexp'],
  operands: 'pattern',
  searches: /^-\w*r|^--recursive/,
};
const lines = { values: 'nc', flags: 'qvz0123456789', long: ['lines', 'bytes', 'quiet', 'verbose'] } as const;
const sums: ReadingCommand = { flags: 'bt', long: ['tag', 'binary', 'text'], operands: 'paths' };

/** Commands by their names. */
export const readingCommands: Readonly<Record<string, ReadingCommand>> = {
  ls: {
    flags: 'aAbBcCdFfgGhHiklmnNopqQrRsStTuUvxXZ1@',
    long: 'all almost-all color directory human-readable recursive reverse size sort time classify full-time group-directories-first inode ignore format time-style file-type'.split(
      ' ',
    ),
    operands: 'paths',
  },
  cat: { flags: 'AbeEnstTuv', long: ['number', 'show-all', 'squeeze-blank'], operands: 'paths' },
  head: { ...lines, operands: 'paths' },
  tail: { ...lines, operands: 'paths' },
  wc: { flags: 'clLmw', long: ['lines', 'words', 'bytes', 'chars', 'max-line-length'], operands: 'paths' },
  nl: { flags: '', values: 'bnsvw', operands: 'paths' },
  tac: { operands: 'paths' },
  rev: { operands: 'paths' },
  cut: { flags: 's', values: 'bcdf', long: ['complement', 'delimiter', 'fields'], operands: 'paths' },
  tr: { flags: 'cCdst', operands: 'texts' },
  sort: { flags: 'bdfgiMhnRrVcCsuz', values: 'kt', operands: 'paths' },
  uniq: { flags: 'cdDiu', values: 'fsw', operands: 'paths', most: 1, isOrdered: true },
  comm: { flags: '123', operands: 'paths' },
  column: { flags: 't', values: 's', operands: 'paths' },
  cmp: { flags: 'bls', operands: 'paths' },
  diff: {
    flags: 'abBcdeEiNpqrstTuwy0123456789',
    values: 'U',
    long: ['brief', 'color', 'unified', 'side-by-side', 'ignore-all-space', 'recursive', 'stat', 'strip-trailing-cr'],
    operands: 'paths',
    searches: 'always',
  },
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    flags: 'cFHiIlnNoqsSvwxU0',
    values: 'ABCegmtT',
    long: 'count files files-with-matches fixed-strings heading no-heading ignore-case line-number multiline only-matching smart-case word-regexp stats json no-filename'.split(
      ' ',
    ),
    longValues: 'glob max-count sort type color context after-context before-context max-depth type-not regexp'.split(
      ' ',
    ),
    operands: 'pattern',
    searches: 'always',
    skips: /^\./,
    staysHere: true,
  },
  find: { operands: 'tests' },
  sed: {
    flags: 'nEr',
    operands: 'pattern',
    program: new RegExp(String.raw`^${sedStep}(?:\s*;\s*${sedStep})*;?$`),
  },
  awk: { values: 'F', operands: 'pattern', program: awkOnlyReads, isOrdered: true },
  jq: {
    flags: 'acCeMnrsSj',
    long: ['raw-output', 'compact-output', 'exit-status', 'slurp', 'sort-keys', 'tab', 'null-input'],
    operands: 'pattern',
    program: jqOnlyReads,
  },
  file: { flags: 'bhiLN', long: ['brief', 'mime', 'mime-type'], operands: 'paths' },
  stat: { flags: 'Lltx', values: 'cf', long: ['format', 'printf'], operands: 'paths' },
  du: { flags: 'abchkmsx', values: 'd', long: ['max-depth', 'human-readable', 'summarize'], operands: 'paths' },
  df: { flags: 'ahHiklmT', operands: 'paths' },
  tree: {
    flags: 'aACdfFghinpqrstuvxX',
    values: 'ILP',
    long: ['dirsfirst', 'gitignore', 'noreport'],
    operands: 'paths',
  },
  basename: { flags: 'a', values: 's', operands: 'texts' },
  dirname: { operands: 'texts' },
  realpath: { flags: 'emqsz', operands: 'paths' },
  readlink: { flags: 'efmnqsvz', operands: 'paths' },
  md5sum: sums,
  sha1sum: sums,
  sha256sum: sums,
  cksum: sums,
  xxd: { flags: 'bpu', values: 'cgl', operands: 'paths', most: 1, isOrdered: true },
  pwd: { flags: 'LP', operands: 'none' },
  date: { flags: 'uIR', long: ['iso-8601', 'utc'], operands: 'pattern', program: /^\+/, most: 1 },
  whoami: { operands: 'none' },
  uname: { flags: 'amnoprsv', operands: 'none' },
  nproc: { operands: 'none' },
  uptime: { flags: 'ps', operands: 'none' },
  which: { flags: 'as', operands: 'texts' },
  type: { flags: 'aptP', operands: 'texts' },
  echo: { operands: 'anything' },
  true: { operands: 'texts' },
  false: { operands: 'texts' },
  sleep: { operands: 'texts' },
  seq: { values: 's', flags: 'w', operands: 'texts' },
  test: { flags: 'defhLrswxz', operands: 'paths' },
};

/** Tests and actions of `find` that only read; `value` takes the next word. */
export const findTests: Readonly<Record<string, 'alone' | 'value'>> = {
  ...Object.fromEntries(
    [
      'a',
      'and',
      'o',
      'or',
      'not',
      'depth',
      'mount',
      'xdev',
      'empty',
      'prune',
      'print',
      'print0',
      'ls',
      'quit',
      'executable',
      'readable',
      'writable',
      'true',
      'false',
      'daystart',
    ].map((name) => [name, 'alone'] as const),
  ),
  ...Object.fromEntries(
    [
      'name',
      'iname',
      'path',
      'ipath',
      'wholename',
      'regex',
      'iregex',
      'regextype',
      'type',
      'maxdepth',
      'mindepth',
      'size',
      'mtime',
      'mmin',
      'atime',
      'amin',
      'ctime',
      'cmin',
      'perm',
      'user',
      'group',
      'links',
      'printf',
    ].map((name) => [name, 'value'] as const),
  ),
};

const revisions = {
  flags: 'pwbzMCsuiEFcU0123456789',
  values: 'nSGL',
  long: 'oneline stat shortstat numstat dirstat graph all decorate no-decorate name-only name-status pretty format author committer since until after before grep summary no-merges merges first-parent reverse abbrev-commit abbrev date follow cached staged word-diff color no-color max-count skip patch no-patch diff-filter unified check ignore-space-change ignore-all-space ignore-blank-lines exit-code quiet merge-base raw left-right cherry-pick left-only right-only topo-order date-order branches tags remotes no-ext-diff no-textconv no-renames find-renames minimal histogram patience compact-summary'.split(
    ' ',
  ),
  operands: 'revisions',
} as const;
const refs = {
  flags: 'arvl',
  long: ['list', 'all', 'show-current', 'remotes', 'verbose', 'no-color'],
  operands: 'none',
} as const;

/** Reading commands of git, by the words behind `git`. */
export const readingGit: Readonly<Record<string, ReadingCommand>> = {
  status: {
    flags: 'sbuz',
    long: ['short', 'branch', 'porcelain', 'untracked-files', 'ignored', 'long', 'show-stash'],
    operands: 'paths',
  },
  log: { ...revisions, shows: 'history' },
  diff: { ...revisions, shows: 'history' },
  show: { ...revisions, shows: 'history' },
  'stash show': { ...revisions, shows: 'history' },
  'stash list': { ...revisions, shows: 'history' },
  blame: { flags: 'lstwMCe', values: 'L', long: ['date', 'porcelain'], operands: 'revisions', shows: 'history' },
  grep: {
    flags: 'acEFGhHiIlLnoPqvwW0123456789',
    values: 'ABCem',
    long: [
      'count',
      'name-only',
      'files-with-matches',
      'ignore-case',
      'line-number',
      'cached',
      'heading',
      'break',
      'function-context',
    ],
    operands: 'revisions',
    shows: 'history',
  },
  branch: { ...refs, long: [...refs.long, 'merged', 'no-merged', 'contains', 'sort', 'format'] },
  tag: { flags: 'l', long: ['list', 'sort', 'contains', 'merged', 'format'], operands: 'none' },
  remote: { flags: 'v', long: ['verbose'], operands: 'none' },
  'worktree list': { long: ['porcelain'], operands: 'none' },
  reflog: { ...revisions, operands: 'none', shows: 'history' },
  'reflog show': { ...revisions, shows: 'history' },
  shortlog: { flags: 'nse', long: ['numbered', 'summary', 'email', 'since', 'until', 'all'], operands: 'revisions' },
  describe: {
    long: ['tags', 'always', 'dirty', 'long', 'abbrev', 'all', 'match', 'exact-match'],
    operands: 'revisions',
  },
  'rev-parse': {
    flags: 'q',
    long: [
      'abbrev-ref',
      'short',
      'verify',
      'show-toplevel',
      'is-inside-work-tree',
      'git-dir',
      'show-prefix',
      'quiet',
      'symbolic-full-name',
    ],
    operands: 'revisions',
  },
  'rev-list': {
    flags: 'n0123456789',
    long: ['count', 'all', 'max-count', 'left-right', 'no-merges', 'since', 'until'],
    operands: 'revisions',
  },
  'merge-base': { flags: 'a', long: ['all', 'is-ancestor', 'fork-point'], operands: 'revisions' },
  'ls-files': {
    flags: 'cdmoskutz',
    long: ['others', 'modified', 'deleted', 'cached', 'stage', 'exclude-standard', 'error-unmatch', 'ignored'],
    operands: 'paths',
  },
  'ls-tree': { flags: 'dlrtz', long: ['name-only', 'long', 'full-tree'], operands: 'revisions' },
  'check-ignore': { flags: 'qvn', operands: 'paths' },
  'count-objects': { flags: 'vH', operands: 'none' },
  'show-ref': { flags: 'ds', long: ['heads', 'tags', 'head'], operands: 'revisions' },
};

/** Reading commands by program and first words. */
export const readingSubcommands: Readonly<Record<string, ReadingCommand>> = {
  'command -v': { operands: 'texts' },
  'command -V': { operands: 'texts' },
  'npm ls': { flags: 'al', long: ['all', 'depth', 'json', 'long', 'parseable'], operands: 'texts' },
  'npm list': { flags: 'al', long: ['all', 'depth', 'json', 'long', 'parseable'], operands: 'texts' },
  'npm explain': { long: ['json'], operands: 'texts' },
  'npm why': { long: ['json'], operands: 'texts' },
  'npm root': { operands: 'none' },
  'npm run': { operands: 'none' },
  'npm pkg get': { operands: 'texts' },
  'pip list': { operands: 'none' },
  'pip show': { operands: 'texts' },
};

/**
 * A program and the option by which it says its version, without running what the project names, as those of Rust, Go and Yarn
 * do. By the same letter, shells and Python run what is piped into them.
 */
export const sayingVersion =
  /^(?:(?:node|npm|npx|bun|deno|python[\d.]*|ruby|java|javac|php|make|docker|git|gh|gcc|clang|cmake|bash|zsh|psql|jq|rg) --version|(?:node|npm|npx|bun|ruby|php|make|docker|git|gcc|clang) -v|(?:deno|python[\d.]*|psql|jq|rg) -V)$/;
