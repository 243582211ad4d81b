import type { ElicitationState } from '../client/client.ts';
import { withDeadline } from '../client/deadline.ts';
import type { Run } from './run.ts';

/** Milliseconds a caller that is still there waits for its question to be taken back. */
const withdrawalTime = 5_000;
/** Milliseconds. Nobody waits for it any more, and many callers may leave at once. */
const farewellTime = 30_000;

/**
 * Says that this run gives up a question before it was answered.
 * One that people answer elsewhere, approvers, whoever has its link or whom the agent asks, stays open where the caller
 * went away: it may come back and find its answer. Any other is withdrawn, for nobody would hear the answer.
 */
export function leaveQuestion(run: Run, { id, audience }: ElicitationState): void {
  const { client, isCallerGone } = run;
  const mayComeBack = isCallerGone && (audience === 'approvers' || run.isRelayed || run.elsewhere.has(id));
  // A withdrawn question settles the call: replaying it to a retry would answer for the person.
  if (isCallerGone && run.how !== 'left') run.how = mayComeBack ? 'parted' : 'left';
  const sayFarewell = (signal: AbortSignal) =>
    mayComeBack ? client.markCaller(id, 'gone', { signal }) : client.cancel(id, { cause: 'caller_gone' }, { signal });
  run.addFarewell(withDeadline(isCallerGone ? farewellTime : withdrawalTime, undefined, sayFarewell));
}
