import type { ElicitationState, ToolCallClaim } from '../../client/client.ts';
import { pause, linkSignals } from '../../client/transport.ts';
import { claimOnce } from '../../client/claims.ts';
import { Problem } from '#platform/model/problem';
import type { Execution } from './executions.ts';
import type { ToolResult } from '../question/call.ts';
import type { Question } from '../question/question.ts';
import type { Run } from './run.ts';
import { runningResult, isToolResult } from '../question/result.ts';

/** Milliseconds between two checks of a run in another process. */
const pollIntervalMs = 1_000;

/**
 * Makes this run the one that acts on the call's accepted answers, once for all its questions.
 * If another run is at work, waits for its result and ends this one with it; Problem `outcome-unknown` if that run died
 * midway.
 */
export function takeExecution(run: Run, question: Question, state: ElicitationState): Promise<void> {
  return run.claimOnce(() => take(run, question, state));
}

async function take(run: Run, question: Question, state: ElicitationState): Promise<void> {
  const execution = run.enter(state.toolCall);
  for (;;) {
    run.signal.throwIfAborted();
    if (execution.result) throw run.end('replayed', execution.result);
    if (execution.tryOwn(run)) {
      const claim = await claimFor(run, execution, state);
      if (claim === null || claim.state === 'claimed') return;
      if (claim.state === 'completed') throw run.end('replayed', requireResult(claim.result));
    }
    if (run.holdTimeoutMs === 0) throw run.end('pending', runningResult(run.call, question, state));
    await waitForTurn(run, execution);
  }
}

/**
 * Null if the call asked another question and was not accepted: it runs again to reach that question.
 * Gives up the ownership unless it is `claimed`, so that no other run here waits for this one.
 */
async function claimFor(run: Run, execution: Execution, state: ElicitationState): Promise<ToolCallClaim | null> {
  try {
    const { attempt } = execution;
    const { signal } = run;
    const { leaseMs } = run.settings;
    const request = { attempt, run: await run.digest(), leaseMs };
    const claiming = claimOnce(run.client, state.toolCall, request, { signal });
    run.addCleanup(claiming); // the run does not end before it is clear whether it holds the execution
    const claim = await claiming;
    run.dispatch({ type: claim.state === 'claimed' ? 'claimed' : 'claimed-elsewhere' });
    return claim;
  } catch (error) {
    execution.renewAttempt();
    const isAnswer = error instanceof Problem && !run.signal.aborted;
    const isNothing = isAnswer && (error.code === 'not-now' || error.code === 'already-closed');
    run.dispatch({ type: isNothing ? 'nothing-to-claim' : 'claim-failed' });
    if (isNothing) return null;
    if (!isAnswer) throw error;
    if (error.code === 'already-executed' && isUnasked(state) && run.holdTimeoutMs > 0) throw restart(run);
    throw error.code === 'digest-mismatch' || error.code === 'approval-lapsed' ? askAgain(run, error) : error;
  } finally {
    if (!run.holdsClaim) execution.release(run);
  }
}

/** Waits until the run in this process ends, or the other processes are to be checked again. */
async function waitForTurn(run: Run, execution: Execution): Promise<void> {
  const { progress, call, signal } = run;
  const waiting = linkSignals(signal);
  const message = `Approved; another run of ${call.tool.title ?? call.tool.name} is at work`;
  const wait = pause(Math.min(pollIntervalMs, run.holdTimeoutMs), waiting.signal);
  try {
    await progress.during(message, () => Promise.race([wait, execution.released(waiting.signal)]));
  } finally {
    waiting.abort("It is someone's turn.");
    waiting.release();
  }
}

/** True if no one was asked. An equal call that ended meanwhile has used its approval, and this one can get its own. */
const isUnasked = ({ openedAt, closedAt }: ElicitationState): boolean => openedAt === closedAt;

/** Error for a void approval: restarts the tool's code, once, to ask about the present run. */
const askAgain = (run: Run, mismatch: Problem): Error => (run.former ? mismatch : restart(run));

function restart(run: Run): Error {
  const { round } = run.call;
  const unanswered = round && { ...round, answers: {} };
  return run.restart({ ...run.call, continues: undefined, relayedAnswer: undefined, round: unanswered });
}

function requireResult(result: unknown): ToolResult {
  if (isToolResult(result)) return result;
  throw new Problem('outcome-unknown');
}
