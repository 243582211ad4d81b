import type { AssentryClient, RequestOptions, ToolCallState } from '../../../client/client.ts';
import { randomHex } from '../../../client/digest/hex.ts';
import { isId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { untilSettled } from '../../run/settlements/pending-settlements.ts';
import type { Principal } from './principal.ts';

/** The caller that continues a call. */
export interface Caller extends Principal {
  session: string;
}

interface OwnCall {
  call: ToolCallState;
  question: ToolCallState['elicitations'][number];
}

const lone = 'call:';

/** Replaces the session if there are none: each call has its own. */
export const singleCallSession = (): string => `${lone}${randomHex()}`;

/**
 * The stored call of a question that this caller was asked. Problem `not-found`, without the reason, for every other
 * id, no matter who holds it.
 */
export async function findOwnCall(
  client: AssentryClient,
  caller: Caller,
  elicitId: string,
  options: RequestOptions,
): Promise<OwnCall> {
  if (!isId('elicitation', elicitId)) throw new Problem('not-found');
  const { toolCall } = await client.get(elicitId, options);
  await untilSettled(toolCall);
  const call = await client.getToolCall(toolCall, options);
  const question = call.elicitations.find(({ id }) => id === elicitId);
  if (!question || !belongsToCaller(call, caller)) throw new Problem('not-found');
  return { call, question };
}

/**
 * Calls are shared as they are named: of a principal no one has verified, those that begin with the requester's answer
 * belong to their session, or, if there are none, to anyone who was told the id.
 */
export function belongsToCaller({ requester, session, elicitations }: ToolCallState, caller: Caller): boolean {
  if (requester.subject !== caller.subject || requester.issuer !== caller.issuer) return false;
  if (requester.verified !== caller.verified) return false;
  if (caller.verified || elicitations[0]?.audience === 'approvers') return true;
  return session === caller.session || (session.startsWith(lone) && caller.session.startsWith(lone));
}
