// Only the files in this folder depend on `@modelcontextprotocol/server`: 2026-07-28, and earlier revisions.
import type {
  BaseToolCallback,
  CallToolResult,
  McpServer,
  RegisteredTool,
  ServerContext,
  StandardSchemaWithJSON,
  ToolCallback,
} from '@modelcontextprotocol/server';
import type { MintedToken } from '../../../client/client.ts';
import { randomHex } from '../../../client/digest/hex.ts';
import { throwIfError } from '../../tools/ask-client.ts';
import type { Approve } from '../../elicit/request/approve.ts';
import type { Elicit } from '../../elicit/request/elicit.ts';
import type { Once } from '../../question/call/make-once.ts';
import type { Binding } from '../../tools/own-tools/options.ts';
import { followUpdates, type UpdatableTool } from '../../tools/tasks/follow-updates.ts';
import { assertApproval, refuseApprovalOf, runTool, sdkConfig } from '../../tools/own-tools/own-tool.ts';
import { readInput, receiveCall, type Adapter, type SdkTool, type ToolConfig } from './call.ts';
import { registerPendingTools } from './continue.ts';
import { interceptCalls } from './intercept.ts';
import { serveTasks } from './tasks.ts';
import { makeToken, type TokenOptions } from '../../tools/principal/tokens.ts';

export type { McpServer, ServerContext } from '@modelcontextprotocol/server';

/**
 * What a tool's handler gets in addition to its arguments: the SDK's own context, with `elicit`, `approve`, `once` and always a session:
 * if the revision has none, `sessionId` names the call.
 */
export type ToolContext = ServerContext & { elicit: Elicit; approve: Approve; once: Once; sessionId: string };

export interface AssentryTools {
  /**
   * As the SDK's own `registerTool`; the handler's context also holds `elicit`, `approve` and `once`. With `approval: true` each
   * call waits for approvers before the handler runs, unless a policy allows it.
   */
  registerTool<Out extends StandardSchemaWithJSON, In extends StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<Out, In>,
    handler: BaseToolCallback<CallToolResult, ToolContext, In>,
  ): RegisteredTool;
  /**
   * Makes a token for a question that this call asks next, in URL mode with the token as its `elicitationId`; its
   * `callbackUrl` is where an outside service reports the result: a secret, for that service alone. `sessionId` is the one in the handler's context.
   */
  generateElicitationToken(sessionId: string, options?: TokenOptions): Promise<MintedToken>;
}

/** Lets the tools of one MCP server ask people. */
export function bindSdkV2(mcp: McpServer, binding: Binding<ServerContext>): AssentryTools {
  const adapter: Adapter = { mcp, ...binding, connection: randomHex(), tools: new Map(), calls: new WeakMap() };
  let hasPendingTools = false;
  refuseApprovalOf(mcp);
  interceptCalls(adapter);
  serveTasks(adapter);
  return {
    registerTool: (name, config, handler) => {
      assertApproval(name, config);
      if (!hasPendingTools) registerPendingTools(adapter);
      hasPendingTools = true;
      const callback = (...parameters: unknown[]) => serveTool(adapter, tool, parameters);
      // The SDK's types here depend on a schema type that only our caller has.
      const registered = mcp.registerTool(name, sdkConfig(config) as SdkToolConfig, callback as unknown as SdkCallback);
      const input = readInput(registered.inputSchema);
      const tool: SdkTool = { name, config: config as SdkToolConfig, ...input, handler: handler as SdkTool['handler'] };
      adapter.tools.set(name, tool);
      followUpdates(adapter.tools, tool, registered as unknown as UpdatableTool, readInput);
      return registered;
    },
    generateElicitationToken: (sessionId, options) => makeToken(binding.client, sessionId, options),
  };
}

type SdkCallback = ToolCallback<StandardSchemaWithJSON>;
type SdkToolConfig = ToolConfig<StandardSchemaWithJSON, StandardSchemaWithJSON>;

async function serveTool(adapter: Adapter, tool: SdkTool, parameters: unknown[]): Promise<CallToolResult> {
  const context = parameters.at(-1) as ServerContext;
  const call = await receiveCall(adapter, tool, tool.read ? parameters[0] : undefined, context);
  return throwIfError(await runTool(adapter, tool, call, context)) as CallToolResult;
}
