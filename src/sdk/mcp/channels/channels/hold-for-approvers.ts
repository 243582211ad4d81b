import type { ElicitationState } from '../../../client/client.ts';
import { isClosed } from '#requests/asking/contract/elicitation';
import { isDelivered, markDelivered } from '../../question/question/inquiry.ts';
import { pendingResult } from '../../question/result/pending-results.ts';
import { relayInquiry, canRelayInquiries } from './relay-inquiry.ts';
import type { Question } from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';
import { watchPresence } from './watch-presence.ts';

/** Holds the call until the approvers have answered; when its hold ends, the caller gets a pending result. */
export function holdForApprovers(
  run: Run,
  question: Question,
  opened: ElicitationState,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const { call, progress } = run;
  return progress.during(`Waiting for approval of ${call.tool.title ?? call.tool.name}`, async () => {
    const state = await watchPresence(run, opened.id, () => waitForApprovers(run, question, opened, signal));
    if (isClosed(state.status)) return state;
    if (state.inquiry) markDelivered(state.inquiry);
    throw run.end('pending', pendingResult(call, question, state, { mayReply: run.isRelayed }));
  });
}

/**
 * Waits until they have answered or the hold is over. Each of their inquiries goes to the person at the client
 * once; if the agent must ask, the wait ends.
 */
async function waitForApprovers(
  run: Run,
  question: Question,
  { id }: ElicitationState,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const { client } = run;
  for (let last: string | null = null; ;) {
    if (!canRelayInquiries(run) && !run.isRelayed)
      return client.waitForOutcome(id, { signal, timeout: run.holdTimeoutMs });
    const state = await client.waitForOutcome(id, { signal, timeout: run.holdTimeoutMs, afterInquiry: last });
    const { inquiry } = state;
    if (isClosed(state.status) || !inquiry || inquiry.id === last || run.holdTimeoutMs === 0) return state;
    last = inquiry.id;
    if (!run.isRelayed) await relayInquiry(run, { id, inquiry }, question, signal);
    if (run.isRelayed && !isDelivered(inquiry)) return state;
  }
}
