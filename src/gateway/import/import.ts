import { createHash } from 'node:crypto';
import { Resource } from '#connect/providers/auto';
import { placeHere } from '../reach/starters.ts';
import { reachOfAddress, reachOfCommand, variablesToName } from '../reach/reach.ts';
import type { Members } from './texts.ts';

/** Command of a server in a client's configuration; other members are left alone. */
export interface StdioEntry {
  command: string;
  args: readonly string[];
}

/** Words that run servers behind the gateway. */
export interface WrapWords {
  /** The program and its first words. */
  program: readonly [string, ...string[]];
  /** Data directory of Assentry. */
  directory: string;
}

/** Address of a server in a client's configuration. */
export interface RemoteEntry {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The members by which the client reaches it; headers without their values. */
  was: Members;
}

/** The members of an entry that run the same server behind the gateway, under this name. */
export function wrapEntry(
  { entry, env }: Pick<NamedEntry, 'entry' | 'env'>,
  server: string,
  { program: [first, ...words], directory }: WrapWords,
): Members {
  const own = [...words, 'wrap', '--data-dir', directory, '--server', server];
  if ('url' in entry) return wrapRemote(entry, env, [first, ...own]);
  const variables = variablesToName(variablesOf(env));
  const named = variables.length > 0 ? ['--variables', ...variables] : [];
  return { command: first, args: [...own, ...named, '--', entry.command, ...entry.args] };
}

/** Values of headers go into variables of the entry: clients fill them in there as well, and no list of processes shows them. */
function wrapRemote({ url, headers, was }: RemoteEntry, env: unknown, [first = '', ...own]: string[]): Members {
  const variables = Object.entries(headers).map(([name, value]) => [name, variableOf(name), value] as const);
  const from = variables.flatMap(([name, variable]) => ['--header-from', `${name}=${variable}`]);
  const added = Object.fromEntries(variables.map(([, variable, value]) => [variable, value]));
  return {
    ...Object.fromEntries(Object.keys(was).map((member) => [member, undefined])),
    ...(typeof was['type'] === 'string' && { type: 'stdio' }),
    command: first,
    args: [...own, wasOption, JSON.stringify(was), ...from, '--url', url],
    ...(variables.length > 0 && { env: { ...(isRecord(env) && env), ...added } }),
  };
}

const wasOption = '--was';
const variableOf = (header: string): string => `MCP_HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** The server's own members; null if it does not run behind the gateway. */
export function unwrapEntry({ args }: StdioEntry, env?: unknown): Members | null {
  const at = args.indexOf('wrap');
  const [dataDirectory, , server, , next, was] = args.slice(at + 1);
  if (at < 0 || dataDirectory !== '--data-dir' || server !== '--server') return null;
  if (next === wasOption) return unwrapRemote(was ?? '', env);
  const end = next === '--variables' ? args.indexOf('--', at) : at + 5;
  const [command, ...own] = args.slice(end + 1);
  return args[end] === '--' && command !== undefined ? { command, args: own } : null;
}

function unwrapRemote(text: string, env: unknown): Members | null {
  const was = parseRecord(text);
  if (was === null) return null;
  const variables = isRecord(env) ? env : {};
  const used = new Set<string>();
  const valueOf = (name: string): unknown => {
    used.add(variableOf(name));
    return variables[variableOf(name)];
  };
  const restored = Object.entries(was).map(([member, value]) => [
    member,
    isRecord(value) && !Array.isArray(value)
      ? Object.fromEntries(Object.keys(value).map((name) => [name, valueOf(name)]))
      : value,
  ]);
  const left = Object.entries(variables).filter(([name]) => !used.has(name));
  const others = left.length > 0 ? Object.fromEntries(left) : undefined;
  return {
    command: undefined,
    args: undefined,
    type: undefined,
    ...(used.size > 0 && { env: others }),
    ...Object.fromEntries(restored),
  };
}

function parseRecord(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Does it run behind the gateway by a command written by people: `npx assentry wrap -- …`? */
export const isWrapped = ({ command, args }: StdioEntry): boolean => {
  const words = [command, ...args];
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  const at = own.indexOf('wrap');
  return at > 0 && ownProgram.test(own[at - 1] ?? '');
};

/** Our program as a command, a package, or a file of the package. */
const ownProgram = /(?:^|[\\/])assentry(?:@[^\\/]+|\.cmd|\.exe|[\\/]dist[\\/]cli[\\/]main\.js)?$/;

/** The members that hold an address, by client, and those that hold its headers. */
const addressMembers = ['url', 'httpUrl', 'serverUrl', 'uri'];
const headerMembers = ['headers', 'http_headers', 'env_http_headers', 'bearer_token_env_var'];

/** The entry, if it names a server at an address that `wrap` takes. A bridge to an address counts as that address. */
export function readRemote(value: unknown): RemoteEntry | null {
  if (!isRecord(value)) return null;
  const stdio = readEntry(value);
  if (stdio) return readBridge(stdio);
  const named = addressMembers.filter((member) => typeof value[member] === 'string');
  const [address = ''] = named;
  const headersBy = headerMembers.filter((member) => value[member] !== undefined);
  const headers = value['headers'] ?? {};
  const isFit = isRecord(headers) && Object.values(headers).every((text) => typeof text === 'string');
  const url = value[address];
  if (named.length !== 1 || !isAddressToWrap(url) || !isFit || headersBy.some((member) => member !== 'headers'))
    return null;
  const shown = Object.fromEntries(Object.keys(headers).map((name) => [name, null]));
  const was = {
    ...(value['type'] !== undefined && { type: value['type'] }),
    [address]: url,
    ...(value['headers'] !== undefined && { headers: shown }),
  };
  return { url, headers: headers as Record<string, string>, was };
}

/** `npx mcp-remote URL` without headers: its person connects on the page in place of its own sign-in. */
function readBridge({ command, args }: StdioEntry): RemoteEntry | null {
  const line = [command, ...args].join(' ');
  const [, url] =
    /^(?:\S*[\\/])?(?:npx|bunx|pnpx)(?:\.cmd)? (?:(?:-y|--yes) )?mcp-remote(?:@\S+)? (\S+)(?: --transport \S+| --allow-http| \d+)*$/.exec(
      line,
    ) ?? [];
  return isAddressToWrap(url) ? { url, headers: {}, was: { command, args } } : null;
}

const isAddressToWrap = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:/i.test(url) && Resource.safeParse(url).success;

/** Does it hold a secret itself, and not only the name of a variable? */
export const holdsSecret = ({ url, headers }: RemoteEntry): boolean =>
  Object.entries(headers).some(
    ([name, value]) =>
      !/\$\{[^}]+\}|\{env:[^}]+\}|^(?:Bearer )?\$\w+$/.test(value) &&
      reachOfAddress(url, { [name]: value }) === reachOfAddress(url),
  );

/** The entry, if it starts a server over stdio. */
export function readEntry(value: unknown): StdioEntry | null {
  const { command, args = [] } = (value ?? {}) as { command?: unknown; args?: unknown };
  const isWords = Array.isArray(args) && args.every((word) => typeof word === 'string');
  return typeof command === 'string' && command !== '' && isWords ? { command, args } : null;
}

/** One entry of a configuration. */
export interface NamedEntry {
  name: string;
  entry: StdioEntry | RemoteEntry;
  env: unknown;
}

/** The server name of an entry behind the gateway; null for other entries. */
export const serverOf = ({ args }: StdioEntry): string | null => args[args.indexOf('--server') + 1] ?? null;

/** Names of servers, one for each reach: two servers of one name would share a key, accepted definitions and policies. */
export class ServerNames {
  readonly #owners = new Map<string, string>();

  /** Claims a name; the first entry keeps it. */
  claim(server: string, entry: NamedEntry): void {
    if (!this.#owners.has(server)) this.#owners.set(server, identityOf(entry));
  }

  /** Name in the grammar of names, which configurations need not follow; a digest is added if another server has it. */
  nameFor(entry: NamedEntry): string {
    const plain = plainName(entry.name);
    this.claim(plain, entry);
    const identity = identityOf(entry);
    const own = [...this.#owners].find(([name, owner]) => owner === identity && isOfPlain(name, plain));
    return own ? own[0] : `${plain}-${createHash('sha256').update(identity).digest('hex').slice(0, 8)}`;
  }
}

/** Identity of a server: entries of one name in two clients are one server if they reach the same. */
const identityOf = ({ name, entry, env }: NamedEntry): string => JSON.stringify([name, reachOfEntry(entry, env)]);

/** The server behind the members that `unwrapEntry` restores. */
export const entryOf = (members: Members): StdioEntry | RemoteEntry | null => readRemote(members) ?? readEntry(members);

/** What the server of this entry reaches, if it is started with these variables. */
export const reachOfEntry = (
  entry: StdioEntry | RemoteEntry,
  env: unknown,
  inherited: Readonly<Record<string, string | undefined>> = {},
): string =>
  'url' in entry
    ? reachOfAddress(entry.url)
    : reachOfCommand({ words: [entry.command, ...entry.args], own: variablesOf(env), inherited }, placeHere());

/** Variables of an entry. */
const variablesOf = (env: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isRecord(env) ? env : {}).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && !pair[0].startsWith('ASSENTRY_'),
    ),
  );

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Is it the plain name, with or without a digest? */
const isOfPlain = (name: string, plain: string): boolean =>
  name === plain || /^-[0-9a-f]{8}$/.test(name.startsWith(plain) ? name.slice(plain.length) : '');

export const plainName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64) || 'server';
