import type { ElicitationState } from '../../client/client.ts';
import { Problem } from '#protocol/model/problem';
import type { Asking } from '../question/asking.ts';
import { relayResult } from '../question/pending-results.ts';
import type { Run } from '../run/run.ts';

/** Ends the run as soon as its other questions are decided; the first question that ends it hands over all. */
export async function endTurn(run: Run, asking: Asking, opened: ElicitationState): Promise<never> {
  const parked = run.turn.park();
  asking.decided();
  await parked;
  asking.signal.throwIfAborted();
  run.handover.done ??= handOver(run, opened);
  throw await run.handover.done;
}

/** The client asks its own questions first; with its next call it may still get a task. */
async function handOver(run: Run, opened: ElicitationState): Promise<Error> {
  const { round, task } = run.call;
  const { toTell } = run.handover;
  if (toTell) return run.end('asked', relayResult(run.call, toTell.question, toTell.opened));
  if (round && run.handover.parked.size > 0) {
    const { binding } = round;
    const { state } = await run.client.sealState({ toolCall: opened.toolCall, binding }, { signal: run.signal });
    return run.end('asked', round.askFor(run.handover.parked, state));
  }
  if (!task) throw new Problem('internal');
  return run.end('asked', task.handOut(opened));
}
