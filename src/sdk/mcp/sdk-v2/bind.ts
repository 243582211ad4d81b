import {
  type BaseToolCallback,
  type CallToolResult,
  type McpServer,
  type RegisteredTool,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolCallback,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Icon,
  type ScopeChallengeHandler,
  type ToolAnnotations,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  inputRequired,
  SdkError,
  SdkErrorCode,
  UrlElicitationRequiredError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type InputRequest,
  type CallToolRequest,
} from '@modelcontextprotocol/server';
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
  type ElicitationCapabilities,
  digestJson,
  type Round,
  type Task,
  supportsElicitation,
  type AskLimits,
  type ClientReply,
  type FormRequest,
  type RoundQuestion,
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
  giveUp,
  resumeCall,
  taskTimes,
  type TaskView,
  answerTask,
  cancelTask,
  readTask,
  type TaskServing,
} from '../tools/tasks.ts';
import {
  makeToken,
  type TokenOptions,
  type Caller,
  authorizationOf,
  identifyCaller,
  readPrincipal,
  tokenToSend,
  type Principal,
  traceIn,
  watchStdin,
  belongsToCaller,
  singleCallSession,
} from '../tools/principal.ts';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import type { Mode } from '#requests/asking/contract/elicitation';
import { connectionEnd } from '../channels/channels.ts';
import type { RedeemedState, StateBinding } from '#requests/asking/contract/routes';
import { lackingMode } from '../question/result.ts';

// Only the files in this folder depend on `@modelcontextprotocol/server`: 2026-07-28, and earlier revisions.

export type { McpServer, ServerContext } from '@modelcontextprotocol/server';

/**
 * What a tool's handler gets in addition to its arguments: the SDK's own context, with `elicit`, `approve`, `once`, `connect`, `payment`, `signature`, `secret`, the requester and always a session:
 * if the revision has none, `sessionId` names the call.
 */
export type ToolContext = ServerContext &
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

// Continues stored calls, on `@modelcontextprotocol/server`.

/** Registers our own tools next to those of the server's author. */
export function registerPendingTools(adapter: Adapter): void {
  for (const tool of pendingTools) {
    const callback = (input: unknown, context: ServerContext) => servePendingTool(adapter, tool, input, context);
    // The callback reads its input itself, by the same schema.
    adapter.mcp.registerTool(tool.name, tool.config, callback as ToolCallback<StandardSchemaWithJSON>);
  }
}

/** Is it one of our tools, but hidden from this client? */
export function isHidden({ mcp, settings }: Adapter, name: string, context: ServerContext): boolean {
  const tool = pendingTools.find((pending) => pending.name === name);
  return tool !== undefined && !tool.isFor({ capabilities: capabilitiesOf(mcp, context), settings });
}

const isPendingTool = (name: string): boolean => pendingTools.some((tool) => tool.name === name);

async function servePendingTool(
  adapter: Adapter,
  tool: PendingTool,
  input: unknown,
  context: ServerContext,
): Promise<CallToolResult> {
  const goOn = (stored: ToolCallState, relayedAnswer: IncomingCall['relayedAnswer']) =>
    goOnWith(adapter, stored, relayedAnswer, context);
  const going = { client: adapter.client, caller: callerOf(adapter, context), signal: context.mcpReq.signal, goOn };
  return throwIfError(await runPendingTool(tool, going, input)) as CallToolResult;
}

/** Runs the stored call's tool for the client that continues it. */
async function goOnWith(
  adapter: Adapter,
  stored: ToolCallState,
  relayedAnswer: IncomingCall['relayedAnswer'],
  context: ServerContext,
): Promise<ToolResult> {
  const tool = adapter.tools.get(stored.tool);
  if (!tool) throw new Problem('not-found');
  const received = await receiveCall(adapter, tool, stored.arguments, context);
  return continueCall(adapter, tool, stored, { ...received, relayedAnswer, hasOutputSchema: false }, context);
}

// One call in the form of `@modelcontextprotocol/server`.

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
  /** Replaces the session if the transport has none: the connection of a client before 2026-07-28. */
  connection: string;
  /** The tools registered here, by name. */
  tools: Map<string, SdkTool>;
  /** Facts of a call from before its handler runs. */
  calls: WeakMap<ServerContext, KnownCall>;
}

export type SdkTool = OwnTool<ToolConfig<unknown, StandardSchemaWithJSON>>;

interface KnownCall {
  session: string;
  round: Round;
  task: Task | undefined;
  /** Set if the client gets a task instead of the tool's result. */
  handedOut?: object;
}

/** First revision in which clients are asked by results. Revisions are dates. */
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

/** Capabilities with the extensions of these revisions. */
type Capabilities = ElicitationCapabilities & { extensions?: Record<string, unknown> | undefined };

function capabilitiesOf(mcp: McpServer, context: ServerContext): Capabilities | undefined {
  if (!hasRounds(mcp)) return mcp.server.getClientCapabilities();
  return envelopeOf(context)?.[CLIENT_CAPABILITIES_META_KEY] as Capabilities | undefined;
}

/** Caller of this call. */
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

/** Input schema of a tool for a run, as the SDK made it from the author's. */
export function readInput(schema: unknown): Pick<SdkTool, 'schemaDigest' | 'read'> {
  const input = schema as StandardSchemaWithJSON | undefined;
  return { schemaDigest: digestJson(describeInput(input)), read: readerOf(input) };
}

/** The input schema as the client sees it in the list of tools. */
function describeInput(schema: StandardSchemaWithJSON | undefined): unknown {
  return schema ? schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) : {};
}

/** Reads arguments as the SDK does before it passes them on. */
function readerOf(schema: StandardSchemaWithJSON | undefined): SdkTool['read'] {
  if (!schema) return null;
  return async (args) => {
    const read = await schema['~standard'].validate(args);
    return read.issues ? undefined : read.value;
  };
}

// The extension `io.modelcontextprotocol/tasks`, for which `@modelcontextprotocol/server` has no server side.

const extension = 'io.modelcontextprotocol/tasks';
const TaskParams = z.looseObject({ taskId: z.string() });
const TaskAnswers = TaskParams.extend({ inputResponses: z.record(z.string(), z.unknown()).optional() });
const complete = { resultType: 'complete' as const };

/** Serves tasks. Any process that serves a task's request can continue it: the stored call holds everything needed. */
function serveTasks(adapter: Adapter): void {
  const { server } = adapter.mcp;
  server.registerCapabilities({ extensions: { [extension]: {} } });
  server.setRequestHandler('tasks/get', { params: TaskParams }, async ({ taskId }, context) => {
    const call = await findTask(adapter, taskId, context);
    return showTask(await readTask(serving(adapter, context), call), capabilitiesOf(adapter.mcp, context));
  });
  server.setRequestHandler('tasks/update', { params: TaskAnswers }, async ({ taskId, inputResponses }, context) => {
    const call = await findTask(adapter, taskId, context);
    const answers = { ...inputResponses, ...context.mcpReq.inputResponses };
    await answerTask(serving(adapter, context), call, answers);
    return complete;
  });
  server.setRequestHandler('tasks/cancel', { params: TaskParams }, async ({ taskId }, context) => {
    await cancelTask(serving(adapter, context), await findTask(adapter, taskId, context));
    return complete;
  });
}

/** The task that this call may become; undefined if this request does not declare tasks. */
function offerTask(adapter: Adapter, tool: string, context: ServerContext): Task | undefined {
  if (!takesTasks(adapter, context)) return undefined;
  return {
    isBackground: false,
    holdsQuestions: adapter.tools.get(tool)?.config.prefersTask === true,
    handOut: ({ toolCall, openedAt }) => {
      const call = adapter.calls.get(context);
      const times = taskTimes(toolCall, openedAt, openedAt);
      if (call) call.handedOut = { resultType: 'task', status: 'working', ...times };
      return { content: [], isError: true };
    },
  };
}

const takesTasks = ({ mcp }: Adapter, context: ServerContext): boolean =>
  hasRounds(mcp) && capabilitiesOf(mcp, context)?.extensions?.[extension] !== undefined;

/** The stored call of a task; another caller's counts as unknown. */
async function findTask(adapter: Adapter, taskId: string, context: ServerContext): Promise<ToolCallState> {
  if (!takesTasks(adapter, context)) {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [extension]: {} } } });
  }
  const call = await adapter.client.getToolCall(taskId, { signal: context.mcpReq.signal }).catch(asUnknown);
  const caller = { ...principalOf(adapter, context), session: singleCallSession() };
  if (call && belongsToCaller(call, caller) && adapter.tools.has(call.tool)) return call;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task');
}

function asUnknown(error: unknown): null {
  if (error instanceof Problem && (error.code === 'not-found' || error.code === 'INVALID_INPUT')) return null;
  throw error;
}

/** The task for this client, which gets no question in a mode that it did not declare in this request. */
function showTask(task: TaskView, capabilities: ElicitationCapabilities | undefined) {
  if (task.status !== 'input_required') return { ...complete, ...task };
  const { questions, ...rest } = task;
  const lacking = [...questions.values()].find(({ mode }) => !supportsElicitation(capabilities, mode));
  if (lacking) throw lacksElicitation(lacking.mode);
  const entries = [...questions].map(([step, question]) => [step, inputRequestOf(question)] as const);
  return { ...complete, ...rest, inputRequests: Object.fromEntries(entries) };
}

const serving = (adapter: Adapter, context: ServerContext): TaskServing => ({
  client: adapter.client,
  leaseMs: adapter.settings.leaseMs,
  takesForms: supportsElicitation(capabilitiesOf(adapter.mcp, context), 'form'),
  run: (call, signal) => runInBackground(adapter, context, call, signal),
});

async function runInBackground(
  adapter: Adapter,
  context: ServerContext,
  stored: ToolCallState,
  signal: AbortSignal,
): Promise<void> {
  const tool = adapter.tools.get(stored.tool);
  if (!tool) return;
  // The client of this request does not wait: nothing is sent on its stream.
  const mcpReq = { ...context.mcpReq, signal, notify: async () => {}, log: async () => {} };
  const received = { ...(await taskCall(tool, stored, signal)), ...tokenToSend(adapter, context.http?.authInfo) };
  const call = await resumeCall(tool, stored, received);
  if (call) await runTool(adapter, tool, call, { ...context, mcpReq });
  else await giveUp(adapter.client, stored, received); // the task is this stored call alone
}

async function taskCall(tool: SdkTool, stored: ToolCallState, signal: AbortSignal): Promise<IncomingCall> {
  return {
    tool: await describeTool(tool),
    args: stored.arguments,
    session: stored.session,
    requester: stored.requester,
    // The client that fetches the task asks its person.
    capabilities: { elicitation: { form: {}, url: {} } },
    signal,
    sendProgress: undefined,
    hasOutputSchema: tool.config.outputSchema !== undefined,
    task: { isBackground: true, holdsQuestions: true, handOut: () => ({ content: [] }) },
    ask: async () => ({ kind: 'unsupported', reason: 'The client left the call to a task.' }),
  };
}

// Asks the person at a client, on `@modelcontextprotocol/server`.

/** Asks on the call's own stream, as in revisions before 2026-07-28; later ones send no one to an address that way. */
export function reachRequester(
  mcp: McpServer,
  context: ServerContext,
  inRounds: boolean,
): Pick<IncomingCall, 'ask' | 'urls' | 'notifyToolsChanged'> {
  const send: Send = (params, limits) => {
    skipFirstRequestId(mcp, () => context.mcpReq.send({ method: 'ping' }, { timeout: 10_000 }));
    const request = { method: 'elicitation/create', params } as const;
    return askClient((options) => context.mcpReq.send(request, AnyReply, options), limits, replyOf);
  };
  return {
    ask: (question, options) => send(formOf(question), options),
    urls: inRounds ? undefined : sendUrls(mcp, context, send),
    notifyToolsChanged: () => void mcp.server.sendToolListChanged().catch(() => {}),
  };
}

type Send = (params: ElicitRequestFormParams | ElicitRequestURLParams, limits: AskLimits) => Promise<ClientReply>;

const sendUrls = (mcp: McpServer, { mcpReq }: ServerContext, send: Send): UrlSending => ({
  ask: (request, options) => send(urlParams(request), options),
  notifyDone: (elicitationId) => mcpReq.notify(completion(elicitationId)).catch(() => {}),
  notifyLater: (elicitationId) => mcp.server.notification(completion(elicitationId)).catch(() => {}),
  ended: () => connectionEnd(mcp.server),
  require: (request) => resultFor(new UrlElicitationRequiredError([urlParams(request)], request.message)),
});

const formOf = (question: FormRequest) => ({ mode: 'form', ...formParams(question) }) as ElicitRequestFormParams;

/** A question as a part of a result. */
function inputRequestOf(question: RoundQuestion): InputRequest {
  if (question.mode === 'form') return inputRequired.elicit(formOf(question));
  const { message, url, meta } = question;
  return inputRequired.elicitUrl({ message, url, ...(meta && { _meta: meta }) });
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
  if (!isRefused || !unsupported.includes(error.code)) return { kind: 'failed', reason };
  return { kind: 'unsupported', reason, knowsNone: error.code === ProtocolErrorCode.MethodNotFound };
}

/** Error of revision 2026-07-28 for a client that would have to declare more. */
const lacksElicitation = (mode: Mode): Error =>
  new MissingRequiredClientCapabilityError({ requiredCapabilities: { elicitation: { [mode]: {} } } });

// Handles a `tools/call` before the SDK's own handler, on `@modelcontextprotocol/server`.

/**
 * Runs before the SDK's own handler, which turns every error into a result: a state is checked before any code runs.
 */
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
    const call = await knowCall(adapter, request, context);
    adapter.calls.set(context, call);
    const result = await handle(request, context);
    if (call.handedOut) return call.handedOut;
    const lacking = lackingMode(result);
    if (!lacking) return result;
    throw lacksElicitation(lacking);
  };

/** Facts of a call. These revisions have no sessions: a call without a state is a new one, and joins no other. */
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
