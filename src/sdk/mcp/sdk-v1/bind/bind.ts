// Of the library for servers, only the files in this folder depend on `@modelcontextprotocol/sdk` (revisions up to 2025-11-25).
import type {
  BaseToolCallback,
  McpServer,
  RegisteredTool,
  ToolCallback,
} from '@modelcontextprotocol/sdk/server/mcp.js';
import type { AnySchema, ZodRawShapeCompat } from '@modelcontextprotocol/sdk/server/zod-compat.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { MintedToken } from '../../../client/client.ts';
import { randomHex } from '../../../client/digest/hex.ts';
import { throwIfError } from '../../tools/ask-client.ts';
import type { Approve } from '../../elicit/request/approve.ts';
import type { Elicit } from '../../elicit/request/elicit.ts';
import type { Once } from '../../question/call/make-once.ts';
import type { Binding } from '../../tools/own-tools/options.ts';
import { followUpdates, type UpdatableTool } from '../../tools/tasks/follow-updates.ts';
import { assertApproval, refuseApprovalOf, runTool, sdkConfig } from '../../tools/own-tools/own-tool.ts';
import type { CallExtra } from './asking.ts';
import { readInput, receiveCall, type Adapter, type SdkTool, type ToolConfig } from './call.ts';
import { registerPendingTools } from './pending.ts';
import { makeToken, type TokenOptions } from '../../tools/principal/tokens.ts';

export type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
export type { CallExtra } from './asking.ts';

/** What a tool's handler gets in addition to its arguments: the SDK's own context, with `elicit`, `approve`, `once` and always a session. */
export type ToolContext = CallExtra & { elicit: Elicit; approve: Approve; once: Once; sessionId: string };

export interface AssentryTools {
  /**
   * As the SDK's own `registerTool`; the handler's context also holds `elicit`, `approve` and `once`. With `approval: true` each
   * call waits for approvers before the handler runs, unless a policy allows it.
   */
  registerTool<
    Out extends ZodRawShapeCompat | AnySchema,
    In extends undefined | ZodRawShapeCompat | AnySchema = undefined,
  >(
    name: string,
    config: ToolConfig<Out, In>,
    handler: BaseToolCallback<CallToolResult, ToolContext, In>,
  ): RegisteredTool;
  /**
   * Makes a token for a question that is asked next, in URL mode with the token as its `elicitationId`; its `callbackUrl`
   * is where an outside service reports the result: a secret, for that service alone. Without a session id, as over stdio, it is this connection's.
   */
  generateElicitationToken(sessionId?: string, options?: TokenOptions): Promise<MintedToken>;
}

/** Lets the tools of one MCP server ask people. */
export function bindSdkV1(mcp: McpServer, binding: Binding<CallExtra>): AssentryTools {
  const connection = randomHex();
  const adapter: Adapter = { mcp, ...binding, connection, tools: new Map() };
  let hasPendingTools = false;
  refuseApprovalOf(mcp);
  return {
    registerTool: (name, config, handler) => {
      assertApproval(name, config);
      if (!hasPendingTools) registerPendingTools(adapter);
      hasPendingTools = true;
      const callback = (...parameters: unknown[]) => serveTool(adapter, tool, parameters);
      // The SDK's types here depend on a schema type that only our caller has.
      const registered = mcp.registerTool(
        name,
        sdkConfig(config) as SdkToolConfig,
        callback as unknown as ToolCallback<ZodRawShapeCompat>,
      );
      const input = readInput(registered.inputSchema);
      const tool: SdkTool = { name, config, ...input, handler: handler as SdkTool['handler'] };
      adapter.tools.set(name, tool);
      followUpdates(adapter.tools, tool, registered as unknown as UpdatableTool, readInput);
      return registered;
    },
    generateElicitationToken: (sessionId = adapter.connection, options) =>
      makeToken(binding.client, sessionId, options),
  };
}

type SdkToolConfig = Parameters<typeof McpServer.prototype.registerTool<AnySchema, ZodRawShapeCompat>>[1];

async function serveTool(adapter: Adapter, tool: SdkTool, parameters: unknown[]): Promise<CallToolResult> {
  const extra = parameters.at(-1) as CallExtra;
  const call = await receiveCall(adapter, tool, tool.read ? parameters[0] : undefined, extra);
  return throwIfError(await runTool(adapter, tool, call, extra)) as CallToolResult;
}
