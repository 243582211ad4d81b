import type { ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { KeyScope, ServerCaller } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { ToolCallRow } from '../../store/call-row.ts';
import type { NextCall } from '../../store/tool-calls.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { currentElicitation } from '../../../state/verbs/change/change.ts';
import { cells } from '../../../asking/verbs/question/sealed-question.ts';
import { findCall, isStale, moveCall, type FoundCall } from './find-call.ts';
import { assertNotStopped } from '../../../stops/verbs/assert-not-stopped.ts';
import { findLapse, lapsedCall, type FoundLapse } from './find-lapse.ts';
import { deadCall, isApproved, isDead, releaseOf } from './release.ts';

interface ClaimRequest {
  attempt: string;
  /** The digest of what is about to run. */
  run: string;
  /** Milliseconds of silence after which the attempt that holds the claim counts as dead; an hour by default. */
  leaseMs?: number | undefined;
}

const defaultLeaseMs = 3_600_000;

type Claim = { state: 'claimed' } | { state: 'running'; since: number } | { state: 'completed'; result: unknown };

/**
 * Releases the call's one execution to the first attempt that asks and is about to run what was approved; asking again
 * under the same name changes nothing. Problems: `digest-mismatch` if another run was approved, which voids the
 * approval; `approval-lapsed` if the current people and policies would no longer approve it, or if it was revoked;
 * `stopped` while an administrator has stopped it; `not-now` while a question is open; `already-closed` if people
 * declined or did not answer; `not-claimed` if this attempt has given the execution back; `outcome-unknown` if the run that claimed it is dead; `already-executed` after the call
 * is settled.
 */
export async function claimToolCall(
  engine: Engine,
  server: KeyScope & Pick<ServerCaller, 'proof'>,
  id: ToolCallId,
  request: ClaimRequest,
): Promise<Claim> {
  for (;;) {
    const invocation = await findCall(engine, server, id);
    const claim = await tryClaim(engine, invocation, request);
    if (claim) return claim;
  }
}

/** Null if the call has changed since it was read. */
async function tryClaim(engine: Engine, invocation: FoundCall, request: ClaimRequest): Promise<Claim | null> {
  const { call, rows } = invocation;
  const { attempt, run } = request;
  const release = releaseOf(rows);
  if (call.lapse) throw lapsedCall(call.lapse);
  if (isDead(release) && (call.state === 'open' || call.state === 'settled')) throw deadCall(release);
  if (!isApproved(engine.ring, rows, run)) return refuseRun(engine, invocation, request);
  if (call.state === 'settled') throw new Problem('already-executed');
  if (call.state === 'completed') return { state: 'completed', result: resultOf(engine, invocation) };
  if (call.state === 'claimed') return heldClaim(engine, invocation, request);
  if (call.attempt === attempt) throw new Problem('not-claimed', { detail: givenBack });
  if (release === 'open') return refuseOpen(engine, rows);
  if (isStale(rows, engine.now())) throw new Problem('already-executed', { detail: late });
  return takeApproval(engine, invocation, attempt);
}

/** The approval is judged again; the people and policies it is judged by must be unchanged when the claim is stored. */
async function takeApproval(engine: Engine, invocation: FoundCall, attempt: string): Promise<Claim | null> {
  const { call, rows } = invocation;
  const { epoch } = call;
  const snapshot = engine.rules.at(epoch);
  assertNotStopped(await snapshot.stops(), call);
  const { lapse, grants } = await findLapse(engine, rows, await snapshot.rules());
  if (lapse) return refuseLapsed(engine, invocation, attempt, lapse);
  const claimedState = (claimedAt: number): NextCall => ({ state: 'claimed', attempt, claimedAt, result: null });
  const says = { type: 'call.claimed', attempt } as const;
  return (await moveCall(engine, invocation, claimedState, says, { epoch, isRelease: true, grants }))
    ? { state: 'claimed' }
    : null;
}

/** The log says why, and the call ends: the next call of its name asks again. */
async function refuseLapsed(engine: Engine, invocation: FoundCall, attempt: string, lapse: FoundLapse): Promise<null> {
  const { call } = invocation;
  const next = (): NextCall => ({ ...settled(call), lapse: 'lapsed' });
  const says = { type: 'call.lapsed', attempt, ...lapse } as const;
  if (await moveCall(engine, invocation, next, says, { epoch: call.epoch })) throw lapsedCall('lapsed');
  return null;
}

/** A question may be overdue and not yet expired. */
async function refuseOpen(engine: Engine, rows: readonly ElicitationRow[]): Promise<null> {
  const late = rows.filter(({ status, deadlineAt }) => status === 'open' && deadlineAt <= engine.now());
  if (late.length === 0) throw new Problem('not-now');
  await Promise.all(late.map(({ id }) => currentElicitation(engine, id)));
  return null;
}

const late = 'Ask again: this approval was not used within an hour and has lapsed.';

/** The log says so, and the approval releases nothing any more. */
async function refuseRun(engine: Engine, invocation: FoundCall, { attempt, run }: ClaimRequest): Promise<null> {
  const { call, rows } = invocation;
  const isVoid = call.state === 'open' && releaseOf(rows) === 'accepted';
  const next = isVoid ? settled(call) : call;
  const isSaid =
    call.state === 'settled' ||
    (await moveCall(engine, invocation, () => next, { type: 'call.mismatched', attempt, run }));
  if (!isSaid) return null;
  throw new Problem('digest-mismatch', { detail: otherRun });
}

const givenBack = 'Claim with another attempt: this one has given the execution back.';

const otherRun = 'Ask again: what is about to run is not what was approved, so nothing runs.';

const settled = ({ attempt, claimedAt }: ToolCallRow): NextCall => ({
  state: 'settled',
  attempt,
  claimedAt,
  result: null,
});

const resultOf = ({ ring }: Engine, { call, first }: FoundCall): unknown =>
  call.result && cells.result.open(ring, first, call.id, call.result);

/** Returns which attempt holds the claim. If that run is dead, its end is unknown, and the call is settled. */
async function heldClaim(engine: Engine, invocation: FoundCall, request: ClaimRequest): Promise<Claim | null> {
  const { call } = invocation;
  const { attempt, leaseMs = defaultLeaseMs } = request;
  if (call.attempt === attempt) return { state: 'claimed' };
  const since = call.claimedAt ?? 0;
  if (engine.now() < since + leaseMs) return { state: 'running', since };
  const isSettled = await moveCall(engine, invocation, () => ({ ...settled(call), attempt }), {
    type: 'call.settled',
    attempt,
  });
  if (isSettled) throw new Problem('outcome-unknown');
  return null;
}
