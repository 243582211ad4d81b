import type { UpstreamLine } from '../frames/reading.ts';
import { isFrameId, type Frame, isObject } from '../frames/frame.ts';
import { readdirSync, readFileSync, statSync, existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { inTurns, atOnce } from '#platform/crypto/in-turns';
import { anything, isCommandLine, readCommands, type Command, type Variables } from './shell-words.ts';
import { homedir } from 'node:os';

/** The same message, or a fault if it carries a secret of Assentry, so that it reaches no one. */
export const withholdSecrets = (read: UpstreamLine, ownFiles: OwnFiles): UpstreamLine =>
  'fault' in read ? read : without(read, ownFiles.findSecret(read.frame));

/** As `withholdSecrets`, with turns for other work in between if the message is long. */
export const withholdSecretsInTurns = async (read: UpstreamLine, ownFiles: OwnFiles): Promise<UpstreamLine> =>
  'fault' in read ? read : without(read, await ownFiles.findSecretInTurns(read.frame));

function without(read: Extract<UpstreamLine, { frame: Frame }>, name: string | null): UpstreamLine {
  if (name === null) return read;
  const { id, method } = read.frame;
  return { fault: `it carries a secret of Assentry (${name})`, id: method === undefined && isFrameId(id) ? id : null };
}

/** Names in a folder; none if it is missing or unreadable. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export interface OwnFilesOptions {
  /** Environment of the tools. */
  variables: NodeJS.ProcessEnv;
  /** Secrets outside of files. */
  secrets?: readonly KeptSecret[];
  /** Command of the server: names may begin in the folders it names. */
  words?: readonly string[];
  /** Working directory of the tools, if not that of this process. */
  cwd?: string;
}

/**
 * Keeps calls away from Assentry's own files, and its secrets out of results. No setting turns it off. The data directory may
 * be made later.
 */
export function openOwnFiles(directory: string, { secrets = [], ...machine }: OwnFilesOptions) {
  let state = '';
  let finder = new SecretFinder(secrets);
  const current = (): SecretFinder => {
    const now = stateOf(directory);
    if (now !== state) finder = new SecretFinder([...secrets, ...readSecrets(directory)]);
    state = now;
    return finder;
  };
  return {
    /** The path by which a call leads into them; null if it does not, as far as can be told. */
    findPath: (tool: string, args: unknown): string | null =>
      findOwnPath(tool, args, readFileFacts(directory, machine)),
    /** The name of the secret of Assentry that a message carries; null if it carries none. */
    findSecret: (message: unknown): string | null => current().find(message),
    /** As `findSecret`, with turns for other work in between if the message is long. */
    findSecretInTurns: (message: unknown): Promise<string | null> => inTurns(current().search(message)),
  };
}

export type OwnFiles = ReturnType<typeof openOwnFiles>;

const keysIn = (directory: string): string => path.join(directory, 'gateway', 'keys');

/** Changes when a secret is added, replaced or removed. */
const stateOf = (directory: string): string => filesWith(directory).map(stampOf).join();

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${file}:${ino}:${size}:${mtimeMs}`;
  } catch {
    return '';
  }
}

const filesWith = (directory: string): string[] => [
  ...['secret', 'set-up-link', path.join('postgres', 'password')].map((name) => path.join(directory, name)),
  ...namesIn(keysIn(directory)).map((name) => path.join(keysIn(directory), name)),
];

const readSecrets = (directory: string): KeptSecret[] =>
  filesWith(directory).flatMap((file) => secretsIn(path.relative(directory, file), readText(file)));

/** Secrets in a text. A ring of secrets is `kid:secret,kid:secret`, and the secret of a link is behind its `#link=`. */
export function secretsIn(name: string, text: string): KeptSecret[] {
  const texts = text.split(/[\s,]+|(?<=^|,)[A-Za-z0-9-]{1,16}:/);
  return texts.map((part) => ({ name, value: part.replace(/^.*#link=/, '') }));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A path as a word names it. */
interface NamedPath {
  path: string;
  isAbsolute: boolean;
}

type Places = Pick<FileFacts, 'home' | 'variables' | 'isWindows'>;

/** Longest path of any system; longer texts name no file. */
const maxPathLength = 4_096;

/** Every path that this word may name: unchanged, as an address, decoded, or behind an option. */
export function pathsIn(word: string, places: Places): NamedPath[] {
  if (word.length > maxPathLength * 16) return [];
  const readings = new Set<string>();
  for (const reading of [word, ...partsOf(word), ...addressesIn(word)]) addReadings(reading, readings);
  return [...readings]
    .filter((text) => text !== '' && text.length <= maxPathLength)
    .map((text) => namedPath(expand(text, places), places));
}

function addReadings(text: string, readings: Set<string>): void {
  const [plain = ''] = text.trim().split('\0');
  readings.add(plain);
  const once = decoded(plain);
  if (once === plain) return;
  readings.add(once).add(decoded(once));
}

/** Parts behind an option's name, an `=`, an `@` or between separators: `--file=/x`, `-f/x`, `@/x`, `a:/x`. */
function partsOf(word: string): string[] {
  const bare = /^-{1,2}[A-Za-z]+(?=[~/.])/.exec(word);
  const parts = word.split(/[=,:;@'"]/);
  return [...(parts.length > 1 ? parts : []), ...(bare ? [word.slice(bare[0].length)] : []), ...decodedWords(word)];
}

/** The paths of addresses anywhere in a text; a path of the web is none of this machine. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/\b([a-z][a-z0-9+.-]{0,31}):(\/[^\s"'<>]*)/gi)]
    .filter(([, scheme = '']) => !/^https?$|^wss?$/i.test(scheme))
    .flatMap(([, , rest = '']) => {
      const path = rest.replace(/^\/\/[^/]*/, '').replace(/[?#].*$/s, '');
      return [path, rest, path.replace(/^\/(?=[A-Za-z]:)/, ''), rest.replace(/^\/+/, '/')];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A word in base64 or hexadecimal digits that hides a text. */
function decodedWords(word: string): string[] {
  const encodings = [
    [/^[0-9a-f]{16,}$/i, 'hex'],
    [/^[A-Za-z0-9+/_-]{12,}=*$/, 'base64'],
  ] as const;
  return encodings
    .filter(([pattern]) => pattern.test(word))
    .map(([, encoding]) => Buffer.from(word, encoding).toString('utf8').trim())
    .filter((text) => /^[ -~]+$/.test(text));
}

/** Expands `~`, and variables in the notations of shells and other programs. */
function expand(text: string, { home, variables }: Places): string {
  const expanded = text.replaceAll(/\$\{?(?:env:)?(\w+)\}?|%(\w+)%/gi, (whole, dollar, percent) => {
    const name = String(dollar ?? percent);
    return name === 'HOME' || name === 'USERPROFILE' ? home : (variables[name] ?? whole);
  });
  const [, user, rest] = /^~([\w.-]*)(.*)$/s.exec(expanded) ?? [];
  if (rest === undefined || (rest !== '' && !/^[\\/]/.test(rest))) return expanded;
  return (user === '' || user === undefined ? home : `${home}/../${user}`) + rest;
}

function namedPath(path: string, { isWindows }: Places): NamedPath {
  return { path, isAbsolute: path.startsWith('/') || (isWindows && /^(?:[A-Za-z]:[\\/]|\\)/.test(path)) };
}

/** Limit of paths looked up in the file system for one call; of the rest only the text counts. */
const maxLooks = 500;

/**
 * Limit in characters of command lines read for one call, the shortest first: a longer text would keep all others waiting. No
 * system takes a command of this length.
 */
const maxRead = 1_000_000;

/** Members with the content of a file whose path stands next to it; content is no path. */
const contents = /^(?:contents?|text|file_text|edits|new_?source|(?:new|old)_?(?:string|str|text))$/i;
const pathMember = /^(?:path|uri|file(?:_?(?:path|name))?|notebook_?path|target_?file)$/i;

/** Tools that go through everything in a folder, by a part of their name. */
const searching =
  /grep|glob|search|find|tree|recurs|walk|archive|zip|tar(?:ball)?$|copy|move|rename|delete|remove|index/i;
/** Programs that always do so, and those that do so by an option. */
const recursive =
  /^(?:tar|bsdtar|zip|7z|7za|find|fd|fdfind|tree|rg|ag|ack|rsync|mv|cpio|pax|fzf|restic|borg|robocopy|xcopy)$/;
const byOption = /^(?:[efz]*grep|cp|scp|ls|rm|chmod|chown|diff|du|dir|get-childitem|gci|copy-item|select-string)$/;
const isRecursiveOption = (word: string): boolean => /^-(?:[a-z]*[ra][a-z]*|-recursive|-archive|recurse)$/i.test(word);
/** Programs that search the working directory if they get no path. */
const searchesHere = /^(?:find|fd|fdfind|tree|rg|ag|ack|[efz]*grep|ls|get-childitem|gci|select-string|dir)$/;

/**
 * The first path by which this call leads into one of Assentry's own directories; null if it does not, as far as its arguments
 * tell. A pure decision of text and facts.
 */
export function findOwnPath(tool: string, args: unknown, facts: FileFacts): string | null {
  const search = new Search(facts);
  for (const text of textsIn(args).toSorted((left, right) => left.length - right.length)) search.read(text);
  const inside = search.findInside();
  if (inside !== null) return inside;
  const commands = [...search.commands, ...wordLists(args)];
  for (const command of commands) {
    const swept = search.findSwept(command);
    if (swept !== null) return swept;
  }
  return searching.test(tool) || isAskedToRecurse(args) ? search.findAround(tool, args) : null;
}

/** One call's words and their possible targets. */
class Search {
  readonly commands: Command[] = [];
  readonly #facts: FileFacts;
  readonly #words = new Set<string>();
  readonly #real = new Map<string, string>();
  #left = maxRead;

  constructor(facts: FileFacts) {
    this.#facts = facts;
  }

  read(text: string): void {
    this.#words.add(text);
    if (!isCommandLine(text) || (this.#left -= text.length) < 0) return;
    const { cwd, home, variables, isWindows } = this.#facts;
    const values = { HOME: home, PWD: cwd, ...variables };
    const line = patchedFiles(text) ?? text;
    const readings = isWindows && line.includes('\\') ? [line, line.replaceAll('\\', '\\\\')] : [line];
    const commands = readings.flatMap((reading) => readCommands(reading, values));
    for (const command of commands) {
      this.commands.push(command);
      for (const word of command) this.#words.add(word);
      if (command.length === 1 && command[0] === 'cd') this.#words.add('~');
    }
  }

  /** The first word that leads inside, from any place an earlier word may have led to. */
  findInside(): string | null {
    const paths = [...this.#words].flatMap((word) => pathsIn(word, this.#facts));
    const absolute = paths.filter(({ isAbsolute }) => isAbsolute);
    const relative = paths.filter(({ isAbsolute }) => !isAbsolute);
    const starts = [this.#facts.cwd, ...this.#facts.roots];
    const all = [...absolute.map(({ path }) => path), ...starts.flatMap((start) => this.#join(start, relative))];
    const above = new Set(starts.filter((start) => this.#isAround(start)));
    const anywhere = relative.find(({ path }) => this.#isKeptFile(path));
    if (anywhere) return anywhere.path;
    for (const path of all) {
      if (this.#isInside(path)) return path;
      if (this.#isAround(path)) above.add(path);
    }
    const backwards = relative.filter(({ path }) => path.includes('..'));
    const fromElsewhere = absolute.slice(0, maxLooks).flatMap(({ path }) => this.#join(path, backwards.slice(0, 20)));
    return fromElsewhere.find((path) => this.#isInside(path)) ?? this.#findBelow(above, relative);
  }

  /** The first folder around Assentry's that this command goes through completely. */
  findSwept(command: Command): string | null {
    const at = command.findIndex((word) => recursive.test(programOf(word)) || byOption.test(programOf(word)));
    const program = programOf(command[at] ?? '');
    const words = command.slice(at + 1);
    if (at < 0 || (!recursive.test(program) && !words.some(isRecursiveOption))) return null;
    const operands = words.filter((word) => !word.startsWith('-'));
    const isHere =
      searchesHere.test(program) && (operands.length === 0 || /grep|^(?:rg|ag|ack|fdfind|fd)$/.test(program));
    return this.#findAround(isHere && operands.length <= 1 ? [...operands, '.'] : operands);
  }

  /** The first member that names a folder around Assentry's; the working directory, if such a tool gets no folder. */
  findAround(tool: string, args: unknown): string | null {
    const isHere = /^(?:grep|glob)$/i.test(tool) && isObject(args) && typeof args['path'] !== 'string';
    return this.#findAround([...textsIn(args), ...(isHere ? ['.'] : [])]);
  }

  #findAround(words: string[]): string | null {
    const { cwd } = this.#facts;
    const paths = words.flatMap((word) => pathsIn(word, this.#facts));
    const all = paths.flatMap((named) => (named.isAbsolute ? [named.path] : this.#join(cwd, [named])));
    return all.find((path) => this.#isAround(path)) ?? null;
  }

  /** Finds paths reached in steps from a folder above: `cd /home; cd ada; cat .assentry/secret`. */
  #findBelow(above: Set<string>, relative: NamedPath[]): string | null {
    for (const base of above)
      for (const path of this.#join(base, relative)) {
        if (this.#isInside(path)) return path;
        if (!above.has(path) && above.size < 64 && this.#isAround(path)) above.add(path);
      }
    return null;
  }

  #join(base: string, relative: NamedPath[]): string[] {
    return relative.map(({ path }) => `${base}/${path}`);
  }

  #isInside(path: string): boolean {
    const { own } = this.#facts;
    return own.some((directory) => {
      const parts = this.#parts(directory);
      return leadsInto(this.#parts(path), parts) || startsWith(this.#parts(this.#realPath(path)), parts);
    });
  }

  /** Is it a file of Assentry, below a folder that the server may have from its client or from another call? */
  #isKeptFile(path: string): boolean {
    if (isElsewhere.test(path)) return false;
    const parts = this.#parts(path);
    return this.#facts.own.some((directory) => {
      const name = this.#parts(directory).at(-1);
      const at = parts.lastIndexOf(name ?? '');
      return at >= 0 && keptFiles.some((file) => startsWith(parts.slice(at + 1), file));
    });
  }

  #isAround(path: string): boolean {
    const { own } = this.#facts;
    const isAround = (candidate: string): boolean => {
      const parts = this.#parts(candidate);
      return own.some((directory) => startsWith(this.#parts(directory), parts));
    };
    return isAround(path) || isAround(this.#realPath(path));
  }

  #realPath(path: string): string {
    const last = this.#real.get(path);
    if (last !== undefined || this.#real.size >= maxLooks || path.includes(anything)) return last ?? path;
    const real = this.#facts.realPath(path);
    this.#real.set(path, real);
    return real;
  }

  #parts(path: string): string[] {
    const { isWindows, ignoresCase } = this.#facts;
    const parts: string[] = [];
    for (const part of path.split(isWindows ? /[\\/]+/ : /\/+/)) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.' && part !== '?')
        parts.push(isWindows ? plainPart(part, parts.length) : part);
    }
    return ignoresCase || isWindows ? parts.map((part) => part.normalize('NFC').toLowerCase()) : parts;
  }
}

/** Windows drops dots and spaces at the end of a name, and takes the text after a colon as another stream of the file. */
const plainPart = (part: string, at: number): string =>
  at === 0 ? part : part.replace(/:.*$/s, '').replace(/[. ]+$/, '');

const startsWith = (parts: string[], beginning: string[]): boolean =>
  beginning.length <= parts.length && beginning.every((part, at) => part === parts[at]);

/** Names in the data directory. */
const kept = ['secret', 'serving', 'set-up-link', 'gateway', 'postgres', 'log-head', 'keys'];
/** Matches addresses and texts of several lines, which are no relative paths. */
const isElsewhere = /^[a-z][a-z0-9+.-]*:\/\/|[\r\n]/i;
const keptFiles = [['secret'], ['serving'], ['set-up-link'], ['gateway', 'keys'], ['postgres', 'password']];
const isPattern = (part: string): boolean => part.includes(anything) || /[*?[]/.test(part);

/** Does this path lead into the directory, if `*` and the like stand for any name? */
function leadsInto(path: string[], directory: string[]): boolean {
  if (startsWith(path, directory)) return true;
  if (!path.some(isPattern) || path.length > 64) return false;
  return matchesFrom({ path, directory, tried: new Set() }, 0, 0);
}

interface Matching {
  path: string[];
  directory: string[];
  /** Places that were tried without success: each is tried once, because a path of many `**` has millions of ways. */
  tried: Set<string>;
}

function matchesFrom(matching: Matching, at: number, own: number): boolean {
  const { path, directory, tried } = matching;
  const [part, place] = [path[at], `${at} ${own}`];
  if (own === directory.length) return matchesKept(path, at);
  if (part === undefined || tried.has(place)) return false;
  tried.add(place);
  if (isDeep(part) && (matchesFrom(matching, at + 1, own) || matchesFrom(matching, at, own + 1))) return true;
  return matches(part, directory[own] ?? '') && matchesFrom(matching, at + 1, own + 1);
}

/**
 * Does the rest of a path match a name within the directory: a name that exists or, for the directory itself, part of its name?
 */
function matchesKept(path: string[], at: number): boolean {
  const rest = path.slice(at).filter((part) => !isDeep(part));
  const [next = path[at - 1] ?? ''] = rest;
  return rest.length === 0 ? isTelling(next) : kept.some((name) => matches(next, name));
}

/** True if the part may stand for several folders, or none. */
const isDeep = (part: string): boolean => part === '**' || (part.includes(anything) && !isTelling(part));

/** True if the part fixes some of the name, so that it does not match every name. */
const isTelling = (part: string): boolean => part.replaceAll(anything, '').replaceAll(/[*?[\]!^-]/g, '') !== '';

/** Matches as shells do: a `*` does not stand for a dot at the beginning. */
function matches(part: string, name: string): boolean {
  if (!isPattern(part)) return part === name;
  if (name.startsWith('.') && /^[*?]/.test(part) && part !== '**') return false;
  return matchesWhole(part.match(/\[[^\]]*\]?|[^[]/gsu) ?? [], [...name]);
}

/** Goes back only to the last `*`, so that no pattern takes longer than its length times that of the name. */
function matchesWhole(pattern: string[], name: string[]): boolean {
  let [at, star, from] = [0, -1, 0];
  for (let place = 0; place < name.length;) {
    const token = pattern[at];
    if (token === '*' || token === anything) [star, from] = [at++, place];
    else if (token !== undefined && matchesOne(token, name[place] ?? '')) [at, place] = [at + 1, place + 1];
    else if (star >= 0) [at, place] = [star + 1, (from += 1)];
    else return false;
  }
  return pattern.slice(at).every((token) => token === '*' || token === anything);
}

function matchesOne(token: string, letter: string): boolean {
  if (token === '?' || token === letter) return true;
  if (!token.startsWith('[')) return false;
  try {
    return new RegExp(`^${token.replace('[!', '[^')}$`, 's').test(letter);
  } catch {
    return true; // half a pattern, which a shell would leave as it is
  }
}

/** Name of a program: `/usr/bin/tar` is tar. */
const programOf = (word: string): string => (word.split(/[\\/]/).at(-1) ?? '').replace(/\.exe$/i, '').toLowerCase();

/** Texts among these arguments that may be paths or command lines. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const names = Object.keys(value);
  const hasPath = names.some((name) => pathMember.test(name));
  return names.flatMap((name) => [name, ...(hasPath && contents.test(name) ? [] : textsIn(value[name]))]);
}

/** Commands given word by word: `{ command: 'tar', args: ['-c', '/home/ada'] }`. */
function wordLists(value: unknown): Command[] {
  if (Array.isArray(value)) return [value.filter((item) => typeof item === 'string'), ...value.flatMap(wordLists)];
  if (!isObject(value)) return [];
  const flat = Object.values(value)
    .flat()
    .filter((item) => typeof item === 'string');
  return [flat, ...Object.values(value).flatMap(wordLists)];
}

const isAskedToRecurse = (args: unknown): boolean =>
  isObject(args) &&
  Object.entries(args).some(([name, value]) => /^(?:is_?)?recurs/i.test(name) && value !== false && value !== 'false');

/** Files named in a patch of Codex; null if it is none. The patched content is no path. */
function patchedFiles(text: string): string | null {
  if (!text.trimStart().startsWith('*** Begin Patch')) return null;
  return [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.*)$/gm)]
    .map(([, file]) => `'${file}'`)
    .join('\n');
}

/** Facts of this machine at this moment: the data directory may be made, or links moved, while a server runs. */
function readFileFacts(
  directory: string,
  {
    cwd = process.cwd(),
    words = [],
    variables,
  }: { cwd?: string; words?: readonly string[]; variables: NodeJS.ProcessEnv },
): FileFacts {
  const own = [...new Set([directory, realPath(directory)])];
  return {
    own,
    cwd,
    roots: words.filter((word) => path.isAbsolute(word)),
    home: homedir(),
    variables,
    isWindows: process.platform === 'win32',
    ignoresCase: existsSync(directory) && existsSync(otherCase(directory)),
    realPath,
  };
}

/** The real path of the existing part, followed by the rest. A name that is too long or unreadable stays unchanged. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file || parent === '.' ? file : path.join(realPath(parent), path.basename(file));
  }
}

const otherCase = (text: string): string =>
  [...text]
    .map((character) => (character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()))
    .join('');

/** A secret of Assentry, under a name that may be shown. */
interface KeptSecret {
  name: string;
  value: string;
}

/** Shortest secret; a shorter text could appear by chance. */
const shortest = 16;

/** Finds secrets in messages: plain, in base64 at any place, in hexadecimal digits, broken by white space or escapes. */
export class SecretFinder {
  readonly #forms: { name: string; form: string }[];
  /** All forms at once: one scan of a long text. */
  readonly #pattern: RegExp;
  readonly #longest: number;

  constructor(secrets: readonly KeptSecret[]) {
    const usable = secrets.filter(({ value }) => value.length >= shortest);
    this.#forms = usable.flatMap(({ name, value }) => [...new Set(formsOf(value))].map((form) => ({ name, form })));
    this.#longest = Math.max(0, ...this.#forms.map(({ form }) => form.length));
    this.#pattern = new RegExp(this.#forms.map(({ form }) => form.replaceAll(/[^\w]/g, String.raw`\$&`)).join('|'));
  }

  /** The name of a secret in this message; null if it has none. */
  find(message: unknown): string | null {
    return atOnce(this.search(message));
  }

  /** As `find`, but yields where it can be interrupted. */
  *search(message: unknown): Generator<void, string | null> {
    if (this.#forms.length === 0) return null;
    const texts: string[] = [];
    yield* collect(message, texts);
    const whole = texts.length > 1 ? [texts.join('')] : [];
    let count = 0;
    for (const text of [...texts, ...whole].filter(({ length }) => length >= shortest)) {
      if ((count += 1) % textsAtOnce === 0) yield;
      const name = text.length > partSize ? yield* this.#searchLong(text) : this.#findInShort(text);
      if (name !== null) return name;
    }
    return null;
  }

  #findInShort(text: string): string | null {
    const bare = joined(text);
    return this.#findIn(text) ?? (bare === text ? null : this.#findIn(bare));
  }

  /** Searches part by part, each with the end of the one before: a secret may span both. */
  *#searchLong(text: string): Generator<void, string | null> {
    let [end, bareEnd] = ['', ''];
    for (let at = 0, to = 0; at < text.length; at = to) {
      to = endOfPart(text, at);
      const part = text.slice(at, to);
      const bare = joined(part);
      const name = this.#findIn(end + part) ?? this.#findIn(bareEnd + bare);
      if (name !== null) return name;
      end = this.#endOf(end + part);
      bareEnd = this.#endOf(bareEnd + bare);
      yield;
    }
    return null;
  }

  #endOf(text: string): string {
    return text.slice(Math.max(0, text.length - this.#longest));
  }

  #findIn(text: string): string | null {
    if (!this.#pattern.test(text)) return null;
    return this.#forms.find(({ form }) => text.includes(form))?.name ?? null;
  }
}

/** Collects every text, names of members as well. */
function* collect(value: unknown, texts: string[]): Generator<void, void> {
  if (texts.length % textsAtOnce === 0) yield;
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) yield* collect(item, texts);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      if (name.length >= shortest) texts.push(name);
      if (!isLabel(name, inner)) yield* collect(inner, texts);
    }
}

const textsAtOnce = 500;
/** Characters searched at once. */
const partSize = 64 * 1024;

/** End of the part that begins here: not within an escape. */
function endOfPart(text: string, start: number): number {
  const end = start + partSize;
  if (end >= text.length) return text.length;
  const escape = text.slice(end - longestEscape + 1, end).lastIndexOf('\\');
  return escape < 0 ? end : end - longestEscape + 1 + escape;
}

const longestEscape = 6;

/** Short labels, which would break a secret given in parts. */
const isLabel = (name: string, value: unknown): boolean =>
  ['jsonrpc', 'type', 'mimeType', 'role'].includes(name) && typeof value === 'string' && value.length < shortest;

/** A broken text without the separators between its parts: white space, quotes, commas and escapes of JSON. */
function joined(text: string): string {
  const plain = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (!between.test(plain)) return plain;
  const units = new Uint16Array(plain.length); // a tenth of the time of replaceAll in a long text
  let size = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code === backslash && 'nrt'.includes(plain[at + 1] ?? ' ')) at += 1;
    else if (!isBetween[code]) units[size++] = code;
  }
  return Buffer.from(units.buffer, 0, size * 2).toString('utf16le');
}

const backslash = 0x5c;
const between = /[\s"'\\,+]/;
const isBetween = Uint8Array.from({ length: 0x1_00_00 }, (_, code) => Number(between.test(String.fromCharCode(code))));

/** Texts by which a secret can be recognized. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const encoded = ([0, 1, 2] as const).flatMap((before) => inBase64(bytes, before));
  return [value, hex, hex.toUpperCase(), ...encoded].flatMap((form) => [form, joined(form)]);
}

/** The base64 of these bytes that stays the same in any surroundings, if so many bytes (modulo 3) come before. */
function inBase64(bytes: Buffer, before: 0 | 1 | 2): string[] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes]);
  const end = Math.floor(whole.length / 3) * 4; // the next bytes change only the last group, if that is not full
  return (['base64', 'base64url'] as const).map((encoding) =>
    whole.toString(encoding).slice(before === 0 ? 0 : before + 1, end),
  );
}

/** Facts by which a call is judged, with its arguments. */
export interface FileFacts {
  /** Directories that no call may lead into: absolute, by name and by real path. */
  own: readonly string[];
  /** Working directory of the tool. */
  cwd: string;
  /** Folders that the server was started for: names may also begin there. */
  roots: readonly string[];
  home: string;
  variables: Variables;
  isWindows: boolean;
  /** Are `A` and `a` one name here? */
  ignoresCase: boolean;
  /** The real path, as far as it exists. */
  realPath(path: string): string;
}
