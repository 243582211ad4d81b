import jsonc from 'jsonc-parser';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../frames/frame.ts';
import { isWrapped, readEntry, unwrapEntry } from '../import/entry.ts';

/** Texts of the configurations in which Claude Code may keep a server. */
export const readServerFiles = (home: string, folders: readonly string[]): string[] =>
  [path.join(home, '.claude.json'), ...folders.map((folder) => path.join(folder, '.mcp.json'))].flatMap((file) => {
    try {
      return [readFileSync(file, 'utf8')];
    } catch {
      return [];
    }
  });

/** Is this a tool of an MCP server that runs behind the gateway, where the call is judged by what the server says of it? */
export function isJudgedElsewhere(tool: string, configurations: readonly string[]): boolean {
  const [, server] = /^mcp__(.+?)__/.exec(tool) ?? [];
  if (server === undefined) return false;
  const entries = configurations.flatMap((text) => serversIn(jsonc.parse(text) as unknown, server));
  return entries.length > 0 && entries.every(isBehind);
}

/** Every entry of this name, for the person and for any project: which of them runs is not known. */
function serversIn(value: unknown, server: string): unknown[] {
  if (!isObject(value)) return [];
  const { mcpServers, projects } = value;
  const own = isObject(mcpServers) ? Object.entries(mcpServers) : [];
  const named = own.filter(([name]) => name.replaceAll(/[^A-Za-z0-9_-]/g, '_') === server).map(([, entry]) => entry);
  const inner = isObject(projects) ? Object.values(projects) : [];
  return [...named, ...inner.flatMap((project) => serversIn(project, server))];
}

function isBehind(value: unknown): boolean {
  const entry = readEntry(value);
  return entry !== null && (isWrapped(entry) || unwrapEntry(entry) !== null);
}
