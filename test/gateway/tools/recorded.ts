import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolDefinition } from '#gateway/tools/definition';

/** The tools of a well-known server, as its package listed them. */
export const recordedTools = (server: 'filesystem' | 'github' | 'playwright'): ToolDefinition[] =>
  JSON.parse(readFileSync(path.resolve('test/gateway/tools/recorded', `${server}.json`), 'utf8')) as ToolDefinition[];

/** One of them. */
export function recordedTool(server: Parameters<typeof recordedTools>[0], name: string): ToolDefinition {
  const tool = recordedTools(server).find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`${server} has no tool ${name}.`);
  return tool;
}
