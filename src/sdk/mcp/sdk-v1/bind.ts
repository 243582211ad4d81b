import type {
  BaseToolCallback,
  McpServer,
  RegisteredTool,
  ToolCallback,
} from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type AnySchema,
  type ZodRawShapeCompat,
  normalizeObjectSchema,
  safeParseAsync,
} from '@modelcontextprotocol/sdk/server/zod-compat.js';
import {
  type CallToolResult,
  type ToolAnnotations,
  EmptyResultSchema,
  ErrorCode,
  McpError,
  UrlElicitationRequiredError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { MintedToken, ToolCallState } from '../../client/client.ts';
import { randomHex } from '../../client/digest.ts';
import {
  throwIfError,
  AnyReply,
  askClient,
  completion,
  formParams,
  skipFirstRequestId,
  resultFor,
  urlParams,
} from '../tools/ask-client.ts';
import type { Approve, Elicit } from '../elicit/elicit.ts';
import {
  type IncomingCall,
  type ToolResult,
  digestJson,
  type AskLimits,
  type ClientReply,
  type UrlSending,
} from '../question/call.ts';
import {
  type Binding,
  assertApproval,
  refuseApprovalOf,
  runTool,
  sdkConfig,
  describeTool,
  type OwnConfig,
  type OwnTool,
  type Steps,
} from '../tools/own-tools.ts';
import {
  followUpdates,
  type UpdatableTool,
  continueCall,
  pendingTools,
  runPendingTool,
  type PendingTool,
  watchDelivery,
} from '../tools/tasks.ts';
import {
  makeToken,
  type TokenOptions,
  authorizationOf,
  identifyCaller,
  readPrincipal,
  tokenToSend,
  type Principal,
  traceIn,
  watchStdin,
} from '../tools/principal.ts';
import type { z } from 'zod';
import { Problem } from '#platform/model/problem';
import { toJsonSchemaCompat } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { connectionEnd } from '../channels/channels.ts';

// Only the files in this folder depend on `@modelcontextprotocol/sdk` of the library for servers (revisions up to 2025-11-25).

export type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

/** What a tool's handler gets in addition to its arguments: the SDK's own context, with `elicit`, `approve`, `once`, `connect`, `payment`, `signature`, `secret`, the requester and always a session. */
export type ToolContext = CallExtra &
  Steps & {
    elicit: Elicit;
    approve: Approve;
    /** The caller, as far as it is established. */
    requester: Principal;
    sessionId: string;
  };

export interface AssentryTools {
  /**
   * As the SDK's own `registerTool`; the handler's context also holds `elicit`, `approve` and the other steps. With `approval: true` each
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

// Our own tools next to those of the server's author, on `@modelcontextprotocol/sdk`.

/** Lists them to their clients; all others get that they are disabled. */
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

/** Runs the stored call's tool for the client that continues it. */
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

// One call in the form of `@modelcontextprotocol/sdk`.

export interface ToolConfig<Out, In> extends Pick<OwnConfig, 'approval'> {
  title?: string;
  description?: string;
  inputSchema?: In;
  outputSchema?: Out;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
}

export interface Adapter extends Binding<CallExtra> {
  mcp: McpServer;
  /** Replaces the session where the transport has none (stdio). */
  connection: string;
  /** The tools registered here, by name. */
  tools: Map<string, SdkTool>;
}

export type SdkTool = OwnTool<ToolConfig<unknown, unknown>>;

export function principalOf({ mcp, principal }: Adapter, extra: CallExtra): Principal {
  const caller = principal?.(extra) ?? identifyCaller({ ...extra, clientName: mcp.server.getClientVersion()?.name });
  return readPrincipal(caller);
}

export const sessionOf = ({ connection }: Adapter, { sessionId }: CallExtra): string => sessionId ?? connection;

export async function receiveCall(
  adapter: Adapter,
  tool: SdkTool,
  args: unknown,
  extra: CallExtra,
): Promise<IncomingCall> {
  const { mcp } = adapter;
  watchStdin(mcp);
  const client = mcp.server.getClientVersion();
  const requester = principalOf(adapter, extra);
  return {
    tool: await describeTool(tool),
    args,
    session: sessionOf(adapter, extra),
    requester: { ...requester, ...(client && { client: { name: client.name, version: client.version } }) },
    capabilities: mcp.server.getClientCapabilities(),
    authInfo: authorizationOf(extra.authInfo),
    ...tokenToSend(adapter, extra.authInfo),
    traceparent: traceIn(extra._meta),
    signal: extra.signal,
    delivery: watchDelivery(mcp.server.transport, { id: extra.requestId, signal: extra.signal }),
    sendProgress: progressOf(extra),
    hasOutputSchema: tool.config.outputSchema !== undefined,
    ...reachRequester(mcp, extra),
  };
}

function progressOf({ _meta: meta, sendNotification }: CallExtra): IncomingCall['sendProgress'] {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) =>
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
}

/** Input schema of a tool for a run, as the SDK made it from the author's. */
export function readInput(schema: unknown): Pick<SdkTool, 'schemaDigest' | 'read'> {
  const input = schema as InputSchema;
  return { schemaDigest: digestJson(describeInput(input)), read: readerOf(input) };
}

/** The input schema as the client sees it in the list of tools. */
function describeInput(schema: InputSchema): unknown {
  const object = normalizeObjectSchema(schema);
  return object ? toJsonSchemaCompat(object, { strictUnions: true, pipeStrategy: 'input' }) : {};
}

/** Reads arguments as the SDK does before it passes them on. */
function readerOf(schema: InputSchema): SdkTool['read'] {
  if (!schema) return null;
  const reading = normalizeObjectSchema(schema) ?? schema;
  return async (args) => {
    const read = await safeParseAsync(reading, args);
    return read.success ? read.data : undefined;
  };
}

type InputSchema = AnySchema | undefined;

// Asks the person at a client, on `@modelcontextprotocol/sdk`.

/** The SDK's context of a call. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Asks on the call's own stream. */
export function reachRequester(
  mcp: McpServer,
  extra: CallExtra,
): Pick<IncomingCall, 'ask' | 'urls' | 'notifyToolsChanged'> {
  const send: Send = (params, limits) => {
    skipFirstRequestId(mcp, () => extra.sendRequest({ method: 'ping' }, EmptyResultSchema, { timeout: 10_000 }));
    const request = { method: 'elicitation/create', params } as const;
    return askClient((options) => extra.sendRequest(request, AnyReply, options), limits, replyOf);
  };
  return {
    ask: (question, options) => send(formParams(question), options),
    urls: sendUrls(mcp, extra, send),
    notifyToolsChanged: () => void mcp.server.sendToolListChanged().catch(() => {}),
  };
}

type Send = (params: ElicitRequestFormParams | ElicitRequestURLParams, limits: AskLimits) => Promise<ClientReply>;

const sendUrls = (mcp: McpServer, extra: CallExtra, send: Send): UrlSending => ({
  ask: (request, options) => send(urlParams(request), options),
  notifyDone: (elicitationId) => extra.sendNotification(completion(elicitationId)).catch(() => {}),
  notifyLater: (elicitationId) => mcp.server.notification(completion(elicitationId)).catch(() => {}),
  ended: () => connectionEnd(mcp.server),
  require: (request) => resultFor(new UrlElicitationRequiredError([urlParams(request)], request.message)),
});

function replyOf(error: unknown): ClientReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof McpError)) return { kind: 'failed', reason };
  if (error.code === ErrorCode.MethodNotFound || error.code === ErrorCode.InvalidParams) {
    return { kind: 'unsupported', reason, knowsNone: error.code === ErrorCode.MethodNotFound };
  }
  return error.code === ErrorCode.RequestTimeout ? { kind: 'timeout' } : { kind: 'failed', reason };
}
