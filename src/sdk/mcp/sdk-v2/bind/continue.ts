// Continues stored calls, on `@modelcontextprotocol/server`.
import type { CallToolResult, ServerContext, StandardSchemaWithJSON, ToolCallback } from '@modelcontextprotocol/server';
import type { ToolCallState } from '../../../client/client.ts';
import { Problem } from '#platform/model/problem';
import { throwIfError } from '../../tools/ask-client.ts';
import type { IncomingCall, ToolResult } from '../../question/call/incoming-call.ts';
import { continueCall } from '../../tools/tasks/continue-call.ts';
import { pendingTools, runPendingTool, type PendingTool } from '../../tools/tasks/pending-tools.ts';
import { callerOf, capabilitiesOf, receiveCall, type Adapter } from './call.ts';

/** Registers our own tools next to those of the server's author. */
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
  const goOn = (stored: ToolCallState, relayedAnswer: IncomingCall['relayedAnswer']) =>
    goOnWith(adapter, stored, relayedAnswer, context);
  const going = { client: adapter.client, caller: callerOf(adapter, context), signal: context.mcpReq.signal, goOn };
  return throwIfError(await runPendingTool(tool, going, input)) as CallToolResult;
}

/** The stored call's tool, run in front of the client that goes on with it. */
async function goOnWith(
  adapter: Adapter,
  stored: ToolCallState,
  relayedAnswer: IncomingCall['relayedAnswer'],
  context: ServerContext,
): Promise<ToolResult> {
  const tool = adapter.tools.get(stored.tool);
  if (!tool) throw new Problem('not-found');
  const received = await receiveCall(adapter, tool, stored.arguments, context);
  return continueCall(adapter, tool, stored, { ...received, relayedAnswer, hasOutputSchema: false }, context);
}
