import jsonc from 'jsonc-parser';
import { isWrapped, readEntry, unwrapEntry, wrapEntry, type StdioEntry, type WrapWords } from './entry.ts';

/** Where a configuration keeps servers by name; `*` is every member. */
export type ServersPath = readonly string[];

/** One server of a configuration. */
export interface Rewritten {
  name: string;
  /** `unfit`: it is reached by an address, or cannot be read. `same`: it is as wanted already. */
  change: 'rewritten' | 'same' | 'unfit';
}

/** A configuration as it would be; null if it is not JSON, with or without comments. */
export type Rewrite = { text: string; servers: Rewritten[] } | null;

/** The configuration with every server over stdio behind the gateway. Comments, order and all else stay. */
export const importServers = (text: string, paths: readonly ServersPath[], words: WrapWords): Rewrite =>
  rewrite(text, paths, (entry, name, names) =>
    unwrapEntry(entry) || isWrapped(entry) ? null : wrapEntry(entry, name, words, names),
  );

/** The configuration with every server as it was started before. */
export const undoServers = (text: string, paths: readonly ServersPath[]): Rewrite => rewrite(text, paths, unwrapEntry);

type Change = (entry: StdioEntry, name: string, names: readonly string[]) => StdioEntry | null;

function rewrite(text: string, paths: readonly ServersPath[], change: Change): Rewrite {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parseTree(text.slice(mark.length), errors, { allowTrailingComma: true });
  if (!root || errors.length > 0) return null;
  if (hasRepeated(root)) return null; // clients take the last of two members, and the first would be changed
  const entries = paths.flatMap((path) => placesOf(root, path)).flatMap((place) => serversAt(root, place));
  const names = entries.map(({ place }) => String(place.at(-1)));
  let changed = text.slice(mark.length);
  const servers = entries.map(({ place, value }): Rewritten => {
    const name = String(place.at(-1));
    const entry = readEntry(value);
    const newEntry = entry && change(entry, name, names);
    if (!newEntry) return { name, change: entry ? 'same' : 'unfit' };
    changed = setEntry(changed, place, newEntry);
    return { name, change: 'rewritten' };
  });
  return { text: mark + changed, servers };
}

type Place = jsonc.JSONPath;

/** The places that a path with `*` stands for. */
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

/** As the rest of the file is written. */
export function styleOf(text: string): jsonc.FormattingOptions {
  const [, indent = '  '] = /^([ \t]+)["}\]]/m.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol };
}
