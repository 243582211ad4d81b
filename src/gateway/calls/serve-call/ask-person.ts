import { askClient, formParams } from '#sdk/mcp/tools/ask-client';
import type { AskLimits, ClientReply, FormRequest } from '#sdk/mcp/question/call/incoming-call';
import { Problem } from '#platform/model/problem/problem';
import { rpcCodes, RpcFault } from '../../frames/frame/frame.ts';
import type { OwnRequests } from '../connections/own-requests.ts';

/** Asks the person at a client while its call is open, as revisions before 2026-07-28 have it. Never rejects. */
export const askPerson = (
  requests: OwnRequests,
  question: FormRequest,
  limits: AskLimits,
  id?: string,
): Promise<ClientReply> =>
  askClient((options) => requests.ask('elicitation/create', formParams(question), { ...options, id }), limits, explain);

function explain(error: unknown): ClientReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof RpcFault) {
    const { code } = error.error;
    const knowsNone = code === rpcCodes.methodNotFound;
    return knowsNone || code === rpcCodes.invalidParams
      ? { kind: 'unsupported', reason, knowsNone }
      : { kind: 'failed', reason };
  }
  return error instanceof Problem ? { kind: 'timeout' } : { kind: 'failed', reason };
}
