import {
  findTests,
  readingCommands,
  readingGit,
  readingSubcommands,
  sayingVersion,
} from '../../known-tools/reading-commands.ts';
import type { ReadingCommand } from '../../known-tools/reading-commands.ts';
import {
  definingFiles,
  projectCommands,
  reachingTask,
  usualOptions,
  type ProjectCommand,
} from '../../known-tools/project-commands.ts';
import path from 'node:path';
import { isPrivate, isPrivateName } from './private-files.ts';
import { readLine, type SimpleCommand, type Word } from './shell-line.ts';

/** Facts of the machine by which a command line is judged. */
export interface ShellFacts {
  /** The real root of the project. */
  project: string;
  /** Real target of a path in this folder. */
  resolve(folder: string, name: string): string;
  /** Names that a shell puts in place of a pattern; null if unknown. */
  matches(folder: string, pattern: string): string[] | null;
  kindOf(file: string): 'folder' | 'file' | 'none';
  /** Does the folder hold private files, or links that lead out of the project? Names in `without` do not count. */
  holdsPrivate(folder: string, without?: RegExp, followsLinks?: boolean): boolean;
  /** What git says of the folder; null if git could run something there, or the repository is not the project's. */
  git(folder: string): GitFacts | null;
  /** Does the project or the environment put another program in its place? */
  isReplaced(program: string): boolean;
  /** Does the project bring this program for `npx`? */
  hasOwn(program: string): boolean;
}

export interface GitFacts {
  isTracked(file: string): boolean;
  tracksPrivate: boolean;
}

/** What a command line does at most; null is unknown. */
export type LineEffect = 'reads' | 'undoable' | null;

/** The strongest effect of its commands. In doubt it is unknown. */
export function judgeLine(line: string, cwd: string, facts: ShellFacts): LineEffect {
  const commands = readLine(line);
  if (commands === null || commands.length === 0) return null;
  let folders = [cwd];
  let effect: LineEffect = 'reads';
  for (const command of commands) {
    const next = foldersAfter(command, folders, facts);
    if (next !== null) {
      if (next.length === 0 || next.length > maxFolders) return null;
      folders = next;
      continue;
    }
    for (const folder of folders) {
      const next = judgeCommand(command, { ...facts, folder });
      if (next === null) return null;
      if (next === 'undoable') effect = next;
    }
  }
  return effect;
}

const maxFolders = 8;

/** The folders in which a shell may be after `cd`, which may also have failed; none if unknown, null if it is another command. */
function foldersAfter({ words, redirections }: SimpleCommand, folders: string[], facts: ShellFacts): string[] | null {
  const [program, folder, ...more] = words;
  if (program?.text !== 'cd' || program.isPattern || program.isUnknown) return null;
  if (!folder || more.length > 0 || redirections.some(({ target }) => !isNowhere(target))) return [];
  if (folder.isPattern || folder.isUnknown || /^[-~]|^$/.test(folder.text)) return [];
  const next = folders.map((from) => facts.resolve(from, folder.text));
  // Behind a link, a shell and a program differ on where `..` leads.
  if (next.some((place, at) => place !== path.join(folders[at] ?? '', folder.text).replace(/(.)\/$/, '$1'))) return [];
  if (next.some((place) => !isBelow(place, facts.project) || isPrivate(place.slice(facts.project.length)))) return [];
  return [...new Set([...folders, ...next])];
}

type FolderFacts = ShellFacts & { folder: string };

function judgeCommand({ words, redirections }: SimpleCommand, facts: FolderFacts): LineEffect {
  const [first] = words;
  if (!first || first.isPattern || first.isUnknown) return null;
  const program = first.text;
  if (facts.isReplaced(program)) return null;
  const writing = redirections.filter(({ writes, target }) => writes && !isNowhere(target));
  const from = redirections.filter(({ writes, target }) => !writes && !isNowhere(target));
  if (!from.every(({ target }) => !target.isPattern && !target.isUnknown && isOpen(target.text, facts))) return null;
  if (!writing.every(({ target }) => !target.isPattern && !target.isUnknown && isUndoable(target.text, facts)))
    return null;
  const rest = expandWords(words.slice(1), facts);
  if (rest === null) return null;
  if (rest.length === 1 && !rest[0]?.isUnknown && sayingVersion.test(`${program} ${rest[0]?.text}`))
    return writing.length > 0 ? 'undoable' : 'reads';
  if (reads(program, rest, facts)) return writing.length > 0 ? 'undoable' : 'reads';
  return runsInProject(program, rest, facts) ? 'undoable' : null;
}

const isNowhere = ({ text, isPattern, isUnknown }: Word): boolean => text === '/dev/null' && !isPattern && !isUnknown;

/** The words with the names of files in place of patterns. Names that begin like options count as unknown. */
function expandWords(words: Word[], { folder, matches }: FolderFacts): Word[] | null {
  const expanded: Word[] = [];
  for (const word of words) {
    if (!word.isPattern) {
      expanded.push(word);
      continue;
    }
    if (word.isUnknown) return null;
    const names = matches(folder, word.text);
    if (names === null || names.some((name) => name.startsWith('-'))) return null;
    expanded.push(
      ...(names.length === 0 ? [word.text] : names).map((text) => ({
        text,
        isPattern: false,
        isUnknown: false,
        isSplit: false,
      })),
    );
  }
  return expanded;
}

const isBelow = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

/** Is it a file of the project that is not private, wherever links lead? */
function isOpen(name: string, { folder, project, resolve }: FolderFacts): boolean {
  if (name.startsWith('~') || name.includes('\0')) return false;
  const real = resolve(folder, name);
  return isBelow(real, project) && !isPrivate(real.slice(project.length)) && !isPrivate(name);
}

/** Has the name no part that begins with a dot, which may run by itself or be a setting? */
const isVisible = (file: string, project: string): boolean =>
  !/\/(?:\.|node_modules(?:\/|$))/.test(file.slice(project.length));

/** Does it say what runs? Its change and that run could come in one line, or at the same time. */
const isDefining = (file: string, project: string): boolean => definingFiles.includes(file.slice(project.length + 1));

/** May it be written: does git keep what it was, or is there nothing yet? */
function isUndoable(name: string, facts: FolderFacts): boolean {
  if (!isOpen(name, facts)) return false;
  const real = facts.resolve(facts.folder, name);
  if (!isVisible(real, facts.project) || isDefining(real, facts.project) || real === facts.project) return false;
  const kind = facts.kindOf(real);
  return kind === 'none' || (kind === 'file' && facts.git(facts.folder)?.isTracked(real) === true);
}

/** May a tool of the agent write this file? */
export const isUndoableFile = (name: string, cwd: string, facts: ShellFacts): boolean =>
  isUndoable(name, { ...facts, folder: cwd });

function reads(program: string, words: Word[], facts: FolderFacts): boolean {
  if (program === 'git') return readsGit(words, facts);
  const texts = words.map(({ text }) => text);
  const row = Object.hasOwn(readingCommands, program) ? readingCommands[program] : undefined;
  if (row) return isReading(row, words, facts);
  for (const length of [2, 1]) {
    const name = [program, ...texts.slice(0, length)].join(' ');
    const subcommand = Object.hasOwn(readingSubcommands, name) ? readingSubcommands[name] : undefined;
    if (subcommand && !words.slice(0, length).some(({ isUnknown }) => isUnknown))
      return isReading(subcommand, words.slice(length), facts);
  }
  return false;
}

function readsGit(words: Word[], facts: FolderFacts): boolean {
  const [option, ...others] = words;
  if (option?.text === '--no-pager' && !option.isUnknown) return readsGit(others, facts);
  const git = facts.git(facts.folder);
  if (git === null || words.slice(0, 2).some(({ isUnknown }) => isUnknown)) return false;
  for (const length of [2, 1]) {
    const name = words
      .slice(0, length)
      .map(({ text }) => text)
      .join(' ');
    const row = Object.hasOwn(readingGit, name) ? readingGit[name] : undefined;
    if (row && words.length >= length)
      return !(row.shows === 'history' && git.tracksPrivate) && isReading(row, words.slice(length), facts);
  }
  return false;
}

/** Does this command only read with these words, and only what is open? */
function isReading(row: ReadingCommand, words: Word[], facts: FolderFacts): boolean {
  const { operands: kind, most, program, searches, skips, staysHere = false } = row;
  const texts = words.map(({ text }) => text);
  if (kind === 'anything') return true;
  if (words.some(({ isUnknown }) => isUnknown)) return false;
  if (kind === 'tests') return isFinding(texts, facts);
  const read = readOptions(row, texts);
  if (read === null) return false;
  const { options, operands, values, hasText } = read;
  const isText = kind === 'pattern' && !hasText;
  if (isText && (operands.length === 0 || (program && !program.test(operands[0] ?? '')))) return false;
  if (hasText && program) return false;
  const named = isText ? operands.slice(1) : operands;
  if (most !== undefined && operands.length > most) return false;
  if (kind === 'none') return operands.length === 0;
  if (kind === 'texts') return true;
  if (![...named, ...values].every((name) => partsOf(name, kind).every((part) => isOpen(part, facts)))) return false;
  const isSearching = searches === 'always' || (searches && options.some((option) => searches.test(option)));
  if (!isSearching) return true;
  const places = (named.length === 0 ? ['.'] : named).map((name) => facts.resolve(facts.folder, name));
  const without = skips === undefined || options.some((option) => choosing.test(option)) ? skippedBy(options) : skips;
  return places.every((place) => facts.kindOf(place) !== 'folder' || !facts.holdsPrivate(place, without, !staysHere));
}

/** With a choice of files, also files are read that are left out otherwise. */
const choosing = /^-[a-zA-Z0-9]*[gt]|^--(?:glob|type)/;

/** Folders that grep leaves out by `--exclude-dir`; it would read a file of such a name. */
function skippedBy(options: string[]): RegExp | undefined {
  const names = options
    .flatMap((option) => /^--exclude-dir=([\w.-]+)$/.exec(option)?.[1] ?? [])
    .filter((name) => name === '.git' || !isPrivateName(name));
  return names.length === 0 ? undefined : new RegExp(`^(?:${names.join('|').replaceAll('.', String.raw`\.`)})$`);
}

/** Revisions name files behind a colon. */
const partsOf = (name: string, kind: string): string[] =>
  kind === 'revisions' ? [name, ...name.split(':').slice(1)] : [name];

interface ReadWords {
  options: string[];
  operands: string[];
  /** Values behind the first operand, which are more operands to a program that ends its options there. */
  values: string[];
  /** Is no operand the text, as an option gives it or none is needed? */
  hasText: boolean;
}

/** Options and other words, if every option is known; else null. */
function readOptions(
  { flags = '', values = '', long = [], longValues = [], isOrdered }: ReadingCommand,
  words: string[],
): ReadWords | null {
  const read: ReadWords = { options: [], operands: [], values: [], hasText: false };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { ...read, operands: [...read.operands, ...words.slice(at + 1)] };
    if (!word.startsWith('-') || word === '-') {
      read.operands.push(word);
      continue;
    }
    if (isOrdered === true && read.operands.length > 0) return null;
    read.options.push(word);
    const isLong = word.startsWith('--');
    const [name = '', joined] = word.slice(2).split('=', 2);
    const letters = isLong ? [] : word.slice(1).split('');
    const valued = letters.findIndex((letter) => values.includes(letter));
    const plain = valued < 0 ? letters : letters.slice(0, valued);
    if (isLong ? ![...long, ...longValues].includes(name) : !plain.every((letter) => flags.includes(letter)))
      return null;
    if (isLong ? name === 'regexp' || name === 'files' : letters[valued] === 'e') read.hasText = true;
    if (isLong ? longValues.includes(name) && joined === undefined : valued >= 0 && valued === letters.length - 1) {
      at += 1;
      const value = words[at] ?? '-?';
      if (/^-\D/.test(value)) return null; // programs differ on which options have a value
      if (read.operands.length > 0) read.values.push(value);
    }
  }
  return read;
}

/** Paths, then tests of `find` that only read. */
function isFinding(words: string[], facts: FolderFacts): boolean {
  const start = words.findIndex((word) => /^[-(!]/.test(word));
  const paths = start < 0 ? words : words.slice(0, start);
  if (!paths.every((name) => isOpen(name, facts))) return false;
  for (let at = paths.length; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (/^[()!]$/.test(word)) continue;
    const row = word.startsWith('-') ? word.slice(1) : '';
    if (!Object.hasOwn(findTests, row)) return false;
    if (findTests[row] === 'value') at += 1;
  }
  return true;
}

/** Words of tasks and files in which nothing is hidden. */
const harmless = /^[\p{L}\p{N}_@%+=:,./ ^-]*$/u;

/** Does it run what the project itself defines, or change what can be undone? */
function runsInProject(program: string, words: Word[], facts: FolderFacts): boolean {
  const commands = Object.hasOwn(projectCommands, program) ? (projectCommands[program] ?? []) : [];
  return commands.some((command) => fitsProject(program, command, words, facts));
}

function fitsProject(program: string, row: ProjectCommand, words: Word[], facts: FolderFacts): boolean {
  const { words: names, options, needs, definedBy, isOwn, operands: kind, most } = row;
  const [first, ...others] = words;
  const rest = names === undefined ? words : others;
  if (names !== undefined && (!first || first.isUnknown || !names.split('|').includes(first.text))) return false;
  if (needs && !rest.some(({ text }) => needs.test(text))) return false;
  if (isOwn && !facts.hasOwn(names ?? program)) return false;
  if (
    definedBy &&
    !(facts.folder === facts.project && definedBy.some((file) => facts.kindOf(`${facts.project}/${file}`) === 'file'))
  )
    return false;
  if (program === 'git' && facts.git(facts.folder) === null) return false;
  const { operands, isKnown } = readProjectWords(program, rest, options);
  if (!isKnown || (most !== undefined && operands.length > most)) return false;
  if (kind === 'none') return operands.length === 0;
  if (kind === 'moved') return isMoving(operands, program, facts);
  if (kind === 'new' || kind === 'tracked')
    return operands.length > 0 && operands.every((name) => isUndoable(name, facts) || isFolderOf(name, facts));
  const behind = operands.flatMap((word) => [word, ...(word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : [])]);
  if (definedBy && !isOwn && operands.some((word) => reachingTask.test(word))) return false;
  if (program === 'make' && operands.some((word) => word.includes('='))) return false;
  return behind.every((word) => harmless.test(word) && !word.startsWith('@') && isOpen(word, facts));
}

const isFolderOf = (name: string, facts: FolderFacts): boolean =>
  isOpen(name, facts) && facts.kindOf(facts.resolve(facts.folder, name)) === 'folder';

/** Words that are no options, with those behind `--`; a message may be any text. */
function readProjectWords(
  program: string,
  words: Word[],
  options: RegExp | undefined,
): { operands: string[]; isKnown: boolean } {
  const operands: string[] = [];
  let isBehind = false;
  let isKnown = true;
  let isMessage = false;
  for (const { text, isUnknown, isSplit } of words) {
    if (isMessage) {
      isMessage = false;
      if (isSplit) isKnown = false;
      continue;
    }
    isMessage = program === 'git' && !isBehind && /^(?:-m|-am|--message)$/.test(text);
    if (isUnknown) isKnown = false;
    else if (text === '--' && !isBehind) isBehind = true;
    else if (text.startsWith('-') && !(isBehind && program === 'git')) {
      if (!isBehind && options && !options.test(text)) isKnown = false;
      if (isBehind && !usualOptions.test(text)) isKnown = false;
      if (!harmless.test(text)) isKnown = false;
      if (text.includes('=')) operands.push(text.slice(text.indexOf('=') + 1));
      else if (/^-[A-Za-z][./~]/.test(text)) isKnown = false;
    } else operands.push(text);
  }
  return { operands, isKnown };
}

/** Sources that stay reachable under another name, as nothing is overwritten. */
function isMoving(operands: string[], program: string, facts: FolderFacts): boolean {
  const [to, ...reversed] = operands.toReversed();
  const sources = reversed.toReversed();
  if (to === undefined || sources.length === 0 || !operands.every((name) => isOpen(name, facts))) return false;
  const target = facts.resolve(facts.folder, to);
  const isInto = facts.kindOf(target) === 'folder';
  if (!isInto && sources.length > 1) return false;
  return sources.every((source) => {
    const real = facts.resolve(facts.folder, source);
    const file = isInto ? path.join(target, path.basename(real)) : target;
    const isPlain =
      facts.kindOf(real) === 'file' ||
      (program !== 'cp' && facts.kindOf(real) === 'folder' && !facts.holdsPrivate(real));
    return (
      isPlain &&
      real !== facts.project &&
      isVisible(real, facts.project) &&
      isVisible(file, facts.project) &&
      !isDefining(file, facts.project) &&
      !isDefining(real, facts.project) &&
      facts.kindOf(file) === 'none'
    );
  });
}
