import type { ElicitationState } from '../client/client.ts';
import type { CancelCause } from '../model/elicitation.ts';
import type { Asking } from './asking.ts';
import { ElicitationTimeoutError } from './errors.ts';
import type { Run } from './run.ts';
import { takeExecution } from './take-execution.ts';

/** `content` only where the answer is an accept. */
export type ElicitResult<T> =
  | { status: 'accept'; content: T; comment?: string }
  | { status: 'decline'; content?: undefined; comment?: string }
  | { status: 'cancel'; content?: undefined; comment?: string; cause?: CancelCause };

/** What `elicit()` resolves with, once the row is closed; an accept only for the one run that may act on it. */
export async function resultOf(
  run: Run,
  { question, signal }: Asking,
  state: ElicitationState,
): Promise<ElicitResult<unknown>> {
  const comment = state.comment === null ? {} : { comment: state.comment };
  switch (state.status) {
    case 'accepted': {
      const content = question.read(state.content ?? {}).value;
      if (run.isReentered) await run.turn.quiet(signal);
      await takeExecution(run, question, state);
      return { status: 'accept', content, ...comment };
    }
    case 'declined':
      return { status: 'decline', ...comment };
    case 'expired':
      throw new ElicitationTimeoutError(state.id, state.deadlineAt - state.openedAt);
    default:
      return { status: 'cancel', ...comment, ...(state.cause && { cause: state.cause }) };
  }
}
