import type { ElicitationState } from '../client/client.ts';
import { isClosed } from '../model/elicitation.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';
import { pendingResult } from './tool-results.ts';

/** Holds the call until the approvers have answered; when its patience ends, the caller gets a pending result. */
export function holdForApprovers(
  run: Run,
  question: Question,
  opened: ElicitationState,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const { client, call, progress } = run;
  return progress.during(`Waiting for approval of ${call.tool.title ?? call.tool.name}`, async () => {
    const state = await client.waitForOutcome(opened.id, { signal, timeout: run.patience });
    if (isClosed(state.status)) return state;
    throw run.end('pending', pendingResult(call, question, state));
  });
}
