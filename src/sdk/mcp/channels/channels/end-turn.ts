import type { ElicitationState } from '../../../client/client.ts';
import { Problem } from '#platform/model/problem';
import type { Asking } from '../../question/question/asking.ts';
import { relayResult } from '../../question/result/pending-results.ts';
import type { Run } from '../../run/run/run.ts';

/** Ends the run as soon as its other questions are decided; the first question that ends it hands over all. */
export async function endTurn(run: Run, asking: Asking, opened: ElicitationState): Promise<never> {
  const suspended = run.turn.suspend();
  asking.decided();
  await suspended;
  asking.signal.throwIfAborted();
  throw await run.handover.once(() => handOver(run, opened));
}

/** The client asks its own questions first; with its next call it may still get a task. */
async function handOver(run: Run, opened: ElicitationState): Promise<Error> {
  const { round, task } = run.call;
  const { forAgent, forClient } = run.handover;
  if (forAgent) return run.end('asked', relayResult(run.call, forAgent.question, forAgent.opened));
  if (round && forClient.size > 0) {
    const { binding } = round;
    const { state } = await run.client.sealState({ toolCall: opened.toolCall, binding }, { signal: run.signal });
    return run.end('asked', round.askFor(forClient, state));
  }
  if (!task) throw new Problem('internal');
  return run.end('asked', task.handOut(opened));
}
