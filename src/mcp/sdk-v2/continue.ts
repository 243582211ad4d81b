// What goes on with a stored call, on `@modelcontextprotocol/server`.
import type { CallToolResult, ServerContext, StandardSchemaWithJSON, ToolCallback } from '@modelcontextprotocol/server';
import type { ToolCallState } from '../../client/client.ts';
import { Problem } from '../../model/problem.ts';
import { throwIfError } from '../tools/ask-client.ts';
import type { IncomingCall, ToolResult } from '../question/incoming-call.ts';
import { goOnWith } from '../tools/own-call.ts';
import { runTool } from '../tools/own-tool.ts';
import { pendingTools, runPendingTool, type PendingTool } from '../tools/pending-tools.ts';
import { callerOf, capabilitiesOf, receiveCall, type Adapter, type SdkTool } from './call.ts';

/** Registers our own tools beside those of the server's author. */
export function registerPendingTools(adapter: Adapter): void {
  for (const tool of pendingTools) {
    const callback = (input: unknown, context: ServerContext) => servePendingTool(adapter, tool, input, context);
    // The callback reads its input itself, by the same schema.
    adapter.mcp.registerTool(tool.name, tool.config, callback as ToolCallback<StandardSchemaWithJSON>);
  }
}

/** Is there a tool of ours by this name that this client neither sees nor calls? */
export function isHidden({ mcp, settings }: Adapter, name: string, context: ServerContext): boolean {
  const tool = pendingTools.find((pending) => pending.name === name);
  return tool !== undefined && !tool.isFor({ capabilities: capabilitiesOf(mcp, context), settings });
}

export const isPendingTool = (name: string): boolean => pendingTools.some((tool) => tool.name === name);

async function servePendingTool(
  adapter: Adapter,
  tool: PendingTool,
  input: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  const goOn = (stored: ToolCallState, told: IncomingCall['told']) => continueCall(adapter, stored, told, context);
  const going = { client: adapter.client, caller: callerOf(adapter, context), signal: context.mcpReq.signal, goOn };
  return throwIfError(await runPendingTool(tool, going, input)) as CallToolResult;
}

/** The stored call's tool, run in front of the client that goes on with it. */
async function continueCall(
  adapter: Adapter,
  stored: ToolCallState,
  told: IncomingCall['told'],
  context: ServerContext,
): Promise<ToolResult> {
  const tool = adapter.tools.get(stored.tool);
  if (!tool) throw new Problem('not-found');
  const received = await receiveCall(adapter, tool, stored.arguments, context);
  const call = { ...goOnWith(stored, received), told, hasOutputSchema: false };
  return runTool(adapter, tool, call, [...(await readArguments(tool, stored.arguments)), context]);
}

/** As the SDK would hand them over: people saw them after the schema had read them, so it reads them once more. */
export async function readArguments({ config }: SdkTool, stored: Record<string, unknown>): Promise<unknown[]> {
  if (!config.inputSchema) return [];
  const read = await config.inputSchema['~standard'].validate(stored);
  return [read.issues ? stored : read.value];
}
