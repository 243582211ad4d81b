// How the person at a client is asked, on `@modelcontextprotocol/sdk`.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  EmptyResultSchema,
  ErrorCode,
  McpError,
  UrlElicitationRequiredError,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import {
  AnyReply,
  askClient,
  completion,
  formParams,
  skipFirstRequestId,
  resultFor,
  urlParams,
} from '../../tools/ask-client.ts';
import type { AskLimits, ClientReply, IncomingCall, UrlSending } from '../../question/call/incoming-call.ts';
import { connectionEnd } from '../../channels/channels/notify-later.ts';

/** The SDK's context of a call. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** On the call's own stream. */
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
