// How the person at a client is asked, on `@modelcontextprotocol/server`.
import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  UrlElicitationRequiredError,
  type CallToolResult,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type InputRequest,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { longestTimer } from '../client/backoff.ts';
import type { Mode } from '../model/elicitation.ts';
import type {
  ClientReply,
  FormRequest,
  IncomingCall,
  RoundQuestion,
  ToolResult,
  UrlRequest,
  UrlSending,
} from './incoming-call.ts';
import { Reply } from './reply.ts';
import { connectionEnd } from './tell-later.ts';

/** On the call's own stream, as revisions before 2026-07-28 have it; later ones send no one to an address that way. */
export function askPerson(
  mcp: McpServer,
  context: ServerContext,
  inRounds: boolean,
): Pick<IncomingCall, 'ask' | 'urls' | 'tellToolsChanged'> {
  const send = (
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options: { signal: AbortSignal; timeout: number },
  ) => {
    skipFirstRequestId(mcp, context);
    return askClient(context, params, options);
  };
  return {
    ask: (question, options) => send(formOf(question), options),
    urls: inRounds ? undefined : sendUrls(mcp, context, send),
    tellToolsChanged: () => void mcp.server.sendToolListChanged().catch(() => {}),
  };
}

const sendUrls = (
  mcp: McpServer,
  { mcpReq }: ServerContext,
  send: (params: ElicitRequestURLParams, options: { signal: AbortSignal; timeout: number }) => Promise<ClientReply>,
): UrlSending => ({
  ask: (request, options) => send(urlParams(request), options),
  tellDone: (elicitationId) => mcpReq.notify(completion(elicitationId)).catch(() => {}),
  tellLater: (elicitationId) => mcp.server.notification(completion(elicitationId)).catch(() => {}),
  ended: () => connectionEnd(mcp.server),
  require: (request) => {
    const result: ToolResult = { content: [] };
    urlsRequired.set(result, new UrlElicitationRequiredError([urlParams(request)], request.message));
    return result;
  },
});

/** The errors that stand for results. */
const urlsRequired = new WeakMap<ToolResult, UrlElicitationRequiredError>();

export function throwRequired(result: ToolResult): CallToolResult {
  const required = urlsRequired.get(result);
  if (required) throw required;
  return result as CallToolResult;
}

/** Where it does not arrive, the person can tell the client as well. */
const completion = (elicitationId: string) =>
  ({ method: 'notifications/elicitation/complete', params: { elicitationId } }) as const;

const urlParams = ({ meta, ...request }: UrlRequest): ElicitRequestURLParams => ({
  mode: 'url',
  ...request,
  ...(meta && { _meta: meta }),
});

const formOf = ({ message, schema, meta }: FormRequest): ElicitRequestFormParams => ({
  mode: 'form',
  message,
  requestedSchema: schema as ElicitRequestFormParams['requestedSchema'],
  ...(meta && { _meta: meta }),
});

/** A question as a part of a result. */
export function inputRequestOf(question: RoundQuestion): InputRequest {
  if (question.mode === 'form') return inputRequired.elicit(formOf(question));
  const { message, url, meta } = question;
  return inputRequired.elicitUrl({ message, url, ...(meta && { _meta: meta }) });
}

async function askClient(
  { mcpReq }: ServerContext,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
  { signal, timeout }: { signal: AbortSignal; timeout: number },
): Promise<ClientReply> {
  try {
    const options = { signal, timeout: Math.min(timeout, longestTimer) };
    const { action, content } = await mcpReq.send({ method: 'elicitation/create', params }, Reply, options);
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
  if (!isRefused || !unsupported.includes(error.code)) return { kind: 'failed', reason };
  return { kind: 'unsupported', reason, knowsNone: error.code === ProtocolErrorCode.MethodNotFound };
}

/** What revision 2026-07-28 says to a client that would have to declare more. */
export const lacksElicitation = (mode: Mode): Error =>
  new MissingRequiredClientCapabilityError({ requiredCapabilities: { elicitation: { [mode]: {} } } });

const started = new WeakSet<McpServer>();

/** Clients on the first SDK ignore the cancellation of request 0, and would go on showing a form nobody waits for. */
function skipFirstRequestId(mcp: McpServer, { mcpReq }: ServerContext): void {
  if (started.has(mcp)) return;
  started.add(mcp);
  mcpReq.send({ method: 'ping' }, { timeout: 10_000 }).catch(() => {});
}
