import type { ElicitationState } from '../../../client/client.ts';
import { withDeadline } from '../../../client/transport/deadline.ts';
import type { Run } from '../../run/run/run.ts';

/** How long a caller that is still there waits for its question to be withdrawn. */
const withdrawalTimeoutMs = 5_000;
/** Longer for a caller that has left: no one waits for it, and many callers may leave at once. */
const leavingTimeoutMs = 30_000;

/**
 * At the end of a run: an asking tool may be held up by a hook, and must not keep a question open that no one waits
 * for.
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
