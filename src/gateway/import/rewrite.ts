import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '#platform/model/problem';
import jsonc from 'jsonc-parser';
import { isObject } from '../frames/frame.ts';
import {
  entryOf,
  holdsSecret,
  isWrapped,
  plainName,
  reachOfEntry,
  readEntry,
  readRemote,
  ServerNames,
  serverOf,
  unwrapEntry,
  wrapEntry,
  type NamedEntry,
  type WrapWords,
} from './import.ts';
import { changeText, textFormats, type Members } from './texts.ts';

/** Writes a configuration, and keeps the earlier text next to it, unless an earlier backup holds more. */
export async function replace(file: string, text: string, content: string, isOriginal: boolean): Promise<void> {
  const hasEarlier = (await readIfThere(backupOf(file))) !== null;
  if (isOriginal || !hasEarlier) await write(backupOf(file), text, file);
  try {
    await exchange(file, text, content);
  } catch (error) {
    if (!hasEarlier) await rm(backupOf(file), { force: true }); // it may hold secrets, and nothing leads to it
    throw error;
  }
}

/** Restores an earlier configuration. */
export async function restore(file: string, text: string, content: string): Promise<void> {
  await exchange(file, text, content);
  await rm(backupOf(file), { force: true });
}

/** Creates a configuration. */
export async function create(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, content, { mode: 0o600, flush: true, flag: 'wx' });
}

/** Removes a configuration that has no backup. */
export async function remove(file: string, text: string): Promise<void> {
  await assertUnchanged(file, text);
  await rm(file);
}

export const backupOf = (file: string): string => `${file}.before-assentry`;

/** Refuses a file that its owner has protected, even though a new file could replace it. */
export async function assertWritable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o222) === 0)
    throw new Problem('config-invalid', { detail: `Make ${file} writable first: it is read-only.` });
}

/** Bytes of the largest configuration that is read. */
const largest = 64 * 1024 * 1024;

/** The text of a file; null if it does not exist. */
export async function readIfThere(file: string): Promise<string | null> {
  const size = await stat(file).then(
    (facts) => facts.size,
    () => 0,
  ); // what is wrong shows in the next line
  if (size > largest)
    throw new Problem('config-invalid', { detail: `Look at ${file}: a configuration has no ${size} bytes.` });
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR'].includes(cause.code ?? '')) return null;
    throw new Problem('config-invalid', { detail: `Check ${file}: it cannot be read.`, cause });
  });
  try {
    return bytes && utf8.decode(bytes);
  } catch (cause) {
    throw new Problem('config-invalid', { detail: `Save ${file} as UTF-8: it has other bytes.`, cause });
  }
}

/** Rejects other bytes, which would be lost, and keeps a mark at the beginning. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Writes only if the file still has this text: a client may have saved it meanwhile. */
async function exchange(file: string, text: string, content: string): Promise<void> {
  await write(await realpath(file), content, file, () => assertUnchanged(file, text));
}

async function assertUnchanged(file: string, text: string): Promise<void> {
  if ((await readIfThere(file)) !== text)
    throw new Problem('config-invalid', { detail: `Run it again: ${file} was changed in the meantime.` });
}

/**
 * Writes the whole file or nothing, with owner and rights of the configuration; a link to a file elsewhere stays a link. `look`
 * runs last before that.
 */
async function write(place: string, text: string, like: string, look = async () => {}): Promise<void> {
  const draft = `${place}.${randomUUID()}`;
  try {
    const { mode, uid, gid } = await stat(like);
    await writeFile(draft, text, { mode: mode & 0o777, flush: true });
    if (process.getuid?.() === 0) await chown(draft, uid, gid);
    await look();
    await rename(draft, place);
  } catch (cause) {
    await rm(draft, { force: true });
    if (cause instanceof Problem) throw cause;
    const { code = 'an error' } = cause as NodeJS.ErrnoException;
    throw new Problem('config-invalid', { detail: `Check ${place}: it cannot be written (${code}).`, cause });
  }
}

/** Path to servers by name in a configuration; `*` is every member. */
export type ServersPath = readonly string[];

/** Places of the servers in JSON, or a client whose entries have other words or another format. */
export type ServersPlaces = readonly ServersPath[] | 'codex' | 'goose' | 'opencode';

/** One server of a configuration. */
export interface Rewritten {
  name: string;
  /**
   * `unfit`: its entry has no form that can be rewritten. `secret`: it holds a secret in a file that a project shares. `same`: it
   * needs no change.
   */
  change: 'rewritten' | 'same' | 'unfit' | 'secret';
}

/** The rewritten configuration; null if it is no TOML, YAML or JSON, with or without comments. */
export type Rewrite = { text: string; servers: Rewritten[] } | null;

interface ImportTexts {
  names?: ServerNames | undefined;
  /** The file is shared with a project. */
  isShared?: boolean;
}

/** The configuration with every server behind the gateway. Comments, order and everything else stay. */
export const importServers = (
  text: string,
  paths: ServersPlaces,
  words: WrapWords,
  { names = claimNames([{ text, paths }]), isShared = false }: ImportTexts = {},
): Rewrite =>
  rewrite(text, paths, (named) => {
    const { entry } = named;
    if (!('url' in entry) && (unwrapEntry(entry) || isWrapped(entry))) return 'same';
    if (isShared && 'url' in entry && holdsSecret(entry)) return 'secret';
    return wrapEntry(named, names.nameFor(named), words);
  });

/** The way a configuration runs one server: behind the gateway (with this name if imported), or past it. */
interface ExaminedServer {
  name: string;
  way: 'gateway' | 'past' | 'unfit';
  server: string | null;
  /** Reach of the server with these variables; null if it is unknown. */
  reaches: string | null;
}

/** How each server of a configuration is run; null if it cannot be read. */
export const examineServers = (
  text: string,
  paths: ServersPlaces,
  inherited: Readonly<Record<string, string | undefined>> = {},
): ExaminedServer[] | null =>
  readServers(text, paths)?.map(({ name, named }): ExaminedServer => {
    if (!named) return { name, way: 'unfit', server: null, reaches: null };
    const { entry, env } = named;
    if ('url' in entry) return { name, way: 'past', server: null, reaches: null };
    const own = unwrapEntry(entry, env);
    const server = own && serverOf(entry);
    const wrapped = own && entryOf(own);
    const reaches = wrapped && reachOfEntry(wrapped, env, inherited);
    return { name, way: server !== null || isWrapped(entry) ? 'gateway' : 'past', server, reaches };
  }) ?? null;

/** The configuration with every server started as before. */
export const undoServers = (text: string, paths: ServersPlaces): Rewrite =>
  rewrite(text, paths, ({ entry, env }) => ('url' in entry ? null : unwrapEntry(entry, env)) ?? 'same');

/**
 * Names of all servers of these configurations. Servers behind the gateway keep theirs, and an entry that already is a valid
 * name comes before one that would become it.
 */
export function claimNames(configurations: readonly { text: string; paths: ServersPlaces }[]): ServerNames {
  const names = new ServerNames();
  const all = configurations.flatMap(({ text, paths }) =>
    (readServers(text, paths) ?? []).flatMap(({ named }) => named ?? []),
  );
  const others: NamedEntry[] = [];
  for (const named of all) {
    const { entry, env } = named;
    const own = 'url' in entry ? null : unwrapEntry(entry, env);
    const wrapped = own && entryOf(own);
    const server = 'url' in entry ? null : serverOf(entry);
    if (wrapped && server !== null) names.claim(server, { ...named, entry: wrapped });
    else others.push(named);
  }
  for (const named of others) if (plainName(named.name) === named.name) names.nameFor(named);
  return names;
}

type Change = (named: NamedEntry) => Members | 'same' | 'secret';

function rewrite(text: string, paths: ServersPlaces, change: Change): Rewrite {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const read = readServers(text, paths);
  if (!read) return null;
  let changed = text.slice(mark.length);
  const servers = read.map(({ set, name, named }): Rewritten => {
    const members = named ? change(named) : 'unfit';
    if (typeof members === 'string') return { name, change: members };
    changed = set(changed, members);
    return { name, change: 'rewritten' };
  });
  return { text: mark + changed, servers };
}

/** One server, with a way to change members of its entry in a text. */
interface ReadServer {
  name: string;
  /** Null if it has neither a command nor an address that can be wrapped. */
  named: NamedEntry | null;
  set(text: string, members: Members): string;
}

function readServers(text: string, paths: ServersPlaces): ReadServer[] | null {
  const plain = text.replace(/^\ufeff/, '');
  if (paths === 'codex' || paths === 'goose') {
    const [format, words] = [textFormats[paths], paths === 'goose' ? gooseWords : usualWords];
    return (
      format.serversIn(plain)?.map(({ name, value }) => ({
        name,
        named: namedEntry(name, words.read(value ?? {}), true),
        set: (before, members) => changeText(before, format, name, words.write(members)),
      })) ?? null
    );
  }
  const root = readRoot(text);
  return root && (paths === 'opencode' ? entriesIn(root, opencodePaths, opencodeWords) : entriesIn(root, paths));
}

/** How the entries of a client are worded. */
interface EntryWords {
  /** The entry in the usual words; null for what is no server. */
  read(value: Readonly<Record<string, unknown>>): Record<string, unknown> | null;
  write(members: Members): Members;
}

const usualWords: EntryWords = { read: (value) => ({ ...value }), write: (members) => members };

const renamed = (members: Members, names: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([member, value]) => [names[member] ?? member, value]));

const gooseWords: EntryWords = {
  read: (value) => renamed(value, { cmd: 'command', envs: 'env' }),
  write: (members) => renamed(members, { command: 'cmd', env: 'envs' }),
};

const opencodePaths: readonly ServersPath[] = [['mcp'], ['mcp', 'servers']];

/** One list holds command and arguments. */
const opencodeWords: EntryWords = {
  read(value) {
    const { type, command: words, environment: env, ...others } = value;
    if (type !== 'local' && type !== 'remote') return null;
    const [command, ...args] = Array.isArray(words) ? (words as unknown[]) : [];
    return { ...others, type, env, ...(command !== undefined && { command, args }) };
  },
  write({ command, args = [], type, ...others }) {
    const isRun = command !== undefined;
    return {
      ...renamed(others, { env: 'environment' }),
      command: isRun ? [command, ...(args as string[])] : undefined,
      type: isRun ? 'local' : type,
    };
  },
};

/**
 * Root of the JSON; null if it is malformed or has a repeated member: clients take the last of two, and the first would be
 * changed.
 */
function readRoot(text: string): jsonc.Node | null {
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parseTree(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  return !root || errors.length > 0 || hasRepeated(root) ? null : root;
}

const entriesIn = (root: jsonc.Node, paths: readonly ServersPath[], words = usualWords): ReadServer[] =>
  paths
    .flatMap((path) => placesOf(root, path))
    .flatMap((place) => serversAt(root, place))
    .flatMap(({ place, value }): ReadServer[] => {
      const name = String(place.at(-1));
      const content = isObject(value) ? words.read(value) : {};
      const set: ReadServer['set'] = (text, members) => setMembers(text, place, words.write(members));
      return content ? [{ name, named: namedEntry(name, content), set }] : [];
    });

/** `isPlain`: headers of an address cannot be moved in this format. */
function namedEntry(name: string, value: Record<string, unknown> | null, isPlain = false): NamedEntry | null {
  const { env } = value ?? {};
  const stdio = readEntry(value);
  const isOurs = stdio && (unwrapEntry(stdio, env) || isWrapped(stdio));
  const remote = isOurs ? null : readRemote(value);
  const isMovable = remote && !(isPlain && Object.keys(remote.headers).length > 0);
  const entry = isMovable ? remote : stdio;
  return entry && { name, entry, env };
}

type Place = jsonc.JSONPath;

/** Places for a path with `*`. */
function placesOf(root: jsonc.Node, path: ServersPath, place: Place = []): Place[] {
  const [step, ...rest] = path;
  if (step === undefined) return [place];
  const steps = step === '*' ? namesAt(root, place) : [step];
  return steps.flatMap((name) => placesOf(root, rest, [...place, name]));
}

const serversAt = (root: jsonc.Node, place: Place) =>
  namesAt(root, place).map((name) => {
    const node = jsonc.findNodeAtLocation(root, [...place, name]);
    return { place: [...place, name], value: node && (jsonc.getNodeValue(node) as unknown) };
  });

function namesAt(root: jsonc.Node, place: Place): string[] {
  const node = place.length === 0 ? root : jsonc.findNodeAtLocation(root, place);
  if (node?.type !== 'object') return [];
  return (node.children ?? []).map(({ children: [key] = [] }) => String(key?.value));
}

const setMembers = (text: string, place: Place, members: Members): string =>
  Object.entries(members).reduce((before, [member, written]) => {
    const value = Array.isArray(written) && written.length === 0 ? undefined : written;
    const formattingOptions = styleOf(text);
    return jsonc.applyEdits(before, jsonc.modify(before, [...place, member], value, { formattingOptions }));
  }, text);

/** Does any object have two members of one name? */
function hasRepeated({ type, children = [] }: jsonc.Node): boolean {
  const names = type === 'object' ? children.map(({ children: [key] = [] }) => String(key?.value)) : [];
  return new Set(names).size < names.length || children.some(hasRepeated);
}

/** Formatting of the rest of the file. */
export function styleOf(text: string): jsonc.FormattingOptions {
  const [, indent = '  '] = /^([ \t]+)["}\]]/m.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
}
