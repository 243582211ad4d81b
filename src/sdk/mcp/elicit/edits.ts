import type { ElicitationState } from '../../client/client.ts';
import { canonicalText } from '#platform/model/hashed-text';
import { Problem } from '#platform/model/problem';
import type { Asking } from '../question/question.ts';
import { plainArguments } from '../question/call.ts';
import type { Recorded } from '../run/executions.ts';
import type { Run } from '../run/run.ts';
import { withDeadline } from '../../client/transport.ts';

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

/** Restarts with edited arguments. Parallel questions are decided first: they are part of the same call. */
async function restartEdited(run: Run, { toolCall, arguments: approved = {} }: ElicitationState): Promise<Error> {
  await run.questions.allDecided();
  const args = await run.call.readSeen?.(approved);
  if (args === undefined) throw new Problem('INVALID_INPUT', { detail: unfit });
  return run.restart({ ...run.call, args, continues: toolCall });
}

const unfit = 'Approvers edited the arguments, and this tool does not accept the edited ones. Nothing was run.';

/** The answer at this step in an earlier run of this call; refused if the tool asks another question there. */
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

/** Part of a question that must stay the same: its form. The message may depend on the arguments. */
const shapeOf = ({ mode, schema }: Recorded['question']): string => canonicalText({ mode, schema: schema ?? null });

/** Time a caller that is still there waits for its question to be withdrawn. */
const withdrawalTimeoutMs = 5_000;
/** Longer for a caller that has left: its answer is not awaited, and many callers may leave at once. */
const leavingTimeoutMs = 30_000;

/**
 * Gives up undecided questions at the end of a run: a hook may delay an asking tool, and must not keep a question open without
 * a waiting caller.
 */
export function abandonUndecided(run: Run): void {
  for (const question of run.questions.open) abandonQuestion(run, question);
}

/**
 * Reports, once, that this run gives up a question before it was answered; does nothing if the caller's next call, or
 * an equal one in this process, continues with it.
 * One that people answer elsewhere, by approvers, by link, or through the agent, stays open if the caller left: it may
 * come back and find its answer. Any other question is withdrawn, because no one would get the answer.
 */
export function abandonQuestion(run: Run, question: ElicitationState): void {
  if (!run.questions.remove(question) || run.isToBeContinued) return;
  const { id, audience } = question;
  const { client, isCallerGone } = run;
  const isAwaited = run.joined?.execution.isAwaited(id) === true;
  const mayComeBack = isCallerGone && (audience === 'approvers' || run.isRelayed || run.questions.hasPage(question));
  if (isCallerGone) run.dispatch({ type: 'leave', mayComeBack: mayComeBack || isAwaited });
  if (isAwaited) return;
  const report = (signal: AbortSignal) =>
    mayComeBack ? client.markCaller(id, 'gone', { signal }) : client.cancel(id, { cause: 'caller_gone' }, { signal });
  run.addCleanup(withDeadline(isCallerGone ? leavingTimeoutMs : withdrawalTimeoutMs, undefined, report));
}
