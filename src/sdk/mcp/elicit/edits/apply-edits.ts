import type { ElicitationState } from '../../../client/client.ts';
import { canonicalText } from '#platform/model/hashed-text';
import { Problem } from '#platform/model/problem';
import type { Asking } from '../../question/question/asking.ts';
import { plainArguments } from '../../question/call/call-name.ts';
import type { Recorded } from '../../run/executions/questions.ts';
import type { Run } from '../../run/run/run.ts';

/**
 * Records the answer and continues. If approvers edited the arguments, ends the run and runs the tool's code from its
 * start with the edited arguments and the answers so far.
 */
export async function applyEdits(run: Run, { step, question }: Asking, state: ElicitationState): Promise<void> {
  if (state.status === 'accepted') run.dispatch({ type: 'accept' });
  const isNew = run.questions.record(step, { question, state });
  if (isNew && isEdited(run, state)) run.restartAfter(() => restartEdited(run, state));
  await run.throwIfRestarting();
}

const isEdited = ({ call }: Run, { status, arguments: approved }: ElicitationState): boolean =>
  status === 'accepted' &&
  approved !== undefined &&
  canonicalText(approved) !== canonicalText(plainArguments(call.args));

/** Questions asked at the same time are decided first: they are part of the same call. */
async function restartEdited(run: Run, { toolCall, arguments: approved = {} }: ElicitationState): Promise<Error> {
  await run.questions.allDecided();
  const args = await run.call.readSeen?.(approved);
  if (args === undefined) throw new Problem('INVALID_INPUT', { detail: unfit });
  return run.restart({ ...run.call, args, continues: toolCall });
}

const unfit = 'Approvers edited the arguments, and this tool does not accept the edited ones. Nothing was run.';

/** The answer an earlier run of this call got at this step; if the tool asks something else there, it is refused. */
export function recordedAnswer(
  run: Run,
  { step, question }: Pick<Asking, 'step' | 'question'>,
): ElicitationState | null {
  const recorded = run.questions.answerAt(step);
  if (!recorded) return null;
  if (shapeOf(recorded.question) === shapeOf(question)) return recorded.state;
  throw new Problem('idempotency-mismatch', {
    detail:
      'Give each question of this tool a key: with the edited arguments it asks something else at ' +
      `step ${JSON.stringify(step)}.`,
  });
}

/** The message may depend on the arguments; the form must not. */
const shapeOf = ({ mode, schema }: Recorded['question']): string => canonicalText({ mode, schema: schema ?? null });
