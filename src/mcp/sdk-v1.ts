// The only file that knows `@modelcontextprotocol/sdk` (revisions up to 2025-11-25).
import type {
  BaseToolCallback,
  McpServer,
  RegisteredTool,
  ToolCallback,
} from '@modelcontextprotocol/sdk/server/mcp.js';
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
import { z } from 'zod';
import type { AssentryClient, MintedToken, MintToken } from '../client/client.ts';
import { longestTimer } from '../client/backoff.ts';
import { actions } from '../model/elicitation.ts';
import { digestJson, hex } from './call-name.ts';
import type { Elicit } from './elicit.ts';
import type { ClientReply, IncomingCall, ToolResult, UrlSending } from './incoming-call.ts';
import { identifyCaller, type Principal } from './principal.ts';
import { runCall } from './run-call.ts';
import type { RunSettings } from './run.ts';

export type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What a tool's handler gets besides its arguments: the SDK's own context, and `elicit`. */
export type ToolContext = CallExtra & { elicit: Elicit };

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
   * is where an outside service reports the result. Without a session id, as over stdio, it is this connection's.
   */
  generateElicitationToken(sessionId?: string, options?: TokenOptions): Promise<MintedToken>;
}

export interface TokenOptions {
  /** Milliseconds; 300 000 by default. */
  ttl?: number;
  /** `callback`, the default, for an outside service; `page` for our hosted page. */
  purpose?: MintToken['purpose'];
}

export type PrincipalOption = (extra: CallExtra) => string | Principal;

export interface Binding {
  client: AssentryClient;
  settings: RunSettings;
  principal: PrincipalOption | undefined;
}

/** Lets the tools of one MCP server ask people. */
export function bindSdkV1(mcp: McpServer, binding: Binding): AssentryTools {
  // Where the transport has no sessions (stdio), the connection is the session.
  const connection = hex(crypto.getRandomValues(new Uint8Array(16)));
  return {
    registerTool: (name, config, handler) => {
      const run = handler as (...parameters: unknown[]) => CallToolResult | Promise<CallToolResult>;
      const schemaDigest = digestJson(describeInput(config.inputSchema));
      const callback = async (...parameters: unknown[]): Promise<CallToolResult> => {
        const extra = parameters.at(-1) as CallExtra;
        const args = parameters.slice(0, -1);
        const call = await receiveCall(mcp, binding, { name, config, extra, args: args[0], connection, schemaDigest });
        const handle = async (elicit: Elicit) => (await run(...args, { ...extra, elicit })) as ToolResult;
        const result = await runCall(call, binding.client, binding.settings, handle);
        const required = urlsRequired.get(result);
        if (required) throw required;
        return result as CallToolResult;
      };
      // The SDK's types here depend on a schema type that only our caller knows.
      return mcp.registerTool(name, config as SdkToolConfig, callback as unknown as ToolCallback<ZodRawShapeCompat>);
    },
    generateElicitationToken: (sessionId = connection, { ttl, purpose } = {}) =>
      binding.client.mintToken({
        session: sessionId,
        ...(ttl !== undefined && { ttl }),
        ...(purpose !== undefined && { purpose }),
      }),
  };
}

type SdkToolConfig = Parameters<typeof McpServer.prototype.registerTool<AnySchema, ZodRawShapeCompat>>[1];

interface Received {
  name: string;
  config: ToolConfig<unknown, unknown>;
  extra: CallExtra;
  args: unknown;
  connection: string;
  schemaDigest: Promise<string>;
}

async function receiveCall(mcp: McpServer, { principal }: Binding, received: Received): Promise<IncomingCall> {
  const { name, config, extra, args, connection, schemaDigest } = received;
  const client = mcp.server.getClientVersion();
  const known = principal?.(extra) ?? identifyCaller({ ...extra, clientName: client?.name });
  const { subject, verified } = typeof known === 'string' ? { subject: known, verified: false } : known;
  const token = extra._meta?.progressToken;
  return {
    tool: {
      name,
      ...(config.title !== undefined && { title: config.title }),
      ...(config.description !== undefined && { description: config.description }),
      ...(config.annotations && { annotations: config.annotations }),
      schemaDigest: await schemaDigest,
    },
    args,
    session: extra.sessionId ?? connection,
    requester: { subject, verified, ...(client && { client: { name: client.name, version: client.version } }) },
    capabilities: mcp.server.getClientCapabilities(),
    signal: extra.signal,
    sendProgress:
      token === undefined
        ? undefined
        : (progress, message) =>
            extra.sendNotification({
              method: 'notifications/progress',
              params: { progressToken: token, progress, message },
            }),
    hasOutputSchema: config.outputSchema !== undefined,
    ask: ({ message, schema }, options) => {
      skipFirstRequestId(mcp, extra);
      return askClient(
        extra,
        { message, requestedSchema: schema as ElicitRequestFormParams['requestedSchema'] },
        options,
      );
    },
    urls: sendUrls(mcp, extra),
  };
}

const sendUrls = (mcp: McpServer, extra: CallExtra): UrlSending => ({
  ask: (request, options) => {
    skipFirstRequestId(mcp, extra);
    return askClient(extra, { mode: 'url', ...request }, options);
  },
  tellDone: async (elicitationId) => {
    const done = { method: 'notifications/elicitation/complete', params: { elicitationId } } as const;
    await extra.sendNotification(done).catch(() => {}); // the person can tell the client as well
  },
  require: (request) => {
    const result: ToolResult = { content: [] };
    urlsRequired.set(result, new UrlElicitationRequiredError([{ mode: 'url', ...request }], request.message));
    return result;
  },
});

/** The errors that stand for results. */
const urlsRequired = new WeakMap<ToolResult, UrlElicitationRequiredError>();

/** The input schema as the client sees it in the list of tools. */
function describeInput(schema: unknown): unknown {
  const object = normalizeObjectSchema(schema as AnySchema | ZodRawShapeCompat | undefined);
  return object ? toJsonSchemaCompat(object, { strictUnions: true, pipeStrategy: 'input' }) : {};
}

/** More lenient than the SDK's: what an accept carries is judged field by field against the question. */
const AnyReply = z.looseObject({ action: z.enum(actions), content: z.unknown().optional() });

async function askClient(
  extra: CallExtra,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  { signal, timeout }: { signal: AbortSignal; timeout: number },
): Promise<ClientReply> {
  try {
    const options = { signal, timeout: Math.min(timeout, longestTimer) };
    const { action, content } = await extra.sendRequest({ method: 'elicitation/create', params }, AnyReply, options);
    return { kind: 'answer', action, content };
  } catch (error) {
    return replyOf(error);
  }
}

function replyOf(error: unknown): ClientReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof McpError)) return { kind: 'failed', reason };
  if (error.code === ErrorCode.MethodNotFound || error.code === ErrorCode.InvalidParams) {
    return { kind: 'unsupported', reason };
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
