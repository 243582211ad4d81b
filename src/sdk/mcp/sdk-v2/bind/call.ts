// One call as `@modelcontextprotocol/server` hands it over.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Icon,
  type McpServer,
  type ScopeChallengeHandler,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { ElicitationCapabilities } from '../../question/call/capabilities.ts';
import { digestJson } from '../../question/call/call-name.ts';
import type { IncomingCall, Round, Task } from '../../question/call/incoming-call.ts';
import type { Binding } from '../../tools/own-tools/options.ts';
import type { Caller } from '../../tools/principal/own-call.ts';
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
import { reachRequester } from './asking.ts';

export interface ToolConfig<Out, In> extends Pick<OwnConfig, 'approval'> {
  title?: string;
  description?: string;
  inputSchema?: In;
  outputSchema?: Out;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  /** Whether a call needs more OAuth scopes. */
  scopeChallenge?: ScopeChallengeHandler;
  /** If the client takes tasks, the requester is asked within the task as well, not by a separate result. */
  prefersTask?: boolean;
  _meta?: Record<string, unknown>;
}

export interface Adapter extends Binding<ServerContext> {
  mcp: McpServer;
  /** Stands for the session if the transport has none: the connection of a client before 2026-07-28. */
  connection: string;
  /** The tools registered here, by name. */
  tools: Map<string, SdkTool>;
  /** What is known of a call before its handler runs. */
  calls: WeakMap<ServerContext, KnownCall>;
}

export type SdkTool = OwnTool<ToolConfig<unknown, StandardSchemaWithJSON>>;

export interface KnownCall {
  session: string;
  round: Round;
  task: Task | undefined;
  /** Set if the client gets a task instead of the tool's result. */
  handedOut?: object;
}

/** Since this revision clients are asked by results. Revisions are dates. */
const firstWithRounds = '2026-07-28';
export const hasRounds = ({ server }: McpServer): boolean =>
  (server.getNegotiatedProtocolVersion() ?? '') >= firstWithRounds;

export function principalOf({ mcp, principal }: Adapter, context: ServerContext): Principal {
  const caller = principal?.(context);
  if (caller === undefined) return identifyCaller({ ...context.http, clientName: clientOf(mcp, context)?.name });
  return readPrincipal(caller);
}

const envelopeOf = ({ mcpReq }: ServerContext) => mcpReq.envelope as Record<string, unknown> | undefined;

function clientOf(mcp: McpServer, context: ServerContext): { name: string; version: string } | undefined {
  if (!hasRounds(mcp)) return mcp.server.getClientVersion();
  return envelopeOf(context)?.[CLIENT_INFO_META_KEY] as { name: string; version: string } | undefined;
}

/** With the extensions of these revisions. */
type Capabilities = ElicitationCapabilities & { extensions?: Record<string, unknown> | undefined };

export function capabilitiesOf(mcp: McpServer, context: ServerContext): Capabilities | undefined {
  if (!hasRounds(mcp)) return mcp.server.getClientCapabilities();
  return envelopeOf(context)?.[CLIENT_CAPABILITIES_META_KEY] as Capabilities | undefined;
}

/** Whose call this is. */
export const callerOf = (adapter: Adapter, context: ServerContext): Caller => ({
  ...principalOf(adapter, context),
  session: adapter.calls.get(context)?.session ?? context.sessionId ?? adapter.connection,
});

export async function receiveCall(
  adapter: Adapter,
  tool: SdkTool,
  args: unknown,
  context: ServerContext,
): Promise<IncomingCall> {
  const { mcp } = adapter;
  watchStdin(mcp);
  const { session, ...requester } = callerOf(adapter, context);
  const client = clientOf(mcp, context);
  const call = adapter.calls.get(context);
  return {
    tool: await describeTool(tool),
    args,
    session,
    requester: {
      ...requester,
      ...(client && { client: { name: client.name, version: client.version } }),
    },
    capabilities: capabilitiesOf(mcp, context),
    authInfo: authorizationOf(context.http?.authInfo),
    ...tokenToSend(adapter, context.http?.authInfo),
    traceparent: traceIn(context.mcpReq._meta),
    signal: context.mcpReq.signal,
    delivery: watchDelivery(mcp.server.transport, context.mcpReq),
    sendProgress: progressOf(context),
    hasOutputSchema: tool.config.outputSchema !== undefined,
    round: call?.round,
    task: call?.task,
    ...reachRequester(mcp, context, hasRounds(mcp)),
  };
}

function progressOf({ mcpReq }: ServerContext): IncomingCall['sendProgress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
}

/** What a tool's input schema is to a run, as the SDK made it of what the author gave. */
export function readInput(schema: unknown): Pick<SdkTool, 'schemaDigest' | 'read'> {
  const input = schema as StandardSchemaWithJSON | undefined;
  return { schemaDigest: digestJson(describeInput(input)), read: readerOf(input) };
}

/** The input schema as the client sees it in the list of tools. */
function describeInput(schema: StandardSchemaWithJSON | undefined): unknown {
  return schema ? schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) : {};
}

/** Reads arguments as the SDK does before it hands them over. */
function readerOf(schema: StandardSchemaWithJSON | undefined): SdkTool['read'] {
  if (!schema) return null;
  return async (args) => {
    const read = await schema['~standard'].validate(args);
    return read.issues ? undefined : read.value;
  };
}
