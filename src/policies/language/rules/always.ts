import { isForApprovers, ownServer } from '#platform/model/names';
import type { KnownTool, ObjectKind } from '#gateway/known-tools/known-server';
import { toolOfServer, toolsLike } from '#gateway/known-tools/known-tools';
import { undoableTitle, undoingTools } from '#gateway/known-tools/undoable';
import { destroying, wordsOfName } from '#gateway/known-tools/tool-verbs';
import { celContext, compileCondition, evaluateCondition } from './expression.ts';
import { faultOfFolder, inFolder, originOf } from './cel.ts';
import type { Facts } from '../../document/rules/document.ts';

export type AlwaysKind = 'project' | 'folder' | 'site' | 'repository' | 'account' | 'command' | 'amount' | 'same';

/** A condition that fits this call and few others: `kind` and `value` are how people name it. */
export interface AlwaysCondition {
  kind: AlwaysKind;
  value: string;
  /** The tool that was asked about, and others of its server that write files by the same arguments. */
  tools: string[];
  when: string;
}

/**
 * The conditions under which calls like this one could always run, the narrowest first. None if nothing in the call can
 * limit them, if it removes or ends something, or if it starts a program that takes more commands.
 */
export function alwaysConditions(facts: Facts): AlwaysCondition[] {
  const { server, tool, args } = facts.request;
  if (server === ownServer.name || isForApprovers(tool)) return [];
  const names = Object.keys(args);
  const entry = toolOfServer(server, tool, names);
  if (isDestroying(facts, entry) || isUnknownRunner(tool, names, entry)) return [];
  const parts = Object.entries(args).map(([name, value]) => partOf([name, value], names, entry));
  const fixed = parts.flatMap(({ clause }) => clause ?? []);
  const scopes = scopesOf(parts);
  const conditionFor = ({ kind, value, clauses }: Scope, tools: [string, string[]][]): AlwaysCondition => ({
    kind,
    value,
    tools: tools.map(([name]) => name),
    when: [...clauses, ...fixed, onlyOf(tools.flatMap(([, takes]) => takes))].join('\n&& '),
  });
  const alone = scopes.map((scope) => conditionFor(scope, [[tool, namesIn(names, entry)]]));
  const like = entry
    ? toolsLike(server, entry).map(([name, other]): [string, string[]] => [name, namesIn(names, other)])
    : [];
  const folders = like.length > 1 ? scopes.filter(({ kind }) => kind === 'folder') : [];
  return [...alone, ...folders.map((scope) => conditionFor(scope, like)), ...inProject(facts)].filter(({ when }) =>
    isUsable(when, facts),
  );
}

/** What can be undone in the project of a coding agent, until what its commands run is defined otherwise. */
function inProject({ request: { server, tool, args, annotations } }: Facts): AlwaysCondition[] {
  const { title, destructiveHint } = annotations;
  const tools = Object.hasOwn(undoingTools, server) ? (undoingTools[server] ?? []) : [];
  const { cwd } = args;
  if (typeof title !== 'string' || !title.startsWith(undoableTitle) || destructiveHint !== false) return [];
  if (!tools.includes(tool) || typeof cwd !== 'string' || faultOfFolder(cwd) !== null || isWide(cwd)) return [];
  const clauses = [
    `inFolder(request.args.cwd, ${textOf(cwd)})`,
    `"title" in request.annotations && request.annotations.title == ${textOf(title)}`,
    'request.risk == "medium"',
  ];
  return [{ kind: 'project', value: cwd, tools: [...tools], when: clauses.join('\n&& ') }];
}

/** With an argument that was not there, a call may be another one. */
const onlyOf = (names: string[]): string =>
  `request.args.all(name, name in [${[...new Set(names)].map(textOf).join(', ')}])`;

/** Names in this call, and names of a known tool that may differ: another one could name a second object. */
const namesIn = (names: string[], entry: KnownTool | undefined): string[] => [
  ...new Set([...names, ...(entry?.takes.filter((name) => isFree(name, names, entry)) ?? [])]),
];

/** May it differ from call to call? With a command, everything counts that could change what runs. */
function isFree(name: string, names: string[], entry: KnownTool | undefined): boolean {
  if (kindOf(name, entry) !== undefined) return false;
  if (isRunning(names, entry)) return words.test(name);
  return entry !== undefined || contents.test(name);
}

const isRunning = (names: string[], entry: KnownTool | undefined): boolean =>
  names.some((name) => kindOf(name, entry) === 'command');

/** Any argument of a tool with such a name may be what it runs. */
const runner = /^(?:run|query|sql|script|shell|invoke|call|http|request|repl|console|python|node|bash|process|batch)$/;

/** A coding agent's hook says so of a command that takes more commands, and a server of a tool that runs any. */
function isDestroying({ request: { server, tool, args, annotations } }: Facts, entry: KnownTool | undefined): boolean {
  const does = entry?.does ?? toolOfServer(server, tool, [])?.does ?? 'writes';
  if (does !== 'writes' && does !== 'sends') return true;
  if (isRunning(Object.keys(args), entry) && annotations['destructiveHint'] === true) return true;
  return !entry && wordsOfName(tool).some((word) => destroying.test(word));
}

function isUnknownRunner(tool: string, names: string[], entry: KnownTool | undefined): boolean {
  const written = names.filter((name) => kindOf(name, entry) === undefined && contents.test(name) && !words.test(name));
  return !entry && written.length > 0 && wordsOfName(tool).some((word) => runner.test(word));
}

/** Does it limit something, and fit this call? */
function isUsable(when: string, facts: Facts): boolean {
  const compiled = compileCondition(when, 'request');
  if (!compiled.ok || !compiled.condition.isNarrow) return false;
  return evaluateCondition(compiled.condition, celContext(facts)).result === 'applied';
}

interface Paths {
  at: string;
  texts: string[];
  isList: boolean;
  /** Is it a folder in which something runs? */
  isFolder: boolean;
}

/** The part of one argument: a path that folders are chosen for, or a clause that holds whatever is chosen. */
interface Part {
  paths: Paths | null;
  clause: string | null;
  /** How people name it, if it is what the call is about. */
  named: { kind: AlwaysKind; value: string } | null;
}

/** Arguments of unknown tools: their names say what they hold. */
const kinds: [RegExp, ObjectKind | 'amount'][] = [
  [
    /^(?:.*[-_]?path|.*Path|paths|file|files|filename|folder|directory|dir|cwd|source|destination|src|dest|root)$/,
    'path',
  ],
  [/^(?:url|urls|uri|href|link|endpoint)$/, 'url'],
  [/^(?:repo|repository|owner|org|organization|project)$/, 'repository'],
  [
    /^(?:account|.*_account|from|to|recipient|recipients|email|channel|channel_id|namespace|customer|user|database)$/,
    'account',
  ],
  [/^(?:command|cmd)$/, 'command'],
  [/^(?:amount|total|sum|quantity)$/, 'amount'], // what is sold for less than a price is no smaller
];
/** Contents that such tools write, which may differ from call to call. A query may be a statement of SQL. */
const contents =
  /^(?:content|contents|text|body|message|title|subject|description|comment|reason|note|limit|page|per_?page|offset|cursor|timeout|timeout_ms|edits|old_string|new_string|old_str|new_str)$/i;
/** Parts of a command that only people read. */
const words = /^(?:title|description|comment|reason|note|timeout|timeout_ms)$/i;
const folders = /^(?:cwd|folder|directory|dir|root)$/;

const kindOf = (name: string, entry: KnownTool | undefined) =>
  entry ? entry.objects?.[name] : kinds.find(([form]) => form.test(name))?.[1];

const nothing: Part = { paths: null, clause: null, named: null };

function partOf([name, value]: [string, unknown], names: string[], entry: KnownTool | undefined): Part {
  const at = placeOf(name);
  const has = isPlain(name) ? `has(${at})` : `${textOf(name)} in request.args`;
  const kind = kindOf(name, entry);
  const texts = textsOf(value);
  if (kind === 'path' && texts?.every((text) => parentOf(text) !== null))
    return { ...nothing, paths: { at, texts, isList: Array.isArray(value), isFolder: folders.test(name) } };
  if (kind === 'url' && texts?.every((text) => siteOf(text) !== null))
    return siteOfAll(at, has, texts, Array.isArray(value));
  if (kind === 'amount' && typeof value === 'number' && value >= 0)
    return { ...nothing, clause: `${has} && ${at} >= 0 && ${at} <= ${value}`, named: { kind, value: String(value) } };
  if (isFree(name, names, entry)) return nothing;
  const named = kind && kind !== 'path' && kind !== 'url' && typeof value === 'string' ? { kind, value } : null;
  return { ...nothing, clause: `${has} && ${at} == ${literalOf(value)}`, named };
}

/** The one site of all of these addresses; long ones, in which data could leave, are not like them. */
function siteOfAll(at: string, has: string, texts: string[], isList: boolean): Part {
  const [site = '', ...others] = new Set(texts.map((text) => siteOf(text) ?? ''));
  if (others.length > 0) return { ...nothing, clause: 'false' };
  const longest = Math.max(200, ...texts.map(({ length }) => length));
  const holds = (each: string): string => `onSite(${each}, ${textOf(site)}) && size(${each}) <= ${longest}`;
  const named = { kind: 'site', value: site } as const;
  if (!isList) return { ...nothing, clause: `${has} && ${holds(at)}`, named };
  return { ...nothing, clause: `${has} && ${at}.all(each, ${holds('each')}) && ${holds(`${at}[0]`)}`, named };
}

interface Scope {
  kind: AlwaysKind;
  value: string;
  clauses: string[];
}

/** The folders that all paths are in, or else the one thing that the call is about. */
function scopesOf(parts: Part[]): Scope[] {
  const paths = parts.flatMap(({ paths: ofPart }) => ofPart ?? []);
  const named = parts.flatMap((part) => part.named ?? []);
  const [first] = named;
  const about = named.filter(({ kind }) => kind === first?.kind).map(({ value }) => value);
  const scope = first ? { kind: first.kind, value: about.join(first.kind === 'repository' ? '/' : ', ') } : null;
  if (paths.length === 0) return [{ kind: 'same', value: '', ...scope, clauses: [] }];
  const choices = foldersOf(paths);
  if (choices.length === 0)
    return [
      { kind: 'same', value: '', ...scope, clauses: paths.map(({ at, texts, isList }) => same(at, texts, isList)) },
    ];
  return (scope ? choices.slice(0, 1) : choices).map((folder) => ({
    kind: 'folder' as const,
    value: folder,
    ...scope,
    clauses: paths.map((path) => within(path, folder)),
  }));
}

const same = (at: string, texts: string[], isList: boolean): string =>
  `${at} == ${literalOf(isList ? texts : texts[0])}`;

/** Files that begin with a dot run by themselves or hold secrets (`.git`, `.env`), so below a folder they are left to people. */
const hidden = String.raw`[/\\]\.`;
const hiddenIn = (path: string): number => path.match(new RegExp(hidden, 'g'))?.length ?? 0;

function within({ at, isList }: Paths, folder: string): string {
  const more = Array<string>(hiddenIn(folder) + 1).fill(hidden);
  const holds = (each: string): string =>
    `inFolder(${each}, ${textOf(folder)}) && !re2(${each}, ${textOf(more.join('.*'))})`;
  return isList ? `${at}.all(each, ${holds('each')}) && ${holds(`${at}[0]`)}` : holds(at);
}

const maxFolders = 3;
/** Folders of a whole person or the system, which are not of one kind of work; matched without case. */
const wide = [
  /^(?:[a-z]:)?[\\/](?:home|Users)[\\/][^\\/]+(?:[\\/](?:Library|AppData(?:[\\/][^\\/]+)?))?$/i,
  /^\/(?:root|etc|usr|var|s?bin|boot|opt|lib|sys|proc|dev|run|tmp|System|Library|private(?:\/var)?)(?:\/[^/]+)?$/i,
  /^[a-z]:[\\/](?:Windows|Program Files(?: \(x86\))?|ProgramData)(?:[\\/][^\\/]+)?$/i,
];

/** A disk of Windows, as Linux on it has it. */
const mounted = /^\/mnt\/([a-z])(?=\/|$)/i;

function isWide(folder: string): boolean {
  const path = folder.replace(mounted, '$1:');
  return depthOf(path) < 2 || wide.some((form) => form.test(path));
}

/** The folders that hold all of them, the innermost first. */
function foldersOf(paths: Paths[]): string[] {
  const [first] = paths;
  const choices: string[] = [];
  let folder = first?.isFolder === true ? (first.texts[0] ?? null) : parentOf(first?.texts[0] ?? '');
  while (folder !== null && choices.length < maxFolders) {
    const candidate = folder;
    const holds = (text: string): boolean => inFolder(text, candidate) && hiddenIn(text) === hiddenIn(candidate);
    const holdsAll = paths.every(({ texts }) => texts.every(holds));
    if (holdsAll && faultOfFolder(candidate) === null && !isWide(candidate)) choices.push(candidate);
    folder = parentOf(candidate);
  }
  return choices;
}

const depthOf = (folder: string): number => folder.split(/[\\/]/).length - 1;

/** A path with these parts names a wider folder than it seems to. */
const empty = /[\\/]\.?(?=[\\/]|$)/;

/** The folder of an absolute path; null if it has none, or could be read differently. */
function parentOf(path: string): string | null {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end > 0 && !empty.test(path) && inFolder(path, path) && faultOfFolder(path) === null
    ? path.slice(0, end)
    : null;
}

function siteOf(address: string): string | null {
  const site = originOf(address);
  return site !== null && /^https?:/.test(site) && address.startsWith(site) ? site : null;
}

/** A text, or a list of some; null for anything else. */
function textsOf(value: unknown): string[] | null {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every((text) => typeof text === 'string') ? all : null;
}

const placeOf = (name: string): string => (isPlain(name) ? `request.args.${name}` : `request.args[${textOf(name)}]`);

const reserved = [
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
].concat(['loop', 'namespace', 'null', 'package', 'return', 'true', 'var', 'void', 'while']);
const isPlain = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !reserved.includes(name);

/** As CEL writes it; hidden characters are spelled out, so that people see them. */
export const textOf = (text: string): string =>
  JSON.stringify(text).replaceAll(/\p{C}|[^\P{Z} ]/gu, (hidden) => {
    const code = (hidden.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
  });

function literalOf(value: unknown): string {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  // CEL compares no records letter by letter, so a call with one is like no other.
  return typeof value === 'object' && value !== null ? 'false' : String(value);
}
