import { retryOnConflict } from '#platform/nodes/verbs/retry';
import type { ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { KeyScope, ServerCaller, Requester } from '#people/directory/contract/user';
import type { OpenCall } from '../../asking/store/reader.ts';
import type { ToolCallRow, NextCall } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { cells, openQuestion, openReplaced, ownerOf } from '../../asking/verbs/question.ts';
import { wholeServer } from '#people/directory/verbs/scope';
import { findCall, moveCall, type FoundCall, isDead, releaseOf } from './claim.ts';
import { isVisited } from '../../machine/rules/step.ts';
import type { ElicitationRow } from '../../state/store/row.ts';
import { viewWithInquiry } from '../../asking/verbs/view.ts';
import { pageCode } from '../../pages/verbs/proof.ts';
import type { CompleteToolCall, ReleaseToolCall } from '../../asking/contract/open.ts';
import type { ToolCallState } from '../contract.ts';

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
  end: CompleteToolCall,
): Promise<void> {
  await retryOnConflict(async () => {
    const invocation = await findCall(engine, server, id);
    if (isRepeated(invocation.call, end)) return true;
    if (!mayEnd(invocation, end)) throw new Problem('not-claimed');
    const type = end.delivered ? 'call.settled' : 'call.completed';
    const says = { type, attempt: end.attempt } as const;
    return (await moveCall(engine, invocation, () => ended(engine, invocation, end), says)) || null;
  });
}

/** An attempt may repeat its own report. */
const isRepeated = ({ state, attempt }: ToolCallRow, end: CompleteToolCall): boolean =>
  state === (end.delivered ? 'settled' : 'completed') && attempt === end.attempt;

function mayEnd({ call, rows }: FoundCall, { attempt, delivered }: CompleteToolCall): boolean {
  if (call.state === 'claimed') return call.attempt === attempt;
  if (call.state === 'completed') return delivered; // the run has ended; this says that its result arrived
  return call.state === 'open' && isDead(releaseOf(rows));
}

function ended(
  { ring }: Engine,
  { call, first }: FoundCall,
  { attempt, delivered, result }: CompleteToolCall,
): NextCall {
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
  { attempt }: ReleaseToolCall,
): Promise<void> {
  await retryOnConflict(async () => {
    const invocation = await findCall(engine, server, id);
    const { state, attempt: holder } = invocation.call;
    const isHeld = state === 'claimed' && holder === attempt;
    const mayBeClaimed = state === 'open' && holder !== attempt && releaseOf(invocation.rows) === 'accepted';
    if (!isHeld && !mayBeClaimed) return true;
    const free: NextCall = { state: 'open', attempt, claimedAt: null, result: null };
    return (await moveCall(engine, invocation, () => free, { type: 'call.released', attempt })) || null;
  });
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
  await retryOnConflict(async () => {
    const invocation = await findCall(engine, server, id);
    const { state, attempt: holder } = invocation.call;
    if (state !== 'claimed' || holder !== attempt) return true;
    if (invocation.rows.some((row) => row.step === step && row.closedAt !== null)) return true;
    return (await moveCall(engine, invocation, () => free, { type: 'call.released', attempt })) || null;
  });
}

/** Drops an answer that no one collected in time, so that the next equal call asks again. */
export const settleStale = async (engine: Engine, call: OpenCall): Promise<void> => void (await settle(engine, call));

/** Settles only an open call: false if an attempt has claimed it, or its result is kept. */
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

/** Everything the server that made this call needs to continue it; `not-found` for any other. */
export async function showToolCall(engine: Engine, server: KeyScope, id: ToolCallId): Promise<ToolCallState> {
  const { call, first, rows } = await findCall(engine, server, id);
  const [original] = first.revision > 1 ? await engine.proceedings.revisions(first.id) : [];
  const question = original ? openReplaced(engine.ring, first, original) : openQuestion(engine.ring, first);
  const elicitations = await Promise.all(rows.map((row) => showAsked(engine, row)));
  return {
    id,
    tool: call.tool,
    title: question.tool.title,
    description: question.tool.description,
    schemaDigest: question.tool.schemaDigest,
    annotations: question.tool.annotations,
    reaches: question.tool.reaches ?? null,
    state: call.state,
    since: call.claimedAt,
    elicitations,
    arguments: JSON.parse(question.arguments) as Record<string, unknown>,
    requester: asStated(question.requester),
    session: ownerOf(engine.ring, first).session,
    ...(call.result && { result: cells.result.open(engine.ring, first, id, call.result) }),
  };
}

/** The requester as the server stated it, for the server to repeat. */
type StatedRequester = Omit<Requester, 'issuer' | 'verifiedBy'> & { issuer?: string };

function asStated(stored: Requester): StatedRequester {
  const { verifiedBy: _, issuer, ...requester } = stored;
  return { ...requester, ...(issuer && { issuer }) };
}

async function showAsked(engine: Engine, row: ElicitationRow): Promise<ToolCallState['elicitations'][number]> {
  const { message, schema } = openQuestion(engine.ring, row);
  const hasPage = row.mode === 'url' && row.status === 'open' && row.audience === 'requester';
  const code = hasPage ? await pageCode(engine, row) : {};
  return { ...(await viewWithInquiry(engine, row)), message, schema, visited: isVisited(row.state), ...code };
}
