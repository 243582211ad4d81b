// How the person at a client is asked, on `@modelcontextprotocol/server`.
import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  UrlElicitationRequiredError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type InputRequest,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Mode } from '#requests/asking/contract/elicitation';
import {
  AnyReply,
  askClient,
  completion,
  formParams,
  skipFirstRequestId,
  resultFor,
  urlParams,
} from '../../tools/ask-client.ts';
import type {
  AskLimits,
  ClientReply,
  FormRequest,
  IncomingCall,
  RoundQuestion,
  UrlSending,
} from '../../question/call/incoming-call.ts';
import { connectionEnd } from '../../channels/channels/notify-later.ts';

/** On the call's own stream, as revisions before 2026-07-28 have it; later ones send no one to an address that way. */
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
export function inputRequestOf(question: RoundQuestion): InputRequest {
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

/** What revision 2026-07-28 says to a client that would have to declare more. */
export const lacksElicitation = (mode: Mode): Error =>
  new MissingRequiredClientCapabilityError({ requiredCapabilities: { elicitation: { [mode]: {} } } });
