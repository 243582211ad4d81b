// One call as `@modelcontextprotocol/sdk` hands it over.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  normalizeObjectSchema,
  type AnySchema,
  type ZodRawShapeCompat,
} from '@modelcontextprotocol/sdk/server/zod-compat.js';
import { toJsonSchemaCompat } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  EmptyResultSchema,
  ErrorCode,
  McpError,
  UrlElicitationRequiredError,
  type CallToolResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ServerNotification,
  type ServerRequest,
  type ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import type { AssentryClient } from '../client/client.ts';
import { longestTimer } from '../client/backoff.ts';
import type { Elicit } from './elicit.ts';
import type { ClientReply, IncomingCall, ToolResult, UrlRequest, UrlSending } from './incoming-call.ts';
import { authorizationOf, identifyCaller, type Principal } from './principal.ts';
import { Reply } from './reply.ts';
import { runCall } from './run-call.ts';
import type { RunSettings } from './run.ts';
import { connectionEnd } from './tell-later.ts';

export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface ToolConfig<Out, In> {
  title?: string;
  description?: string;
  inputSchema?: In;
  outputSchema?: Out;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
}

export type PrincipalOption = (extra: CallExtra) => string | Principal;

export interface Binding {
  client: AssentryClient;
  settings: RunSettings;
  principal: PrincipalOption | undefined;
}

export interface Adapter extends Binding {
  mcp: McpServer;
  /** Where the transport has no sessions (stdio), the connection is the session. */
  connection: string;
  /** The tools registered here, by name. */
  tools: Map<string, OwnTool>;
}

export interface OwnTool {
  name: string;
  config: ToolConfig<unknown, unknown>;
  schemaDigest: Promise<string>;
  /** Arguments, where the tool has an input schema, then the context. */
  handler: (...parameters: unknown[]) => unknown;
}

export function principalOf({ mcp, principal }: Adapter, extra: CallExtra): Principal {
  const known = principal?.(extra) ?? identifyCaller({ ...extra, clientName: mcp.server.getClientVersion()?.name });
  return typeof known === 'string' ? { subject: known, verified: false } : known;
}

export const sessionOf = ({ connection }: Adapter, { sessionId }: CallExtra): string => sessionId ?? connection;

export async function receiveCall(
  adapter: Adapter,
  tool: OwnTool,
  args: unknown,
  extra: CallExtra,
): Promise<IncomingCall> {
  const { mcp } = adapter;
  const client = mcp.server.getClientVersion();
  const { subject, verified } = principalOf(adapter, extra);
  return {
    tool: await describeTool(tool),
    args,
    session: sessionOf(adapter, extra),
    requester: { subject, verified, ...(client && { client: { name: client.name, version: client.version } }) },
    capabilities: mcp.server.getClientCapabilities(),
    authInfo: authorizationOf(extra.authInfo),
    signal: extra.signal,
    sendProgress: progressOf(extra),
    hasOutputSchema: tool.config.outputSchema !== undefined,
    ask: ({ message, schema, meta }, options) => {
      skipFirstRequestId(mcp, extra);
      return askClient(
        extra,
        {
          message,
          requestedSchema: schema as ElicitRequestFormParams['requestedSchema'],
          ...(meta && { _meta: meta }),
        },
        options,
      );
    },
    urls: sendUrls(mcp, extra),
    tellToolsChanged: () => void mcp.server.sendToolListChanged().catch(() => {}),
  };
}

/** Runs the tool's handler with an `elicit` in its context, which is the last of what it is given. */
export function runTool(
  { client, settings }: Adapter,
  tool: OwnTool,
  call: IncomingCall,
  parameters: unknown[],
): Promise<ToolResult> {
  const args = parameters.slice(0, -1);
  const extra = parameters.at(-1) as CallExtra;
  const { session: sessionId } = call;
  const handle = async (elicit: Elicit) => (await tool.handler(...args, { ...extra, sessionId, elicit })) as ToolResult;
  return runCall(call, client, settings, handle);
}

/** The tool as approvers see it. */
async function describeTool({ name, config, schemaDigest }: OwnTool): Promise<IncomingCall['tool']> {
  const { title, description, annotations } = config;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations }),
    schemaDigest: await schemaDigest,
  };
}

function progressOf({ _meta: meta, sendNotification }: CallExtra): IncomingCall['sendProgress'] {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) =>
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
}

const sendUrls = (mcp: McpServer, extra: CallExtra): UrlSending => ({
  ask: (request, options) => {
    skipFirstRequestId(mcp, extra);
    return askClient(extra, urlParams(request), options);
  },
  tellDone: (elicitationId) => extra.sendNotification(completion(elicitationId)).catch(() => {}),
  tellLater: (elicitationId) => mcp.server.notification(completion(elicitationId)).catch(() => {}),
  ended: () => connectionEnd(mcp.server),
  require: (request) => {
    const result: ToolResult = { content: [] };
    urlsRequired.set(result, new UrlElicitationRequiredError([urlParams(request)], request.message));
    return result;
  },
});

/** Where it does not arrive, the person can tell the client as well. */
const completion = (elicitationId: string) =>
  ({ method: 'notifications/elicitation/complete', params: { elicitationId } }) as const;

const urlParams = ({ meta, ...request }: UrlRequest): ElicitRequestURLParams => ({
  mode: 'url',
  ...request,
  ...(meta && { _meta: meta }),
});

/** The errors that stand for results. */
const urlsRequired = new WeakMap<ToolResult, UrlElicitationRequiredError>();

export function throwRequired(result: ToolResult): CallToolResult {
  const required = urlsRequired.get(result);
  if (required) throw required;
  return result as CallToolResult;
}

/** The input schema as the client sees it in the list of tools. */
export function describeInput(schema: unknown): unknown {
  const object = normalizeObjectSchema(schema as AnySchema | ZodRawShapeCompat | undefined);
  return object ? toJsonSchemaCompat(object, { strictUnions: true, pipeStrategy: 'input' }) : {};
}

async function askClient(
  extra: CallExtra,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  { signal, timeout }: { signal: AbortSignal; timeout: number },
): Promise<ClientReply> {
  try {
    const options = { signal, timeout: Math.min(timeout, longestTimer) };
    const { action, content } = await extra.sendRequest({ method: 'elicitation/create', params }, Reply, options);
    return { kind: 'answer', action, content };
  } catch (error) {
    return replyOf(error);
  }
}

function replyOf(error: unknown): ClientReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof McpError)) return { kind: 'failed', reason };
  if (error.code === ErrorCode.MethodNotFound || error.code === ErrorCode.InvalidParams) {
    return { kind: 'unsupported', reason, knowsNone: error.code === ErrorCode.MethodNotFound };
  }
  return error.code === ErrorCode.RequestTimeout ? { kind: 'timeout' } : { kind: 'failed', reason };
}

const started = new WeakSet<McpServer>();

/** Clients on this SDK ignore the cancellation of request 0, and would go on showing a form nobody waits for. */
function skipFirstRequestId(mcp: McpServer, extra: CallExtra): void {
  if (started.has(mcp)) return;
  started.add(mcp);
  extra.sendRequest({ method: 'ping' }, EmptyResultSchema, { timeout: 10_000 }).catch(() => {});
}
