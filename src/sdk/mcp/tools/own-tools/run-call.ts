import type { AssentryClient } from '../../../client/client.ts';
import { giveBackUnused } from '../../../client/administration/claim-once.ts';
import { waitAtMost, withDeadline } from '../../../client/transport/deadline.ts';
import { Problem } from '#platform/model/problem';
import { createElicit, type Elicit } from '../../elicit/request/elicit.ts';
import { createOnce } from '../../elicit/once.ts';
import { leaveExecution, type Execution } from '../../run/executions/executions.ts';
import { takeUnused } from '../../run/settlements/take-unused.ts';
import type { Delivery } from '../../question/call/delivery.ts';
import { NothingRanError } from '../../question/errors/errors.ts';
import type { Once } from '../../question/call/make-once.ts';
import type { IncomingCall, ToolResult } from '../../question/call/incoming-call.ts';
import { abandonUndecided } from '../../elicit/edits/abandon-question.ts';
import { Run, type RunSettings } from '../../run/run/run.ts';
import { chooseSettlement } from '../../run/settlements/settlement.ts';
import { trackSettlement } from '../../run/settlements/pending-settlements.ts';
import { failureResult, problemResult } from '../../question/result/tool-results.ts';

/** How long the caller waits for the record of the end; after that it gets its result anyway. */
const recordTimeoutMs = 10_000;

type Ending = { result: ToolResult; error?: unknown; isUnused?: boolean };

/** A tool's code, with what it is to run with. */
export type Handle = (elicit: Elicit, args: unknown, once: Once) => Promise<ToolResult>;

/**
 * Runs a tool's code with its own `elicit()`, and again from its start if approvers edited the arguments. Costs nothing
 * if the tool asks no one.
 * Resolves with what the caller gets; rejects with what the tool threw, unless that is a Problem.
 */
export async function runCall(
  call: IncomingCall,
  client: AssentryClient,
  settings: RunSettings,
  handle: Handle,
): Promise<ToolResult> {
  for (let run = new Run(call, client, settings); ;) {
    const ending = await runOnce(run, handle);
    if (run.next) {
      run = new Run(run.next, client, settings, run);
    } else {
      if ('error' in ending) throw ending.error;
      return ending.result;
    }
  }
}

async function runOnce(run: Run, handle: Handle): Promise<Ending> {
  const handled = runHandler(run, handle);
  const first = await Promise.race([handled, run.ended.then((result): Ending => ({ result }))]);
  run.dispatch({ type: 'finish', isUnused: first.isUnused === true });
  // A tool thrown out of elicit() may return before the result that ended it.
  const ending = run.hasEnded ? { result: await run.ended } : first;
  run.close();
  abandonUndecided(run);
  const recorded = recordEnd(run, ending.result);
  if (run.isCallerGone) await rememberLeaving(run, recorded);
  await recorded;
  return ending;
}

/** A caller that left may call again at once: it must not find the question that is being withdrawn. */
async function rememberLeaving({ callName }: Run, recorded: Promise<void>): Promise<void> {
  const name = await callName;
  if (name !== undefined)
    trackSettlement(
      name,
      recorded.catch(() => {}),
    );
}

async function runHandler(run: Run, handle: Handle): Promise<Ending> {
  try {
    return { result: await handle(createElicit(run), run.call.args, createOnce(run)) };
  } catch (error) {
    if (!(error instanceof Problem)) return { result: failureResult(error), error };
    return { result: problemResult(error), isUnused: error instanceof NothingRanError };
  }
}

async function recordEnd(run: Run, result: ToolResult): Promise<void> {
  await run.cleanups();
  if (!run.joined) return;
  const { toolCall, execution } = run.joined;
  if (run.holdsClaim && run.isUnused) await giveBack(run, execution, toolCall);
  const { how, holdsClaim: hasClaimed, isCallerGone } = run;
  const isBackground = run.call.task?.isBackground === true;
  const isAwaited = execution.isAwaited();
  const settlement = chooseSettlement({ how, hasClaimed, isCallerGone, isBackground, isAwaited });
  const isEnding = settlement !== 'nothing' && (await mayEnd(run, execution, toolCall));
  execution.release(run, isEnding ? result : undefined);
  const end = { toolCall, attempt: execution.attempt, result };
  if (isEnding && settlement === 'settle' && run.call.delivery && !isCallerGone)
    await settleOnDelivery(run, end, run.call.delivery);
  else if (isEnding) await complete(run, end, { delivered: settlement === 'settle' });
  leaveExecution(toolCall, run, { isUnfinished: hasClaimed && settlement === 'nothing' });
}

/** Nothing ran for a caller that left: its next call finds the approval unused. */
async function giveBack(run: Run, execution: Execution, toolCall: string): Promise<void> {
  run.dispatch({ type: 'give-back' });
  await giveBackUnused(run.client, toolCall, execution.attempt);
  execution.renewAttempt();
}

/** An accept that was not used is claimed in order to give it up, so that the same call asks again. */
async function mayEnd(run: Run, execution: Execution, toolCall: string): Promise<boolean> {
  if (run.holdsClaim || run.how === 'replayed' || !run.hasAccepted) return true;
  if (!execution.tryOwn(run)) return false;
  const { attempt } = execution;
  const outcome = await withDeadline(recordTimeoutMs, undefined, async (signal) =>
    takeUnused(run.client, toolCall, { attempt, run: await run.digest() }, signal),
  ).catch(() => 'refused' as const);
  if (outcome === 'taken') run.dispatch({ type: 'claimed-unused' });
  if (outcome === 'refused') execution.renewAttempt();
  return outcome !== 'refused';
}

/** Until the transport has taken the result it is kept, so that a caller that was killed meanwhile finds it. */
async function settleOnDelivery(run: Run, end: CallEnd, { isTaken: delivery }: Delivery): Promise<void> {
  if (run.holdsClaim) await complete(run, end, { delivered: false });
  const settled = delivery.then(async (isTaken) => {
    if (isTaken) await complete(run, end, { delivered: true });
  });
  trackSettlement(end.toolCall, settled);
  const callName = await run.callName;
  if (callName !== undefined) trackSettlement(callName, settled);
}

interface CallEnd {
  toolCall: string;
  attempt: string;
  result: ToolResult;
}

/**
 * Without a record the next equal call finds this one running: it waits, and never runs twice. The caller does not wait
 * for the record longer than its time; it is sent until Assentry has it.
 */
async function complete(
  { client, call }: Run,
  { toolCall, attempt, result }: CallEnd,
  { delivered }: { delivered: boolean },
): Promise<void> {
  const send = (kept: ToolResult) =>
    client.complete(toolCall, { attempt, delivered, ...((!delivered || call.task) && { result: kept }) });
  const sent = send(result)
    .catch((error) => {
      if (error instanceof Problem && error.code === 'body-too-large') return send(tooLarge);
      throw error;
    })
    .catch(() => {}); // no one is told: the caller has its result, and the orchestrator logs its own outages
  await waitAtMost(recordTimeoutMs, sent);
}

const tooLarge = failureResult('The tool has run, but no caller was there and its result was too large to keep.');
