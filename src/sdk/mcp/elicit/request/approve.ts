import type { KeyFact } from '#requests/facts/contract/facts';
import type { ElicitOptions } from '../../question/question/elicit-options.ts';
import type { ElicitResult } from '../../question/result/elicit-result.ts';
import type { ToolResult } from '../../question/call/incoming-call.ts';
import { text } from '../../question/result/tool-results.ts';
import type { Elicit } from './elicit.ts';

/**
 * Asks approvers whether the call may go on; true if they approve. `facts` are what they see next to the buttons. It
 * rejects as `elicit` does.
 */
export type Approve = (message: string, facts?: KeyFact[]) => Promise<boolean>;

export const createApprove =
  (elicit: Elicit): Approve =>
  async (message, facts) => {
    const { status } = await elicit(message, emptyForm, { approval: true, supersede: 'none', ...(facts && { facts }) });
    return status === 'accept';
  };

/** Asks before a tool runs; null if it may, else what the model reads. */
export async function refuseUnapproved(
  elicit: Elicit,
  message: string,
  options: Pick<ElicitOptions, 'approval' | 'audience'>,
): Promise<ToolResult | null> {
  // A policy may ask the requester, and an agent calls several tools at once: no call gives way to another.
  const answer = await elicit(message, emptyForm, { ...options, supersede: 'none' });
  return answer.status === 'accept' ? null : refusedResult(answer);
}

/** Asks for nothing but yes or no. */
export const emptyForm = { type: 'object', properties: {} } as const;

/** What a model reads of a no. Without the advice, it tries the same by another tool, or again and again. */
export const refusals = {
  declined: {
    sentence: 'Declined; nothing was run.',
    advice: 'Do not do the same in another way: ask the person you work for how to go on.',
  },
  cancelled: {
    sentence: 'The request was withdrawn; nothing was run.',
    advice: 'Make this call again only if the person you work for wants it.',
  },
};

/** What the model reads if people or a policy did not approve. */
function refusedResult({ status, comment }: ElicitResult<unknown>): ToolResult {
  const code = status === 'decline' ? 'declined' : 'cancelled';
  const { sentence, advice } = refusals[code];
  const lines = comment === undefined ? [] : [`Reason: ${comment}`];
  return { content: text(sentence, ...lines, advice), isError: true, _meta: { code } };
}
