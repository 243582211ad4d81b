// With the other files sdk-v2-*.ts all that knows `@modelcontextprotocol/server`: 2026-07-28, and what was before.
import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type BaseToolCallback,
  type CallToolRequest,
  type CallToolResult,
  type McpServer,
  type RegisteredTool,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolCallback,
} from '@modelcontextprotocol/server';
import type { MintedToken } from '../client/client.ts';
import { randomHex } from '../client/hex.ts';
import type { StateBinding } from '../contract/request-state.ts';
import { Problem } from '../model/problem.ts';
import { throwIfError } from './ask-client.ts';
import { digestJson } from './call-name.ts';
import type { Elicit } from './elicit.ts';
import type { RoundQuestion, ToolResult } from './incoming-call.ts';
import type { Binding } from './options.ts';
import { loneSession } from './own-call.ts';
import { runTool } from './own-tool.ts';
import { inputRequestOf, lacksElicitation } from './sdk-v2-asking.ts';
import {
  describeInput,
  hasRounds,
  principalOf,
  receiveCall,
  type Adapter,
  type KnownCall,
  type SdkTool,
  type ToolConfig,
} from './sdk-v2-call.ts';
import { isHidden, isPendingTool, registerPendingTools } from './sdk-v2-continue.ts';
import { offerTask, serveTasks } from './sdk-v2-tasks.ts';
import { makeToken, type TokenOptions } from './tokens.ts';
import { lackingMode } from './tool-results.ts';

export type { McpServer, ServerContext } from '@modelcontextprotocol/server';

/**
 * What a tool's handler gets besides its arguments: the SDK's own context, with `elicit`, and always a session: where
 * the revision has none, `sessionId` names the call.
 */
export type ToolContext = ServerContext & { elicit: Elicit; sessionId: string };

export interface AssentryTools {
  /** As the SDK's own `registerTool`; the handler's context also holds `elicit`. */
  registerTool<Out extends StandardSchemaWithJSON, In extends StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<Out, In>,
    handler: BaseToolCallback<CallToolResult, ToolContext, In>,
  ): RegisteredTool;
  /**
   * Makes a token for a question that this call asks next, in URL mode with the token as its `elicitationId`; its
   * `callbackUrl` is where an outside service reports the result. `sessionId` is the one in the handler's context.
   */
  generateElicitationToken(sessionId: string, options?: TokenOptions): Promise<MintedToken>;
}

/** Lets the tools of one MCP server ask people. */
export function bindSdkV2(mcp: McpServer, binding: Binding<ServerContext>): AssentryTools {
  const adapter: Adapter = { mcp, ...binding, connection: randomHex(), tools: new Map(), known: new WeakMap() };
  interceptCalls(adapter);
  serveTasks(adapter);
  return {
    registerTool: (name, config, handler) => {
      const tool: SdkTool = {
        name,
        config: config as SdkToolConfig,
        schemaDigest: digestJson(describeInput(config.inputSchema)),
        handler: handler as SdkTool['handler'],
      };
      if (adapter.tools.size === 0) registerPendingTools(adapter);
      adapter.tools.set(name, tool);
      const callback = (...parameters: unknown[]) => serveTool(adapter, tool, parameters);
      // The SDK's types here depend on a schema type that only our caller knows.
      return mcp.registerTool(name, tool.config as SdkToolConfig, callback as unknown as SdkCallback);
    },
    generateElicitationToken: (sessionId, options) => makeToken(binding.client, sessionId, options),
  };
}

type SdkCallback = ToolCallback<StandardSchemaWithJSON>;
type SdkToolConfig = ToolConfig<StandardSchemaWithJSON, StandardSchemaWithJSON>;

async function serveTool(adapter: Adapter, tool: SdkTool, parameters: unknown[]): Promise<CallToolResult> {
  const context = parameters.at(-1) as ServerContext;
  const call = await receiveCall(adapter, tool, parameters.length > 1 ? parameters[0] : undefined, context);
  return throwIfError(await runTool(adapter, tool, call, parameters)) as CallToolResult;
}

/** Stands before the SDK's own handler, which turns every error into a result: a state is checked before any code runs. */
function interceptCalls(adapter: Adapter): void {
  const { server } = adapter.mcp;
  try {
    server.assertCanSetRequestHandler('tools/call');
  } catch (cause) {
    throw new Problem('config-invalid', { detail: 'Call assentry(mcp) before the server gets its first tool.', cause });
  }
  const setHandler = server.setRequestHandler.bind(server) as (method: string, ...rest: unknown[]) => void;
  const intercept = (method: string, ...rest: unknown[]): void => {
    const [handler] = rest;
    if (method === 'tools/call' && typeof handler === 'function')
      setHandler(method, guard(adapter, handler as CallHandler));
    else if (method === 'tools/list' && typeof handler === 'function')
      setHandler(method, hide(adapter, handler as ListHandler));
    else setHandler(method, ...rest);
  };
  server.setRequestHandler = intercept as typeof server.setRequestHandler;
}

type ListHandler = (request: unknown, context: ServerContext) => Promise<{ tools: { name: string }[] }>;

const hide =
  (adapter: Adapter, list: ListHandler): ListHandler =>
  async (request, context) => {
    const { tools, ...rest } = await list(request, context);
    return { ...rest, tools: tools.filter(({ name }) => !isHidden(adapter, name, context)) };
  };

type CallHandler = (request: CallToolRequest, context: ServerContext) => Promise<unknown>;

const guard =
  (adapter: Adapter, handle: CallHandler): CallHandler =>
  async (request, context) => {
    const { name } = request.params;
    if (isHidden(adapter, name, context)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} disabled`);
    }
    const isOurs = adapter.tools.has(name) || isPendingTool(name);
    if (!isOurs || !hasRounds(adapter.mcp)) return handle(request, context);
    const known = await knowCall(adapter, request, context);
    adapter.known.set(context, known);
    const result = await handle(request, context);
    if (known.handedOut) return known.handedOut;
    const lacking = lackingMode(result);
    if (!lacking) return result;
    throw lacksElicitation(lacking);
  };

/** There are no sessions in these revisions: a call that brings no state is a new one, and meets no other. */
async function knowCall(adapter: Adapter, { params }: CallToolRequest, context: ServerContext): Promise<KnownCall> {
  const { subject, verified } = principalOf(adapter, context);
  const binding: StateBinding = {
    principal: { subject, verified },
    method: context.mcpReq.method,
    tool: params.name,
    argumentsDigest: await digestJson(params.arguments ?? {}),
  };
  const state = context.mcpReq.requestState();
  const session = state === undefined ? loneSession() : await redeem(adapter, state, binding);
  const round = { binding, answers: context.mcpReq.inputResponses ?? {}, askFor };
  return { session, round, task: offerTask(adapter, params.name, context) };
}

async function redeem({ client }: Adapter, state: unknown, binding: StateBinding): Promise<string> {
  try {
    return (await client.redeemState({ state: String(state), binding })).session;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isInvalid = error.code === 'token-invalid' || error.code === 'INVALID_INPUT';
    const code = isInvalid ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, isInvalid ? 'Invalid or expired requestState' : error.message);
  }
}

function askFor(questions: ReadonlyMap<string, RoundQuestion>, requestState: string): ToolResult {
  const entries = [...questions].map(([step, question]) => [step, inputRequestOf(question)] as const);
  return inputRequired({ inputRequests: Object.fromEntries(entries), requestState }) as unknown as ToolResult;
}
