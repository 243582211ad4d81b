import { isObject } from '../../frames/frame/frame.ts';
import type { FileFacts } from './file-facts.ts';
import { pathsIn, type NamedPath } from './named-paths.ts';
import { anything, isCommandLine, readCommands, type Command } from '../shell-words.ts';

/** Paths that are looked up in the file system for one call, at most; of the rest only the text counts. */
const maxLooks = 500;

/**
 * Characters that are read as command lines for one call, the shortest texts first: a longer one would keep everyone else waiting.
 * No system takes a command of this length.
 */
const maxRead = 1_000_000;

/** What is in a file whose path stands next to it is no path. */
const contents = /^(?:contents?|text|file_text|edits|new_?source|(?:new|old)_?(?:string|str|text))$/i;
const pathMember = /^(?:path|uri|file(?:_?(?:path|name))?|notebook_?path|target_?file)$/i;

/** Tools that go through all that is in a folder, by a part of their name. */
const searching =
  /grep|glob|search|find|tree|recurs|walk|archive|zip|tar(?:ball)?$|copy|move|rename|delete|remove|index/i;
/** Programs that always do, and those that do by an option. */
const recursive =
  /^(?:tar|bsdtar|zip|7z|7za|find|fd|fdfind|tree|rg|ag|ack|rsync|mv|cpio|pax|fzf|restic|borg|robocopy|xcopy)$/;
const byOption = /^(?:[efz]*grep|cp|scp|ls|rm|chmod|chown|diff|du|dir|get-childitem|gci|copy-item|select-string)$/;
const isRecursiveOption = (word: string): boolean => /^-(?:[a-z]*[ra][a-z]*|-recursive|-archive|recurse)$/i.test(word);
/** Without a path they search the working directory. */
const searchesHere = /^(?:find|fd|fdfind|tree|rg|ag|ack|[efz]*grep|ls|get-childitem|gci|select-string|dir)$/;

/**
 * The first path by which this call leads into one of Assentry's own directories; null if it does not, as far as one
 * can tell from its arguments. A decision of text and facts alone.
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

/** One call's words, and where they may lead. */
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

  /** The first word that leads inside, from wherever another one may have led before. */
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

  /** The first folder around Assentry's that this command goes through with everything in it. */
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

  /** The first member that is a folder around Assentry's; where the tool runs, if such a tool is told no folder. */
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

  /** A folder above may be reached in steps: `cd /home; cd ada; cat .assentry/secret`. */
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

  /** A file of Assentry, below a folder that the server may have from its client or from another call. */
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

/** Windows drops dots and spaces at the end of a name, and reads what follows a colon as another stream of the file. */
const plainPart = (part: string, at: number): string =>
  at === 0 ? part : part.replace(/:.*$/s, '').replace(/[. ]+$/, '');

const startsWith = (parts: string[], beginning: string[]): boolean =>
  beginning.length <= parts.length && beginning.every((part, at) => part === parts[at]);

/** Names that are in the data directory. */
const kept = ['secret', 'serving', 'set-up-link', 'gateway', 'postgres', 'log-head', 'keys'];
/** An address, or a text of several lines, is no relative path. */
const isElsewhere = /^[a-z][a-z0-9+.-]*:\/\/|[\r\n]/i;
const keptFiles = [['secret'], ['serving'], ['set-up-link'], ['gateway', 'keys'], ['postgres', 'password']];
const isPattern = (part: string): boolean => part.includes(anything) || /[*?[]/.test(part);

/** Does this path lead into the directory, in which `*` and the like stand for any name? */
function leadsInto(path: string[], directory: string[]): boolean {
  if (startsWith(path, directory)) return true;
  if (!path.some(isPattern) || path.length > 64) return false;
  return matchesFrom({ path, directory, tried: new Set() }, 0, 0);
}

interface Matching {
  path: string[];
  directory: string[];
  /** Places that were looked at and lead nowhere: each is looked at once, because a path of many `**` has millions of ways. */
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

/** What is left of a path within the directory: a name that is there or, of the directory itself, some of its name. */
function matchesKept(path: string[], at: number): boolean {
  const rest = path.slice(at).filter((part) => !isDeep(part));
  const [next = path[at - 1] ?? ''] = rest;
  return rest.length === 0 ? isTelling(next) : kept.some((name) => matches(next, name));
}

/** It may stand for several folders, or none. */
const isDeep = (part: string): boolean => part === '**' || (part.includes(anything) && !isTelling(part));

/** It says something of the name, so that not every name is meant. */
const isTelling = (part: string): boolean => part.replaceAll(anything, '').replaceAll(/[*?[\]!^-]/g, '') !== '';

/** As shells match: a `*` does not stand for a dot at the beginning. */
function matches(part: string, name: string): boolean {
  if (!isPattern(part)) return part === name;
  if (name.startsWith('.') && /^[*?]/.test(part) && part !== '**') return false;
  return matchesWhole(part.match(/\[[^\]]*\]?|[^[]/gsu) ?? [], [...name]);
}

/** Without a way back but to the last `*`, so that no pattern takes longer than its length times that of the name. */
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

/** Names a program is run by: `/usr/bin/tar` is tar. */
const programOf = (word: string): string => (word.split(/[\\/]/).at(-1) ?? '').replace(/\.exe$/i, '').toLowerCase();

/** The texts among these arguments that may be paths or command lines. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const names = Object.keys(value);
  const hasPath = names.some((name) => pathMember.test(name));
  return names.flatMap((name) => [name, ...(hasPath && contents.test(name) ? [] : textsIn(value[name]))]);
}

/** Words that are given one by one: `{ command: 'tar', args: ['-c', '/home/ada'] }`. */
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

/** The files that a patch of Codex is about; null if it is none. What is in them is no path. */
function patchedFiles(text: string): string | null {
  if (!text.trimStart().startsWith('*** Begin Patch')) return null;
  return [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.*)$/gm)]
    .map(([, file]) => `'${file}'`)
    .join('\n');
}
