import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '#platform/model/problem';
import jsonc from 'jsonc-parser';
import {
  setTomlServer,
  tomlServersIn,
  isWrapped,
  plainName,
  reachOfEntry,
  readEntry,
  ServerNames,
  serverOf,
  unwrapEntry,
  wrapEntry,
  type NamedEntry,
  type StdioEntry,
  type WrapWords,
} from './import.ts';

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

/** The text of a file; null if it does not exist. */
export async function readIfThere(file: string): Promise<string | null> {
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

/** Places of the servers in JSON, or `codex` for the TOML of Codex. */
export type ServersPlaces = readonly ServersPath[] | 'codex';

/** One server of a configuration. */
export interface Rewritten {
  name: string;
  /** `unfit`: the server has an address, or cannot be read. `same`: it needs no change. */
  change: 'rewritten' | 'same' | 'unfit';
}

/** The rewritten configuration; null if it is no TOML or JSON, with or without comments. */
export type Rewrite = { text: string; servers: Rewritten[] } | null;

/** The configuration with every server over stdio behind the gateway. Comments, order and everything else stay. */
export const importServers = (
  text: string,
  paths: ServersPlaces,
  words: WrapWords,
  names = claimNames([{ text, paths }]),
): Rewrite =>
  rewrite(text, paths, (named) =>
    unwrapEntry(named.entry) || isWrapped(named.entry) ? null : wrapEntry(named, names.nameFor(named), words),
  );

/** The way a configuration runs one server: behind the gateway (with this name if imported), or past it. */
interface ExaminedServer {
  name: string;
  way: 'gateway' | 'past' | 'address';
  server: string | null;
  /** Reach of the server with these variables; null if its command is unknown. */
  reaches: string | null;
}

/** How each server of a configuration is run; null if it cannot be read. */
export const examineServers = (
  text: string,
  paths: ServersPlaces,
  inherited: Readonly<Record<string, string | undefined>> = {},
): ExaminedServer[] | null =>
  readServers(text, paths)?.map(({ name, named }): ExaminedServer => {
    if (!named) return { name, way: 'address', server: null, reaches: null };
    const { entry, env } = named;
    const own = unwrapEntry(entry);
    const server = own && serverOf(entry);
    const reaches = own && reachOfEntry(own, env, inherited);
    return { name, way: server !== null || isWrapped(entry) ? 'gateway' : 'past', server, reaches };
  }) ?? null;

/** The configuration with every server started as before. */
export const undoServers = (text: string, paths: ServersPlaces): Rewrite =>
  rewrite(text, paths, ({ entry }) => unwrapEntry(entry));

/**
 * Names of all servers of these configurations. Servers behind the gateway keep theirs, and an entry that already is a valid
 * name comes before one that would become it.
 */
export function claimNames(configurations: readonly { text: string; paths: ServersPlaces }[]): ServerNames {
  const names = new ServerNames();
  const all = configurations.flatMap(({ text, paths }) =>
    (readServers(text, paths) ?? []).flatMap(({ named }) => named ?? []),
  );
  for (const { entry, ...named } of all) {
    const [own, server] = [unwrapEntry(entry), serverOf(entry)];
    if (own && server !== null) names.claim(server, { ...named, entry: own });
  }
  for (const named of all) if (!unwrapEntry(named.entry) && plainName(named.name) === named.name) names.nameFor(named);
  return names;
}

type Change = (named: NamedEntry) => StdioEntry | null;

function rewrite(text: string, paths: ServersPlaces, change: Change): Rewrite {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const read = readServers(text, paths);
  if (!read) return null;
  let changed = text.slice(mark.length);
  const servers = read.map(({ set, name, named }): Rewritten => {
    const newEntry = named && change(named);
    if (!newEntry) return { name, change: named ? 'same' : 'unfit' };
    changed = set(changed, newEntry);
    return { name, change: 'rewritten' };
  });
  return { text: mark + changed, servers };
}

/** One server, with a way to change its entry in a text. */
interface ReadServer {
  name: string;
  /** Null without a command. */
  named: NamedEntry | null;
  set(text: string, entry: StdioEntry): string;
}

function readServers(text: string, paths: ServersPlaces): ReadServer[] | null {
  if (paths === 'codex')
    return (
      tomlServersIn(text.replace(/^\ufeff/, ''))?.map(({ name, value }) => ({
        name,
        named: namedEntry(name, value),
        set: (before, entry) => setTomlServer(before, name, entry),
      })) ?? null
    );
  const root = readRoot(text);
  return root && entriesIn(root, paths);
}

/**
 * Root of the JSON; null if it is malformed or has a repeated member: clients take the last of two, and the first would be
 * changed.
 */
function readRoot(text: string): jsonc.Node | null {
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parseTree(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true });
  return !root || errors.length > 0 || hasRepeated(root) ? null : root;
}

const entriesIn = (root: jsonc.Node, paths: readonly ServersPath[]): ReadServer[] =>
  paths
    .flatMap((path) => placesOf(root, path))
    .flatMap((place) => serversAt(root, place))
    .map(({ place, value }) => {
      const name = String(place.at(-1));
      return { name, named: namedEntry(name, value), set: (text, entry) => setEntry(text, place, entry) };
    });

function namedEntry(name: string, value: unknown): NamedEntry | null {
  const entry = readEntry(value);
  return entry && { name, entry, env: (value as { env?: unknown }).env };
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

function setEntry(text: string, place: Place, { command, args }: StdioEntry): string {
  const formattingOptions = styleOf(text);
  const set = (before: string, member: string, value: unknown): string =>
    jsonc.applyEdits(before, jsonc.modify(before, [...place, member], value, { formattingOptions }));
  return set(set(text, 'command', command), 'args', args.length === 0 ? undefined : args);
}

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
