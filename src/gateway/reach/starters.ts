import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** How a program that starts another one reads its words. */
export interface Starter {
  /** Name by which it is compared. */
  as: string;
  /** Subcommands that start something, if only these do: `npm exec`. */
  subs?: readonly string[];
  /** Kind of thing named by its first word that is no option. */
  starts: 'package' | 'file' | 'image' | 'command' | 'text' | 'host' | 'script';
  /** Options that do not change the reach. */
  idle?: RegExp;
  /** Options like these with a value. */
  idleWithValue?: RegExp;
  /** Other options with a value. */
  withValue?: RegExp;
  /** Options with the name of a package. */
  withPackage?: RegExp;
  /** Options with the name of a module; arguments follow. */
  withModule?: RegExp;
  /** Options with a command line, after which it starts nothing else. */
  withText?: RegExp;
  /** Options with the folder of the project. */
  inFolder?: RegExp;
  /** It starts a script of the project in its working directory. */
  inProject?: boolean;
  /** The started program sees another file system. */
  isElsewhere?: boolean;
}

const quiet =
  /^(?:-y|--yes|-q|--quiet|--silent|-s|--prefer-(?:online|offline)|--offline|--refresh|--no-progress|--bun)$/;
const npm: Omit<Starter, 'as'> = {
  starts: 'package',
  idle: quiet,
  withPackage: /^(?:-p|--package)$/,
  withText: /^(?:-c|--call)$/,
  withValue: /^(?:--registry|--prefix|--userconfig|-w|--workspace)$/,
};
const python: Omit<Starter, 'as'> = {
  starts: 'package',
  idle: quiet,
  withPackage: /^(?:--from|--with|--spec|--with-editable)$/,
  idleWithValue: /^(?:-p|--python)$/,
  withValue: /^(?:--index|--index-url|--default-index|--extra-index-url|--env-file|--directory|--project|--pip-args)$/,
};
const shell: Omit<Starter, 'as'> = {
  starts: 'file',
  idle: /^-[eilux]+$|^--(?:login|norc|noprofile|posix)$/,
  withText: /^-[eilux]*c$/,
};
const wrapper: Omit<Starter, 'as'> = { starts: 'command' };
const project: Omit<Starter, 'as'> = {
  starts: 'command',
  inProject: true,
  idle: quiet,
  inFolder: /^(?:-C|-P|--directory|--project|--prefix|--cwd|--dir|--project-directory)$/,
  withValue: /^(?:-p|-n|-e|-f|--env|--env-file|--file|--group|--extra|--name|--filter)$/,
  withPackage: /^(?:--with)$/,
  idleWithValue: /^--python$/,
};
const container: Omit<Starter, 'as'> = {
  starts: 'image',
  isElsewhere: true,
  idle: /^(?:-i|-t|-it|-ti|-d|--rm|--init|--interactive|--tty|-q|--quiet|--pull=.*|--name=.*)$/,
  idleWithValue: /^(?:--name|--pull|--platform)$/,
  withValue:
    /^(?:-[evpuwhlm]|--(?:env|env-file|volume|mount|publish|user|workdir|hostname|network|net|entrypoint|label|add-host|memory|cpus|volumes-from|ip|dns|gpus|device|tmpfs|cap-add|cap-drop|security-opt|secret))$/,
};
const interpreter: Omit<Starter, 'as'> = {
  starts: 'file',
  idle: /^(?:--inspect.*|--no-warnings|--no-deprecation|--enable-source-maps|--max-old-space-size=.*|--experimental-.*|--trace-.*|-u|-B|-O|-OO|-I|-q|-Xm[sx].*|--watch)$/,
  withValue:
    /^(?:-r|--require|--import|--loader|--env-file|--config|-c|--tsconfig|--project|-P|-X|-W|-cp|-classpath|--class-path)$/,
};
const secrets: Omit<Starter, 'as'> = {
  starts: 'command',
  withValue:
    /^(?:-e|-f|-p|-c|-n|-u|-g|-C|--env|--env-file|--env-files|--file|--project|--config|--account|--path|--projectId|--environment|--region|--duration|--user|--group)$/,
};

const npmSubs = ['exec', 'x', 'dlx'];

/** Programs that start another one: the server's identity and name are those of the started program. */
const table: Readonly<Record<string, readonly Starter[]>> = {
  npx: [{ as: 'npx', ...npm }],
  pnpx: [{ as: 'npx', ...npm }],
  bunx: [{ as: 'npx', ...npm }],
  npm: [
    { as: 'npx', subs: npmSubs, ...npm },
    { as: 'npm', ...project, starts: 'script' },
  ],
  pnpm: [
    { as: 'npx', subs: npmSubs, ...npm },
    { as: 'pnpm', ...project, starts: 'script' },
  ],
  yarn: [
    { as: 'npx', subs: npmSubs, ...npm },
    { as: 'yarn', ...project, starts: 'script' },
  ],
  bun: [
    { as: 'npx', subs: ['x'], ...npm },
    { as: 'bun', subs: ['run'], ...interpreter },
    { as: 'bun', ...interpreter },
  ],
  uvx: [{ as: 'uvx', ...python }],
  pipx: [{ as: 'pipx', subs: ['run'], ...python }],
  uv: [
    { as: 'uvx', subs: ['tool run'], ...python },
    { as: 'uv', subs: ['run'], ...project },
  ],
  poetry: [{ as: 'poetry', subs: ['run'], ...project }],
  pdm: [{ as: 'pdm', subs: ['run'], ...project }],
  hatch: [{ as: 'hatch', subs: ['run'], ...project }],
  rye: [{ as: 'rye', subs: ['run'], ...project }],
  pipenv: [{ as: 'pipenv', subs: ['run'], ...project }],
  conda: [{ as: 'conda', subs: ['run'], ...project, inProject: false }],
  mise: [{ as: 'mise', subs: ['exec', 'x'], ...project, inProject: false }],
  make: [{ as: 'make', ...project, starts: 'script' }],
  just: [{ as: 'just', ...project, starts: 'script' }],
  go: [{ as: 'go', subs: ['run'], starts: 'package' }],
  cargo: [{ as: 'cargo', ...project, starts: 'script' }],
  dotnet: [
    { as: 'dotnet', subs: ['run', 'tool', 'dnx'], ...project, starts: 'script' },
    { as: 'dotnet', ...interpreter },
  ],
  java: [
    { as: 'java', subs: ['-jar'], ...interpreter },
    { as: 'java', ...interpreter },
  ],
  node: [{ as: 'node', ...interpreter }],
  tsx: [{ as: 'tsx', ...interpreter }],
  'ts-node': [{ as: 'ts-node', ...interpreter }],
  nodemon: [{ as: 'nodemon', ...interpreter }],
  deno: [
    { as: 'deno', subs: ['run'], ...interpreter, idle: /^(?:-A|--allow-.*|--unstable.*|-q|--no-check.*)$/ },
    { as: 'deno', ...project, starts: 'script' },
  ],
  python: [{ as: 'python', ...interpreter, withValue: /^(?:-c|-X|-W)$/, withModule: /^-m$/ }],
  ruby: [{ as: 'ruby', ...interpreter }],
  perl: [{ as: 'perl', ...interpreter }],
  php: [{ as: 'php', ...interpreter }],
  sh: [{ as: 'sh', ...shell }],
  pwsh: [{ as: 'pwsh', starts: 'file', idle: /^-(?:NoProfile|NoLogo|NonInteractive)$/i, withText: /^-c(?:ommand)?$/i }],
  cmd: [{ as: '', starts: 'command', idle: /^\/[cdsk]$/i }],
  env: [
    {
      as: '',
      ...wrapper,
      idle: /^(?:-|--)$/,
      withText: /^(?:-S|--split-string)$/,
      withValue: /^(?:-u|--unset|-C|--chdir)$/,
    },
  ],
  exec: [{ as: '', ...wrapper }],
  command: [{ as: '', ...wrapper }],
  nohup: [{ as: '', ...wrapper }],
  setsid: [{ as: '', ...wrapper }],
  caffeinate: [{ as: '', ...wrapper }],
  time: [{ as: '', ...wrapper }],
  nice: [{ as: '', ...wrapper, idle: /^-\d+$/, idleWithValue: /^-n$/ }],
  stdbuf: [{ as: '', ...wrapper, idle: /^-[ioe].+$/ }],
  sudo: [{ as: 'sudo', ...wrapper, idle: /^-(?:n|E|H)$/, withValue: /^(?:-u|-g|--user|--group)$/ }],
  doas: [{ as: 'doas', ...wrapper, withValue: /^-u$/ }],
  op: [{ as: 'op', subs: ['run'], ...secrets }],
  doppler: [{ as: 'doppler', subs: ['run'], ...secrets }],
  infisical: [{ as: 'infisical', subs: ['run'], ...secrets }],
  dotenvx: [{ as: 'dotenvx', subs: ['run'], ...secrets }],
  dotenv: [{ as: 'dotenv', ...secrets }],
  'env-cmd': [{ as: 'env-cmd', ...secrets }],
  'cross-env': [{ as: '', ...wrapper }],
  direnv: [{ as: 'direnv', subs: ['exec'], starts: 'file' }],
  ssh: [
    {
      as: 'ssh',
      starts: 'host',
      isElsewhere: true,
      idle: /^-(?:q|T|t|tt|n|N|C|4|6|A|a|x)$/,
      withValue: /^-[bcDeEFiIJlLmoOpQRSWwB]$/,
    },
  ],
  wsl: [
    {
      as: 'wsl',
      starts: 'command',
      isElsewhere: true,
      idle: /^(?:-e|--exec)$/,
      withValue: /^(?:-d|--distribution|-u|--user|--cd)$/,
    },
  ],
  docker: [
    { as: 'docker', subs: ['run', 'container run'], ...container },
    { as: 'docker', subs: ['compose'], ...project, starts: 'script' },
  ],
  podman: [{ as: 'docker', subs: ['run', 'container run'], ...container }],
  nerdctl: [{ as: 'docker', subs: ['run'], ...container }],
};

const aliases: readonly (readonly [RegExp, string])[] = [
  [/^(?:python[\d.]*|py|pypy[\d.]*)w?$/, 'python'],
  [/^(?:nodejs|node[\d.]*)$/, 'node'],
  [/^docker-compose$/, 'docker'],
  [/^(?:bash|zsh|dash|fish)$/, 'sh'],
  [/^powershell$/, 'pwsh'],
  [/^dotenv-cli$/, 'dotenv'],
];

/** The rows of this program, by its name without folder and ending. */
export const startersOf = (program: string): readonly Starter[] => {
  const name = program.toLowerCase();
  const plain = aliases.find(([pattern]) => pattern.test(name))?.[1] ?? name;
  return Object.hasOwn(table, plain) ? (table[plain] ?? []) : [];
};

/** Packages that connect to a server elsewhere, or run one: their address or command line is the server. */
export const bridges =
  /^(?:mcp-remote|mcp-proxy|supergateway|supermcp|mcp-bridge|mcp-server-bridge|mcp-stdio-to-streamable-http-adapter|mcp-connect|@smithery\/cli|mcp-http-bridge|fastmcp|mcp-gateway)$/;

/** Place of this process, or of one started in this folder. */
export const placeHere = (cwd = process.cwd()): Place => ({ cwd, home: homedir(), realPath });

function realPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}

/** Folder of a command's start, and the files around it. */
export interface Place {
  cwd: string;
  home: string;
  /** The real path of a file or folder; null if it does not exist. */
  realPath(file: string): string | null;
}

/** Full path of the named file; the path of an installed package has no version. */
export function fileOf(word: string, place: Place): string {
  const full = path.resolve(place.cwd, word.replace(/^~(?=$|[\\/])/, place.home));
  const real = place.realPath(full) ?? full;
  return real.replace(/([\\/]node_modules)[\\/]\.pnpm[\\/][^\\/]+[\\/]node_modules(?=[\\/])/, '$1');
}

/** Is it a file, by its ending or because it exists? */
export const namesFile = (value: string, { cwd, realPath }: Place): boolean =>
  /^[\w.-][\w./-]*$/.test(value) && (ofFiles.test(value) || realPath(path.resolve(cwd, value)) !== null);

const ofFiles =
  /\.(?:db|sqlite3?|duckdb|json[c5l]?|ya?ml|toml|ini|cfg|conf|env|pem|crt|key|csv|txt|[cm]?[jt]s|jar|dll)$/;

/** Is it written like a path? */
export const isPathLike = (word: string): boolean =>
  /^(?:\.{1,2}(?:$|[\\/])|~(?:$|[\\/])|[\\/]|[A-Za-z]:[\\/])/.test(word);

/** Is it a path with a file's name? Secrets may look like a path, too; its end tells more. */
export const isFileName = (value: string): boolean =>
  /^(?:\.{1,2}|~|[A-Za-z]:)[\\/]/.test(value) || /^(?:[\\/][\w .-]+)+\.[A-Za-z]\w{1,4}$/.test(value);

/** A place where paths stay unchanged, such as another machine or a container. */
export const elsewhere = (place: Place): Place => ({ ...place, cwd: '/', realPath: () => null });
