import type { StateBinding } from '#requests/asking/contract/routes/request-state';
import { Problem } from '#platform/model/problem/problem';
import { digestJson } from '#sdk/mcp/question/call/call-name';
import type { ToolResult } from '#sdk/mcp/question/call/incoming-call';
import type { Principal } from '#sdk/mcp/tools/principal/principal';
import { rpcCodes, rpcError, RpcFault } from '../../frames/frame/frame.ts';
import type { CallFrame } from '../../frames/mcp-words/judge-frame.ts';
import type { Serving } from '../arguments/received.ts';

/*
 * The rounds in which an upstream asks the client during an approved call (2026-07-28). The client gets a state of ours
 * in place of the upstream's, sealed by Assentry: every node of the gateway can go on with it. It continues this call
 * once, for the same person with the same tool and arguments, and nothing else does.
 */

/** What a call was approved to run, of a tool in exactly this definition. */
type Approved = Pick<CallFrame['params'], 'name' | 'arguments'> & { definition: string };

/** A call, and for whom it is. */
interface Asker {
  frame: CallFrame;
  principal: Principal;
}

/** To whom the gateway asks, and by which name. */
export type Place = Pick<Serving, 'client' | 'server'>;

/** A tool that asked its client for more. */
interface Round {
  upstream: string;
  approved: Approved;
  /** The upstream's own state. */
  state?: unknown;
}

/** The result with a state of ours, if the tool asks its client for more. */
export async function sealRound(
  { client, server }: Place,
  { frame, principal }: Asker,
  approved: Approved,
  result: ToolResult,
): Promise<ToolResult> {
  if (result['resultType'] !== 'input_required') return result;
  const round: Round = { upstream: server, approved, state: result['requestState'] };
  const binding = await bindingOf('tools/call', frame.params, principal);
  const { state: requestState } = await client.sealRound({ binding, content: JSON.stringify(round) });
  return { ...result, requestState };
}

/** A call to forward without asking anyone, if its tool is still as it was approved. */
export interface Resumed {
  frame: CallFrame;
  definition: string;
}

/**
 * The call as it was approved, with the upstream's own state; null for a call that continues none. A state that belongs
 * to no approved call is refused.
 */
export async function resumeRound(place: Place, { frame, principal }: Asker): Promise<Resumed | null> {
  const { requestState, ...params } = frame.params;
  if (requestState === undefined) return null;
  const { approved, state } = await redeem(place, requestState, await bindingOf('tools/call', params, principal));
  const { definition, ...run } = approved;
  const own = state !== undefined && { requestState: state };
  return { frame: { ...frame, params: { ...params, ...run, ...own } }, definition };
}

/** A state for a question of the gateway's own, asked before anything was judged. It gives no right. */
export async function beginRound({ client, server }: Place, { frame, principal }: Asker): Promise<string> {
  const binding = await bindingOf(ownMethod, frame.params, principal);
  const { state } = await client.sealRound({ binding, content: JSON.stringify({ upstream: server }) });
  return ownPrefix + state;
}

/** A call that goes on from a question of the gateway's own, and what its client answered. */
interface Answered {
  frame: CallFrame;
  responses: unknown;
}

/** The call as if nothing had been asked, to be judged like any other, once; null if it has no such state. */
export async function continueRound(place: Place, { frame, principal }: Asker): Promise<Answered | null> {
  const { requestState, inputResponses: responses, ...params } = frame.params;
  if (typeof requestState !== 'string' || !requestState.startsWith(ownPrefix)) return null;
  await redeem(place, requestState.slice(ownPrefix.length), await bindingOf(ownMethod, params, principal));
  return { frame: { ...frame, params }, responses };
}

/** No state of one kind counts as one of the other: the kind is part of what it is bound to. */
const ownMethod = 'assentry/credentials';
const ownPrefix = 'credentials.';

export const bindingOf = async (
  method: string,
  { name: tool, arguments: args = {} }: Pick<CallFrame['params'], 'name' | 'arguments'>,
  { subject, issuer, verified }: Principal,
): Promise<StateBinding> => ({
  principal: { subject, ...(issuer !== undefined && { issuer }), verified },
  method,
  tool,
  argumentsDigest: await digestJson(args),
});

async function redeem({ client, server }: Place, state: unknown, binding: StateBinding): Promise<Round> {
  if (typeof state !== 'string') throw invalidState();
  const { content } = await redeemBy(() => client.redeemRound({ state, binding }));
  const round = JSON.parse(content) as Round;
  if (round.upstream !== server) throw invalidState();
  return round;
}

/** What this gives for a state; rejects with the same error to answer for whatever is wrong with it. */
export async function redeemBy<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw isInvalid(error) ? invalidState() : error;
  }
}

/** Was it no state, or one that is used up or belongs to another request? */
export const isInvalid = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'token-invalid' || error.code === 'INVALID_INPUT');

const invalidState = (): RpcFault =>
  new RpcFault(rpcError(rpcCodes.invalidParams, 'token-invalid', 'Invalid or expired requestState'));
