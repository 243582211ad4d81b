import { z } from 'zod';
import { isReservedTool } from '#platform/model/names';
import { awaitTool } from '#sdk/mcp/tools/tasks/pending-tools';
import { isObject } from '../../frames/frame/frame.ts';
import { isTool, type ToolDefinition } from '../definition/definition.ts';
import type { Change, Pins, Unaccepted } from '../pins/pins.ts';

/** What a client is shown of one page of an upstream's tools. */
export interface ShownTools {
  result: unknown;
  /** Tools that are kept from the client, because their definition has changed. */
  blocked: Change[];
  /** Tools whose claim to read only counts once someone accepts it; absent if none. */
  unaccepted?: Unaccepted[];
}

const { name, config } = awaitTool;
const { $schema: _, ...inputSchema } = z.toJSONSchema(config.inputSchema, { io: 'input' });

/** The gateway's tool, which is added to those of the server. */
export const ownTool = {
  name,
  title: config.title,
  description: config.description,
  inputSchema,
  annotations: config.annotations,
};

/** The page without the tools whose definition no one has accepted, and the last page with the gateway's tool. */
export async function showTools(result: unknown, pins: Pins): Promise<ShownTools> {
  if (!isObject(result) || !Array.isArray(result['tools'])) return { result, blocked: [] };
  const tools = result['tools'].filter(
    (tool): tool is ToolDefinition => isTool(tool) && tool.name !== name && !isReservedTool(tool.name),
  );
  const changes = await Promise.all(tools.map((tool) => pins.changeOf(tool)));
  const shown: unknown[] = tools.filter((_tool, at) => changes[at] === null);
  const isLast = typeof result['nextCursor'] !== 'string';
  return {
    result: { ...result, tools: isLast ? [...shown, ownTool] : shown },
    blocked: changes.filter((change) => change !== null),
  };
}
