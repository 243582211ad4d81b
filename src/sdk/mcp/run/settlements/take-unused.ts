import { claimOnce } from '../../../client/administration/claim-once.ts';
import type { AssentryClient, ClaimToolCall } from '../../../client/client.ts';
import { Problem } from '#platform/model/problem';

/** Takes an execution that will not be used, so that the call can be ended; `none` if it releases nothing. */
export async function takeUnused(
  client: AssentryClient,
  toolCall: string,
  claim: ClaimToolCall,
  signal?: AbortSignal,
): Promise<'taken' | 'none' | 'refused'> {
  try {
    const { state } = await claimOnce(client, toolCall, claim, { signal, graceMs: 0 });
    return state === 'claimed' ? 'taken' : 'refused';
  } catch (error) {
    if (error instanceof Problem) return error.code === 'already-closed' ? 'none' : 'refused';
    throw error;
  }
}
