import type { ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { KeyScope, ServerCaller } from '#people/directory/contract/user';
import type { OpenCall } from '../../../asking/store/reader/reader.ts';
import type { ToolCallRow } from '../../store/call-row.ts';
import type { NextCall } from '../../store/tool-calls.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { cells } from '../../../asking/verbs/question/sealed-question.ts';
import { wholeServer } from '#people/directory/verbs/scope';
import { findCall, moveCall, type FoundCall } from '../claim/find-call.ts';
import { isDead, releaseOf } from '../claim/release.ts';

interface CallEnd {
  attempt: string;
  delivered: boolean;
  result?: unknown;
}

/**
 * Ends the call: settled if its result reached the caller, otherwise its result is kept for the retry. A settled call
 * keeps its result, too, if there is one: a task may be read again.
 * Only the attempt that holds the claim can end an execution; a call that releases none needs no claim. Problem
 * `not-claimed` for any other attempt. A kept result is never replaced.
 */
export async function completeToolCall(
  engine: Engine,
  server: KeyScope & Pick<ServerCaller, 'proof'>,
  id: ToolCallId,
  end: CallEnd,
): Promise<void> {
  for (;;) {
    const invocation = await findCall(engine, server, id);
    if (isRepeated(invocation.call, end)) return;
    if (!mayEnd(invocation, end)) throw new Problem('not-claimed');
    const type = end.delivered ? 'call.settled' : 'call.completed';
    if (await moveCall(engine, invocation, () => ended(engine, invocation, end), { type, attempt: end.attempt }))
      return;
  }
}

/** The same attempt repeats itself. */
const isRepeated = ({ state, attempt }: ToolCallRow, end: CallEnd): boolean =>
  state === (end.delivered ? 'settled' : 'completed') && attempt === end.attempt;

function mayEnd({ call, rows }: FoundCall, { attempt, delivered }: CallEnd): boolean {
  if (call.state === 'claimed') return call.attempt === attempt;
  if (call.state === 'completed') return delivered; // the run has ended; this says that its result arrived
  return call.state === 'open' && isDead(releaseOf(rows));
}

function ended({ ring }: Engine, { call, first }: FoundCall, { attempt, delivered, result }: CallEnd): NextCall {
  const { claimedAt } = call;
  const isKept = !delivered || result !== undefined;
  const kept =
    call.state === 'completed' ? call.result : isKept && cells.result.seal(ring, first, call.id, result ?? null);
  return { state: delivered ? 'settled' : 'completed', attempt, claimedAt, result: (isKept && kept) || null };
}

/**
 * Gives back an execution that this attempt has not used and never will: the next attempt can claim it. The attempt is
 * kept, so that a copy of its claim that arrives later takes nothing. For any other call it changes nothing.
 */
export async function giveBackUnused(
  engine: Engine,
  server: KeyScope & Pick<ServerCaller, 'proof'>,
  id: ToolCallId,
  { attempt }: Pick<CallEnd, 'attempt'>,
): Promise<void> {
  for (;;) {
    const invocation = await findCall(engine, server, id);
    const { state, attempt: holder } = invocation.call;
    const isHeld = state === 'claimed' && holder === attempt;
    const mayBeClaimed = state === 'open' && holder !== attempt && releaseOf(invocation.rows) === 'accepted';
    if (!isHeld && !mayBeClaimed) return;
    const free: NextCall = { state: 'open', attempt, claimedAt: null, result: null };
    if (await moveCall(engine, invocation, () => free, { type: 'call.released', attempt })) return;
  }
}

/**
 * The attempt that claimed the call asks this question before it acts: the execution can be claimed again. A late copy of
 * a question that is closed releases nothing: the attempt may have claimed the call after it, and run.
 */
export async function releaseToolCall(
  engine: Engine,
  server: KeyScope & Pick<ServerCaller, 'proof'>,
  id: ToolCallId,
  { attempt, step }: { attempt: string; step: string },
): Promise<void> {
  const free: NextCall = { state: 'open', attempt: null, claimedAt: null, result: null };
  for (;;) {
    const invocation = await findCall(engine, server, id);
    const { state, attempt: holder } = invocation.call;
    if (state !== 'claimed' || holder !== attempt) return;
    if (invocation.rows.some((row) => row.step === step && row.closedAt !== null)) return;
    if (await moveCall(engine, invocation, () => free, { type: 'call.released', attempt })) return;
  }
}

/** Drops an answer that no one collected in time, so that the next equal call asks again. */
export const settleStale = async (engine: Engine, call: OpenCall): Promise<void> => void (await settle(engine, call));

/** The same unless an attempt has claimed the call, or its result is kept: then false. */
export const settleUnclaimed = (engine: Engine, call: OpenCall): Promise<boolean> => settle(engine, call, ['open']);

async function settle(
  engine: Engine,
  { id, elicitations: [first] }: OpenCall,
  from: readonly ToolCallRow['state'][] = ['open', 'claimed', 'completed'],
): Promise<boolean> {
  while (first) {
    const invocation = await findCall(engine, wholeServer(first.serverId), id);
    const { state, attempt, claimedAt } = invocation.call;
    if (state === 'settled' || !from.includes(state)) return state === 'settled';
    const settled: NextCall = { state: 'settled', attempt, claimedAt, result: null };
    if (await moveCall(engine, invocation, () => settled, { type: 'call.settled', attempt: attempt ?? 'none' }))
      return true;
  }
  return true;
}
