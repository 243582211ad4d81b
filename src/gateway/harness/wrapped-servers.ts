import jsonc from 'jsonc-parser';
import path from 'node:path';
import { isObject } from '../frames/frame.ts';
import { isWrapped, readEntry, unwrapEntry } from '../import/import.ts';
import { readToml } from '../import/texts.ts';
import type { HarnessPlace } from './adapters/adapter.ts';
import type { Harness } from './adapters/harness.ts';
import { leading } from './instructions.ts';
import { withParents } from './project.ts';
import { readRegular } from './loaded-text.ts';

/** Configurations in which an agent may keep a server. */
interface ServerFiles {
  /** Servers that the person has configured for themselves. */
  own: readonly unknown[];
  /** Servers brought by projects. */
  shared: readonly unknown[];
}

/** Agents whose MCP tools the hook judges, unless their server runs behind the gateway. */
export const serverFiles: Partial<Record<Harness, typeof claudeFiles>> = {
  'claude-code': claudeFiles,
  codex: codexFiles,
};

/** The configurations of Codex, in the words of the others. */
function codexFiles({ home, variables }: HarnessPlace, folders: readonly string[]): ServerFiles {
  const folder = variables['CODEX_HOME']; // a project can set it
  const read = (at: string): unknown[] => {
    const text = readRegular(path.join(at, 'config.toml'));
    return text === null ? [] : [{ mcpServers: tomlOf(text)['mcp_servers'] }];
  };
  const shared = [...new Set(folders.flatMap(withParents))].map((at) => path.join(at, '.codex'));
  const [own, others] = [path.join(home, '.codex'), [...shared, ...(folder === undefined ? [] : [folder])]];
  return { own: read(own), shared: others.filter((at) => at !== own).flatMap(read) };
}

function tomlOf(text: string): Record<string, unknown> {
  const value = readToml(text);
  return isObject(value) ? value : {};
}

/** The configurations of Claude Code, of these folders and all above them. */
function claudeFiles({ home, variables }: HarnessPlace, folders: readonly string[]): ServerFiles {
  const all = new Set(folders.flatMap(withParents));
  const folder = variables['CLAUDE_CONFIG_DIR']; // a project can set it
  const namedByVariable = folder === undefined ? [] : [path.join(folder, '.claude.json')];
  const read = (file: string): unknown[] => {
    const text = readRegular(file);
    return text === null ? [] : [jsonc.parse(text)];
  };
  return {
    own: read(path.join(home, '.claude.json')),
    shared: [...[...all].map((at) => path.join(at, '.mcp.json')), ...namedByVariable].flatMap(read),
  };
}

/**
 * Is this a tool of an MCP server behind the gateway, which judges the call by the server's own hints? A project may call a
 * program of its own "assentry", so of its entries only the command that import writes counts.
 */
export function isJudgedElsewhere(
  tool: string,
  { own, shared }: ServerFiles,
  program: readonly string[],
  directory: string,
): boolean {
  const behind = [...program, 'wrap', '--data-dir', directory];
  const ours = own.flatMap((value) => serversIn(value, tool));
  const theirs = shared.flatMap((value) => serversIn(value, tool));
  const isImported = (value: unknown): boolean => {
    const entry = readEntry(value);
    const words = entry ? [entry.command, ...entry.args] : [];
    return !hasEnvironment(value) && behind.every((word, at) => words[at] === word);
  };
  return ours.length + theirs.length > 0 && ours.every(isBehind) && theirs.every(isImported);
}

/** Every entry that may own this tool, for the person and for any project; the one that runs is unknown. */
function serversIn(value: unknown, tool: string): unknown[] {
  if (!isObject(value)) return [];
  const { mcpServers, projects } = value;
  const own = isObject(mcpServers) ? Object.entries(mcpServers) : [];
  const named = own
    .filter(([name]) => tool.startsWith(`mcp__${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__`))
    .map(([, entry]) => entry);
  const inner = isObject(projects) ? Object.values(projects) : [];
  return [...named, ...inner.flatMap((project) => serversIn(project, tool))];
}

/** Does this entry run its server behind the gateway? */
export function isBehind(value: unknown): boolean {
  const entry = readEntry(value);
  return entry !== null && (isWrapped(entry) || unwrapEntry(entry) !== null);
}

/**
 * Does an entry of a project run behind the gateway? Its program must not be a lookalike from the project, nor be led
 * elsewhere.
 */
export function isBehindIn(folder: string, value: unknown): boolean {
  const entry = readEntry(value);
  const words = entry ? [entry.command, ...entry.args] : [];
  const program = words.slice(0, words.indexOf('wrap'));
  return isBehind(value) && !hasEnvironment(value) && !program.some((word) => isIn(folder, word));
}

/** Is it a path in this folder, other than to a package installed there? */
function isIn(folder: string, word: string): boolean {
  const steps = path.relative(folder, path.resolve(folder, word)).split(path.sep);
  return /[\\/]/.test(word) && !word.startsWith('@') && !['..', 'node_modules'].includes(steps[0] ?? '');
}

/**
 * True if the entry sets variables by which a project could lead the gateway to another Assentry, or put foreign code into it.
 */
const hasEnvironment = (value: unknown): boolean =>
  isObject(value) && isObject(value['env']) && Object.keys(value['env']).some((name) => leading.test(name));
