// The only file that knows `@modelcontextprotocol/server` (revision 2026-07-28, and those before it).
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type BaseToolCallback,
  type CallToolRequest,
  type CallToolResult,
  type ElicitRequestFormParams,
  type McpServer,
  type RegisteredTool,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
  type ToolCallback,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AssentryClient } from '../client/client.ts';
import { longestTimer } from '../client/backoff.ts';
import type { StateBinding } from '../contract/request-state.ts';
import { actions } from '../model/elicitation.ts';
import { Problem } from '../model/problem.ts';
import { digestJson, hex } from './call-name.ts';
import type { ElicitationCapabilities } from './capabilities.ts';
import type { Elicit } from './elicit.ts';
import type { ClientReply, IncomingCall, Round, RoundQuestion, ToolResult } from './incoming-call.ts';
import { identifyCaller, type Principal } from './principal.ts';
import { runCall } from './run-call.ts';
import type { RunSettings } from './run.ts';
import { codeOf } from './tool-results.ts';

export type { McpServer } from '@modelcontextprotocol/server';

/** What a tool's handler gets besides its arguments: the SDK's own context, and `elicit`. */
export type ToolContext = ServerContext & { elicit: Elicit };

export interface ToolConfig<Out, In> {
  title?: string;
  description?: string;
  inputSchema?: In;
  outputSchema?: Out;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
}

export interface AssentryTools {
  /** As the SDK's own `registerTool`; the handler's context also holds `elicit`. */
  registerTool<Out extends StandardSchemaWithJSON, In extends StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<Out, In>,
    handler: BaseToolCallback<CallToolResult, ToolContext, In>,
  ): RegisteredTool;
}

export type PrincipalOption = (context: ServerContext) => string | Principal;

export interface Binding {
  client: AssentryClient;
  settings: RunSettings;
  principal: PrincipalOption | undefined;
}

/** Lets the tools of one MCP server ask people. */
export function bindSdkV2(mcp: McpServer, binding: Binding): AssentryTools {
  const adapter = { mcp, ...binding, connection: randomName(), own: new Set<string>(), rounds: new WeakMap() };
  interceptCalls(adapter);
  return {
    registerTool: (name, config, handler) => {
      const run = handler as (...parameters: unknown[]) => CallToolResult | Promise<CallToolResult>;
      const schemaDigest = digestJson(describeInput(config.inputSchema));
      const callback = async (...parameters: unknown[]): Promise<CallToolResult> => {
        const context = parameters.at(-1) as ServerContext;
        const args = parameters.slice(0, -1);
        const tool = { name, config, schemaDigest: await schemaDigest };
        const handle = async (elicit: Elicit) => (await run(...args, { ...context, elicit })) as ToolResult;
        const call = receiveCall(adapter, tool, args[0], context);
        return (await runCall(call, binding.client, binding.settings, handle)) as CallToolResult;
      };
      adapter.own.add(name);
      // The SDK's types here depend on a schema type that only our caller knows.
      return mcp.registerTool(name, config as SdkToolConfig, callback as unknown as SdkCallback);
    },
  };
}

type SdkCallback = ToolCallback<StandardSchemaWithJSON>;
type SdkToolConfig = ToolConfig<StandardSchemaWithJSON, StandardSchemaWithJSON>;

interface Adapter extends Binding {
  mcp: McpServer;
  /** Stands for the session where the transport has none: the connection of a client before 2026-07-28. */
  connection: string;
  /** Names of the tools registered here; others go their own way. */
  own: Set<string>;
  /** What is known of a call before its handler runs. */
  rounds: WeakMap<ServerContext, { session: string; round: Round }>;
}

const randomName = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

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
    const isCalls = method === 'tools/call' && typeof handler === 'function';
    setHandler(method, ...(isCalls ? [guard(adapter, handler as CallHandler)] : rest));
  };
  server.setRequestHandler = intercept as typeof server.setRequestHandler;
}

type CallHandler = (request: CallToolRequest, context: ServerContext) => Promise<unknown>;

const guard =
  (adapter: Adapter, handle: CallHandler): CallHandler =>
  async (request, context) => {
    if (!adapter.own.has(request.params.name) || !hasRounds(adapter.mcp)) return handle(request, context);
    adapter.rounds.set(context, await openRound(adapter, request, context));
    const result = await handle(request, context);
    if (codeOf(result) !== 'ELICITATION_NOT_SUPPORTED') return result;
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { elicitation: { form: {} } } });
  };

/** Since this revision clients are asked by results. Revisions are dates. */
const firstWithRounds = '2026-07-28';
const hasRounds = ({ server }: McpServer): boolean => (server.getNegotiatedProtocolVersion() ?? '') >= firstWithRounds;

/** There are no sessions in these revisions: a call that brings no state is a new one, and meets no other. */
async function openRound(adapter: Adapter, { params }: CallToolRequest, context: ServerContext) {
  const { subject, verified } = principalOf(adapter, context);
  const binding: StateBinding = {
    principal: { subject, verified },
    method: context.mcpReq.method,
    tool: params.name,
    argumentsDigest: await digestJson(params.arguments ?? {}),
  };
  const state = context.mcpReq.requestState();
  const session = state === undefined ? randomName() : await redeem(adapter, state, binding);
  return { session, round: { binding, answers: context.mcpReq.inputResponses ?? {}, askFor } };
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
  const entries = [...questions].map(([step, question]) => [step, inputRequired.elicit(formOf(question))] as const);
  return inputRequired({ inputRequests: Object.fromEntries(entries), requestState }) as unknown as ToolResult;
}

const formOf = ({ message, schema }: RoundQuestion) => ({
  mode: 'form' as const,
  message,
  requestedSchema: schema as ElicitRequestFormParams['requestedSchema'],
});

function principalOf({ mcp, principal }: Adapter, context: ServerContext): Principal {
  const known = principal?.(context);
  if (known === undefined) return identifyCaller({ ...context.http, clientName: clientOf(mcp, context)?.name });
  return typeof known === 'string' ? { subject: known, verified: false } : known;
}

const envelopeOf = ({ mcpReq }: ServerContext) => mcpReq.envelope as Record<string, unknown> | undefined;

function clientOf(mcp: McpServer, context: ServerContext): { name: string; version: string } | undefined {
  if (!hasRounds(mcp)) return mcp.server.getClientVersion();
  return envelopeOf(context)?.[CLIENT_INFO_META_KEY] as { name: string; version: string } | undefined;
}

function capabilitiesOf(mcp: McpServer, context: ServerContext): ElicitationCapabilities | undefined {
  if (!hasRounds(mcp)) return mcp.server.getClientCapabilities();
  return envelopeOf(context)?.[CLIENT_CAPABILITIES_META_KEY] as ElicitationCapabilities | undefined;
}

interface CalledTool {
  name: string;
  config: ToolConfig<unknown, unknown>;
  schemaDigest: string;
}

function receiveCall(adapter: Adapter, tool: CalledTool, args: unknown, context: ServerContext): IncomingCall {
  const { mcp, connection, rounds } = adapter;
  const { title, description, annotations, outputSchema } = tool.config;
  const { subject, verified } = principalOf(adapter, context);
  const client = clientOf(mcp, context);
  const known = rounds.get(context);
  return {
    tool: {
      name: tool.name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(annotations && { annotations }),
      schemaDigest: tool.schemaDigest,
    },
    args,
    session: known?.session ?? context.sessionId ?? connection,
    requester: {
      subject,
      verified,
      ...(client && { client: { name: client.name, version: client.version } }),
    },
    capabilities: capabilitiesOf(mcp, context),
    signal: context.mcpReq.signal,
    sendProgress: progressOf(context),
    hasOutputSchema: outputSchema !== undefined,
    round: known?.round,
    ask: (question, options) => {
      skipFirstRequestId(mcp, context);
      return askClient(context, question, options);
    },
  };
}

function progressOf({ mcpReq }: ServerContext): IncomingCall['sendProgress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
}

/** The input schema as the client sees it in the list of tools. */
function describeInput(schema: StandardSchemaWithJSON | undefined): unknown {
  return schema ? schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) : {};
}

/** More lenient than the SDK's: what an accept carries is judged field by field against the question. */
const AnyReply = z.looseObject({ action: z.enum(actions), content: z.unknown().optional() });

async function askClient(
  { mcpReq }: ServerContext,
  question: RoundQuestion,
  { signal, timeout }: { signal: AbortSignal; timeout: number },
): Promise<ClientReply> {
  try {
    const options = { signal, timeout: Math.min(timeout, longestTimer) };
    const request = { method: 'elicitation/create', params: formOf(question) };
    const { action, content } = await mcpReq.send(request, AnyReply, options);
    return { kind: 'answer', action, content };
  } catch (error) {
    return replyOf(error);
  }
}

function replyOf(error: unknown): ClientReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { kind: 'timeout' };
  const unsupported: unknown[] = [
    ProtocolErrorCode.MethodNotFound,
    ProtocolErrorCode.InvalidParams,
    SdkErrorCode.CapabilityNotSupported,
  ];
  const isRefused = error instanceof ProtocolError || error instanceof SdkError;
  return isRefused && unsupported.includes(error.code) ? { kind: 'unsupported', reason } : { kind: 'failed', reason };
}

const started = new WeakSet<McpServer>();

/** Clients on the first SDK ignore the cancellation of request 0, and would go on showing a form nobody waits for. */
function skipFirstRequestId(mcp: McpServer, { mcpReq }: ServerContext): void {
  if (started.has(mcp)) return;
  started.add(mcp);
  mcpReq.send({ method: 'ping' }, { timeout: 10_000 }).catch(() => {});
}
