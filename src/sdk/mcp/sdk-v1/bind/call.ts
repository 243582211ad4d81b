// One call as `@modelcontextprotocol/sdk` hands it over.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { normalizeObjectSchema, safeParseAsync, type AnySchema } from '@modelcontextprotocol/sdk/server/zod-compat.js';
import { toJsonSchemaCompat } from '@modelcontextprotocol/sdk/server/zod-json-schema-compat.js';
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { digestJson } from '../../question/call/call-name.ts';
import type { IncomingCall } from '../../question/call/incoming-call.ts';
import type { Binding } from '../../tools/own-tools/options.ts';
import { describeTool, type OwnConfig, type OwnTool } from '../../tools/own-tools/own-tool.ts';
import {
  authorizationOf,
  identifyCaller,
  readPrincipal,
  tokenToSend,
  type Principal,
} from '../../tools/principal/principal.ts';
import { traceIn } from '../../tools/principal/trace-in.ts';
import { watchDelivery } from '../../tools/tasks/watch-delivery.ts';
import { watchStdin } from '../../tools/principal/watch-stdin.ts';
import { reachRequester, type CallExtra } from './asking.ts';

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
  /** Where the transport has no sessions (stdio), the connection is the session. */
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

/** What a tool's input schema is to a run, as the SDK made it of what the author gave. */
export function readInput(schema: unknown): Pick<SdkTool, 'schemaDigest' | 'read'> {
  const input = schema as InputSchema;
  return { schemaDigest: digestJson(describeInput(input)), read: readerOf(input) };
}

/** The input schema as the client sees it in the list of tools. */
function describeInput(schema: InputSchema): unknown {
  const object = normalizeObjectSchema(schema);
  return object ? toJsonSchemaCompat(object, { strictUnions: true, pipeStrategy: 'input' }) : {};
}

/** Reads arguments as the SDK does before it hands them over. */
function readerOf(schema: InputSchema): SdkTool['read'] {
  if (!schema) return null;
  const reading = normalizeObjectSchema(schema) ?? schema;
  return async (args) => {
    const read = await safeParseAsync(reading, args);
    return read.success ? read.data : undefined;
  };
}

type InputSchema = AnySchema | undefined;
