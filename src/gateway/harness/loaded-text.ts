import { parse } from 'yaml';
import { isObject } from '../frames/frame.ts';
import { readFileSync, statSync } from 'node:fs';

/** A text that Claude Code loads by a name: a skill, a command, or what makes a sub-agent. */
export interface LoadedText {
  file: string;
  /** Null if it cannot be read. */
  text: string | null;
}

/** What runs without a call of its own when this text is loaded: one phrase for each, and none if nothing does. */
export const runsBy = ({ text }: Pick<LoadedText, 'text'>): string[] =>
  text === null ? ['what cannot be read'] : [...commandsIn(text), ...programsOf(headerOf(text))];

/** The files that Claude Code loads with a text, without a call that reads them: an "@" before a path. */
export const filesNamedIn = (text: string): string[] =>
  [...text.matchAll(/@(?:"([^"]+)"|([^\s"]+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** The commands that an agent runs when it loads this text: a "!" before a command in backticks, or a block of them. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/!`([^`]+)`|^[^\S\n]*```+![^\S\n]*\n([\s\S]*?)^[^\S\n]*```/gm)].map(([, line, block]) =>
    (line ?? block ?? '').trim(),
  );

/**
 * Is it loaded by this name? By that of its file or folder, or by the one that it gives itself; before a colon is what it is of:
 * a plugin, or a folder of the project, which then stands in its path.
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

/** What a name of a skill is of: the plugin, or the folders. */
export const ownerOf = (name: string): string[] =>
  name
    .split(/[:/]/)
    .slice(0, -1)
    .filter((part) => part !== '');

/** Members of a header by which nothing runs. One that is not known here may start programs, as hooks and servers do. */
const harmless =
  /^(?:name|description|model|color|effort|tools|disallowed-?tools|allowed-?tools|argument-hint|arguments|when_to_use|disable-model-invocation|user-invocable|max-?turns|version|license|author|tags|metadata|compatibility|paths)$/i;

function programsOf(header: unknown): string[] {
  if (header === null) return [];
  if (!isObject(header)) return ['what its header says, which cannot be read'];
  return Object.keys(header)
    .filter((name) => !harmless.test(name))
    .map((name) => `${name} in its header: ${JSON.stringify(header[name])}`);
}

/** What stands between the lines `---`; null if there is no header, a text if it cannot be read. */
function headerOf(text: string): unknown {
  const [, header] = /^\uFEFF?\s*---[^\S\n]*\n([\s\S]*?)(?:^|\n)---/.exec(text) ?? [];
  if (header === undefined) return null;
  try {
    return parse(header, { logLevel: 'silent' }) as unknown;
  } catch {
    return header;
  }
}

/** One file of an agent, as it is; null if it is not there. */
export interface SettingsFile {
  file: string;
  text: string | null;
}

export const readSettingsFile = (file: string): SettingsFile => ({ file, text: readRegular(file) });

/** Larger than what people keep in such files. */
const largest = 16 * 1024 * 1024;

/** The text of a file; null if it cannot be read. A pipe or a device, to which a project's link may lead, would keep the hook waiting. */
export function readRegular(file: string): string | null {
  try {
    const facts = statSync(file);
    return facts.isFile() && facts.size <= largest ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}
