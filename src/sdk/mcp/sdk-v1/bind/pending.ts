// Our own tools next to those of the server's author, on `@modelcontextprotocol/sdk`.
import type { ToolCallback } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { ToolCallState } from '../../../client/client.ts';
import { Problem } from '#platform/model/problem';
import { throwIfError } from '../../tools/ask-client.ts';
import type { IncomingCall, ToolResult } from '../../question/call/incoming-call.ts';
import { continueCall } from '../../tools/tasks/continue-call.ts';
import { pendingTools, runPendingTool, type PendingTool } from '../../tools/tasks/pending-tools.ts';
import type { CallExtra } from './asking.ts';
import { principalOf, receiveCall, sessionOf, type Adapter } from './call.ts';

/** Lists them to the clients for whom they are; every other one is told that they are disabled. */
export function registerPendingTools(adapter: Adapter): void {
  const { mcp, settings } = adapter;
  for (const tool of pendingTools) {
    const callback = async (input: unknown, extra: CallExtra) => servePendingTool(adapter, tool, input, extra);
    // The callback reads its input itself, by the same schema.
    const registered = mcp.registerTool(tool.name, tool.config, callback as ToolCallback<z.ZodObject>);
    const isEnabled = () => tool.isFor({ capabilities: mcp.server.getClientCapabilities(), settings });
    Object.defineProperty(registered, 'enabled', { get: isEnabled });
  }
}

async function servePendingTool(
  adapter: Adapter,
  tool: PendingTool,
  input: unknown,
  extra: CallExtra,
): Promise<CallToolResult> {
  const caller = { ...principalOf(adapter, extra), session: sessionOf(adapter, extra) };
  const goOn = (stored: ToolCallState, relayedAnswer: IncomingCall['relayedAnswer']) =>
    goOnWith(adapter, stored, relayedAnswer, extra);
  const going = { client: adapter.client, caller, signal: extra.signal, goOn };
  return throwIfError(await runPendingTool(tool, going, input)) as CallToolResult;
}

/** The stored call's tool, run in front of the client that goes on with it. */
async function goOnWith(
  adapter: Adapter,
  stored: ToolCallState,
  relayedAnswer: IncomingCall['relayedAnswer'],
  extra: CallExtra,
): Promise<ToolResult> {
  const tool = adapter.tools.get(stored.tool);
  if (!tool) throw new Problem('not-found');
  const received = await receiveCall(adapter, tool, stored.arguments, extra);
  return continueCall(adapter, tool, stored, { ...received, relayedAnswer, hasOutputSchema: false }, extra);
}
