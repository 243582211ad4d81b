import { parse } from 'yaml';
import { isObject } from '../frames/frame.ts';
import { readFileSync, statSync } from 'node:fs';

/** A text that Claude Code loads by name: a skill, a command, or the definition of a sub-agent. */
export interface LoadedText {
  file: string;
  /** Null if it cannot be read. */
  text: string | null;
}

/** Commands and programs that run without a call of their own when this text is loaded: one phrase for each. */
export const runsBy = ({ text }: Pick<LoadedText, 'text'>): string[] =>
  text === null ? ['what cannot be read'] : [...commandsIn(text), ...programsOf(headerOf(text))];

/** Files that Claude Code loads with a text, without a call that reads them: an "@" before a path. */
export const filesNamedIn = (text: string): string[] =>
  [...text.matchAll(/@(?:"([^"]+)"|([^\s"]+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Commands that an agent runs when it loads this text: a "!" before a command in backticks, or a block of them. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/!`([^`]+)`|^[^\S\n]*```+![^\S\n]*\n([\s\S]*?)^[^\S\n]*```/gm)].map(([, line, block]) =>
    (line ?? block ?? '').trim(),
  );

/**
 * Is the text loaded by this name? That may be the name of its file or folder, or the one in its header; the part before a
 * colon is its owner: a plugin, or a folder of the project in its path.
 */
export function isNamed({ file, text }: LoadedText, name: string): boolean {
  const steps = file.split(/[\\/]/);
  const [folder = '', last = ''] = steps.slice(-2);
  const owner = ownerOf(name);
  if (!owner.every((part) => steps.includes(part))) return false;
  const own = last === 'SKILL.md' ? folder : last.replace(/\.md$/, '');
  const plain = name.split(/[:/]/).at(-1);
  const header = text === null ? null : headerOf(text);
  const title = isObject(header) ? header['name'] : undefined;
  return own === plain || title === plain || title === name;
}

/** Owner in a name of a skill: the plugin, or the folders. */
export const ownerOf = (name: string): string[] =>
  name
    .split(/[:/]/)
    .slice(0, -1)
    .filter((part) => part !== '');

/** Members of a header that run nothing. An unknown member may start programs, as hooks and servers do. */
const harmless =
  /^(?:name|description|model|color|effort|tools|disallowed-?tools|allowed-?tools|argument-hint|arguments|when_to_use|disable-model-invocation|user-invocable|max-?turns|version|license|author|tags|metadata|compatibility|paths)$/i;

function programsOf(header: unknown): string[] {
  if (header === null) return [];
  if (!isObject(header)) return ['what its header says, which cannot be read'];
  return Object.keys(header)
    .filter((name) => !harmless.test(name))
    .map((name) => `${name} in its header: ${JSON.stringify(header[name])}`);
}

/** Header between the lines `---`; null if there is none, a text if it cannot be read. */
function headerOf(text: string): unknown {
  const [, header] = /^\uFEFF?\s*---[^\S\n]*\n([\s\S]*?)(?:^|\n)---/.exec(text) ?? [];
  if (header === undefined) return null;
  try {
    return parse(header, { logLevel: 'silent' }) as unknown;
  } catch {
    return header;
  }
}

/** Content of one file of an agent; null if it does not exist. */
export interface SettingsFile {
  file: string;
  text: string | null;
}

export const readSettingsFile = (file: string): SettingsFile => ({ file, text: readRegular(file) });

/** Limit in bytes, larger than any such file of people. */
const largest = 16 * 1024 * 1024;

/**
 * The text of a file; null if it cannot be read. Skips pipes and devices, to which a project's link may lead and which would
 * keep the hook waiting.
 */
export function readRegular(file: string): string | null {
  try {
    const facts = statSync(file);
    return facts.isFile() && facts.size <= largest ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}
