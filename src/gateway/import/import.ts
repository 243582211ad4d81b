import { getStaticTOMLValue, parseTOML, type AST } from 'toml-eslint-parser';
import { createHash } from 'node:crypto';
import { placeHere } from '../reach/starters.ts';
import { reachOfCommand, variablesToName } from '../reach/reach.ts';

/** A server in the configuration of Codex; without a value unless it has a table of its own. */
interface TomlServer {
  name: string;
  value: unknown;
}

/** The servers in `[mcp_servers.NAME]` of a configuration; null if it is not TOML. */
export function tomlServersIn(text: string): TomlServer[] | null {
  const ast = parse(text);
  if (!ast) return null;
  const { mcp_servers: servers = {} } = getStaticTOMLValue(ast) as { mcp_servers?: object };
  return Object.entries(servers).map(([name, value]: [string, unknown]) => ({
    name,
    value: valueOf(tableOf(ast, name), 'command') ? value : undefined,
  }));
}

/** Content of a configuration; null if it is not TOML. */
export function readToml(text: string): unknown {
  const ast = parse(text);
  return ast && getStaticTOMLValue(ast);
}

/** The text with another command in the table of this server; everything else stays. */
export function setTomlServer(text: string, name: string, { command, args }: StdioEntry): string {
  const ast = parse(text);
  const table = ast && tableOf(ast, name);
  const [program, words] = [valueOf(table, 'command'), valueOf(table, 'args')];
  if (!program) return text;
  const list = `[${args.map(tomlText).join(', ')}]`;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = [
    { range: program.range, to: tomlText(command) + (words ? '' : `${eol}args = ${list}`) },
    ...(words ? [{ range: words.range, to: list }] : []),
  ];
  return edits
    .toSorted((left, right) => right.range[0] - left.range[0])
    .reduce((rest, { range: [start, end], to }) => rest.slice(0, start) + to + rest.slice(end), text);
}

/** A basic string of TOML: a string of JSON with one more escaped character. */
const tomlText = (word: string): string => JSON.stringify(word).replaceAll('\u007f', String.raw`\u007f`);

function parse(text: string): AST.TOMLProgram | null {
  try {
    return parseTOML(text);
  } catch {
    return null;
  }
}

const tableOf = (ast: AST.TOMLProgram, name: string): AST.TOMLTable | undefined =>
  ast.body[0].body.find(
    (node): node is AST.TOMLTable =>
      node.type === 'TOMLTable' &&
      node.kind === 'standard' &&
      node.resolvedKey.length === 2 &&
      node.resolvedKey[0] === 'mcp_servers' &&
      node.resolvedKey[1] === name,
  );

function valueOf(table: AST.TOMLTable | null | undefined, member: string): AST.TOMLContentNode | undefined {
  return table?.body.find(({ key: { keys } }) => keys.length === 1 && keyText(keys[0]) === member)?.value;
}

const keyText = (key: AST.TOMLBare | AST.TOMLQuoted | undefined): string | undefined =>
  key?.type === 'TOMLBare' ? key.name : key?.value;

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

/** The entry that runs the same server behind the gateway, under this name. */
export function wrapEntry(
  { entry: { command, args }, env }: NamedEntry,
  server: string,
  { program, directory }: WrapWords,
): StdioEntry {
  const [first, ...words] = program;
  const variables = variablesToName(variablesOf(env));
  const named = variables.length > 0 ? ['--variables', ...variables] : [];
  const own = ['wrap', '--data-dir', directory, '--server', server, ...named, '--'];
  return { command: first, args: [...words, ...own, command, ...args] };
}

/** The server's own entry; null if it does not run behind the gateway. */
export function unwrapEntry({ args }: StdioEntry): StdioEntry | null {
  const at = args.indexOf('wrap');
  const [dataDirectory, , server, , next] = args.slice(at + 1);
  const end = next === '--variables' ? args.indexOf('--', at) : at + 5;
  const isOurs = at >= 0 && dataDirectory === '--data-dir' && server === '--server' && args[end] === '--';
  const [command, ...own] = args.slice(end + 1);
  return isOurs && command !== undefined ? { command, args: own } : null;
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

/** The entry, if it starts a server over stdio. */
export function readEntry(value: unknown): StdioEntry | null {
  const { command, args = [] } = (value ?? {}) as { command?: unknown; args?: unknown };
  const isWords = Array.isArray(args) && args.every((word) => typeof word === 'string');
  return typeof command === 'string' && command !== '' && isWords ? { command, args } : null;
}

/** One entry of a configuration. */
export interface NamedEntry {
  name: string;
  entry: StdioEntry;
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

/** What the server of this entry reaches, if it is started with these variables. */
export const reachOfEntry = (
  { command, args }: StdioEntry,
  env: unknown,
  inherited: Readonly<Record<string, string | undefined>> = {},
): string => reachOfCommand({ words: [command, ...args], own: variablesOf(env), inherited }, placeHere());

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
