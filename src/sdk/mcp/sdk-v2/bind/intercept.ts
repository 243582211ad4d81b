// Handles a `tools/call` before the SDK's own handler, on `@modelcontextprotocol/server`.
import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { RedeemedState, StateBinding } from '#requests/asking/contract/routes';
import { Problem } from '#platform/model/problem';
import { digestJson } from '../../question/call/call-name.ts';
import type { RoundQuestion, ToolResult } from '../../question/call/incoming-call.ts';
import { singleCallSession } from '../../tools/principal/own-call.ts';
import { inputRequestOf, lacksElicitation } from './asking.ts';
import { hasRounds, principalOf, type Adapter, type KnownCall } from './call.ts';
import { isHidden, isPendingTool } from './continue.ts';
import { offerTask } from './tasks.ts';
import { lackingMode } from '../../question/result/tool-results.ts';

/**
 * Runs before the SDK's own handler, which turns every error into a result: a state is checked before any code runs.
 */
export function interceptCalls(adapter: Adapter): void {
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
    const call = await knowCall(adapter, request, context);
    adapter.calls.set(context, call);
    const result = await handle(request, context);
    if (call.handedOut) return call.handedOut;
    const lacking = lackingMode(result);
    if (!lacking) return result;
    throw lacksElicitation(lacking);
  };

/** These revisions have no sessions: a call without a state is a new one, and joins no other. */
async function knowCall(adapter: Adapter, { params }: CallToolRequest, context: ServerContext): Promise<KnownCall> {
  const binding: StateBinding = {
    principal: principalOf(adapter, context),
    method: context.mcpReq.method,
    tool: params.name,
    argumentsDigest: await digestJson(params.arguments ?? {}),
  };
  const state = context.mcpReq.requestState();
  const redeemed = state === undefined ? null : await redeem(adapter, state, binding);
  // Without a state no question was shown, so answers are ignored.
  const answers = state === undefined ? {} : (context.mcpReq.inputResponses ?? {});
  const round = { binding, answers, answered: redeemed?.toolCall, askFor };
  return { session: redeemed?.session ?? singleCallSession(), round, task: offerTask(adapter, params.name, context) };
}

async function redeem({ client }: Adapter, state: unknown, binding: StateBinding): Promise<RedeemedState> {
  try {
    return await client.redeemState({ state: String(state), binding });
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
