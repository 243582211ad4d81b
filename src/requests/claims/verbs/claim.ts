import { retryOnConflict } from '#platform/nodes/verbs/retry';
import type { ToolCallId, ElicitationId, GrantId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { KeyScope, ServerCaller, User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../state/store/row.ts';
import type { ToolCallRow, NextCall, MoveTerms, Lapsed } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { currentElicitation, lapseOf } from '../../state/verbs/change.ts';
import { cells, descriptionOf, runDigest, runOf, openQuestion } from '../../asking/verbs/question.ts';
import { assertNotStopped } from '../../stops/verbs.ts';
import { against, assertNoObjection } from '../../state/verbs/permissions.ts';
import { wholeServer, actorOfServer, assertOwn } from '#people/directory/verbs/scope';
import { auditEntry, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { requestProgress, type RequestProgress } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random';
import { collectWithin, type Status } from '../../asking/contract/elicitation.ts';
import type { InCommit } from '#platform/database/database';
import type { Epoch } from '#platform/database/epochs';
import { timeAfter } from '#platform/nodes/verbs/lists';
import type { Lapse, CurrentRules } from '#policies/deciding/rules/standing';
import { requestersOf } from '../../asking/verbs/requester.ts';
import { doesGrantStand } from '../../grants/verbs.ts';
import type { KeyRing } from '#platform/crypto/key-ring';
import type { Run } from '#platform/model/hashed-text';
import type { ClaimToolCall, ToolCallClaim } from '../../asking/contract/open.ts';

const defaultLeaseMs = 3_600_000;

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
  request: ClaimToolCall,
): Promise<ToolCallClaim> {
  return retryOnConflict(async () => tryClaim(engine, await findCall(engine, server, id), request));
}

/** Null if the call has changed since it was read. */
async function tryClaim(engine: Engine, invocation: FoundCall, request: ClaimToolCall): Promise<ToolCallClaim | null> {
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
async function takeApproval(engine: Engine, invocation: FoundCall, attempt: string): Promise<ToolCallClaim | null> {
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
async function refuseRun(engine: Engine, invocation: FoundCall, { attempt, run }: ClaimToolCall): Promise<null> {
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
async function heldClaim(engine: Engine, invocation: FoundCall, request: ClaimToolCall): Promise<ToolCallClaim | null> {
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

/**
 * Revokes an approval that has not begun to run, so that it releases nothing, not even as a standing approval. For
 * those who approved it, and administrators. If a revocation and a claim race, one comes first. Problem
 * `already-executed` after the claim.
 */
export async function revokeApproval(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest }: { digest: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const row = await engine.reader.elicitation(id);
    if (!row) throw new Problem('not-found');
    const invocation = await findCall(engine, wholeServer(row.serverId), row.toolCallId);
    const { call } = invocation;
    assertNoObjection(against.revoke(user, row, { call }));
    if (row.digest !== digest) throw new Problem('digest-mismatch');
    const { attempt, claimedAt } = call;
    const next = (): NextCall => ({ state: 'settled', attempt, claimedAt, result: null, lapse: 'revoked' });
    const { revision, status } = row;
    const fields = { elicitation: id, digest, revision, from: status, to: status };
    const actor = { kind: 'user', id: user.id } as const;
    return (await moveCall(engine, invocation, next, { type: 'call.revoked', ...fields }, { actor })) || null;
  });
}

/** A tool call with its questions in order. */
export interface FoundCall {
  call: ToolCallRow & { epoch: Epoch };
  first: ElicitationRow;
  rows: ElicitationRow[];
  /** The actor who looks for it, for the log. */
  caller: Actor;
}

/** A call that a key of this scope may see; any other counts as absent. */
export async function findCall(
  engine: Engine,
  scope: KeyScope & Pick<ServerCaller, 'proof'>,
  id: ToolCallId,
): Promise<FoundCall> {
  const call = await engine.toolCalls.find(id);
  if (!call) throw new Problem('not-found');
  assertOwn(call, scope);
  const rows = await engine.reader.callElicitations(id);
  const [first] = rows;
  if (!first) throw new Problem('not-found');
  return { call, first, rows, caller: actorOfServer(scope) };
}

type CallEvent = Extract<AuditEvent, { type: `call.${string}` }>;
/** The event to log; about the first question unless it names another. */
type Says = SaysOf<CallEvent>;
type SaysOf<E> = E extends CallEvent
  ? Omit<E, 'toolCall' | 'elicitation' | keyof RequestProgress> & { elicitation?: ElicitationId }
  : never;

/**
 * Stores the call's next state with its audit entry; false if the call or one of its questions has changed since it was
 * read.
 */
export const moveCall = (
  engine: Engine,
  invocation: FoundCall,
  next: (at: number) => NextCall,
  says: Says,
  { actor, ...terms }: MoveTerms & { actor?: Actor } = {},
): Promise<boolean> => engine.toolCalls.move(...moveOf(engine, invocation, next, says, actor), terms);

/** The same as part of another commit, which it prevents if the call has changed. */
export const movingCall = (engine: Engine, invocation: FoundCall, next: NextCall, says: Says): InCommit =>
  engine.toolCalls.moving(...moveOf(engine, invocation, () => next, says));

function moveOf(
  engine: Engine,
  { call, first, rows, caller }: FoundCall,
  next: (at: number) => NextCall,
  says: Says,
  actor: Actor = caller,
): Parameters<Engine['toolCalls']['moving']> {
  const at = timeAfter(engine, call.claimedAt ?? 0, ...rows.map(({ state }) => state.context.now));
  const subject = rows.find(({ id }) => id === says.elicitation) ?? first;
  const event = { toolCall: call.id, elicitation: subject.id, ...requestProgress(subject, at), ...says } as CallEvent;
  return [call, rows, next(at), auditEntry(newId('entry'), at, actor, event)];
}

/** All its questions were answered, and no one collected the last answer. */
export const isStale = (elicitations: Pick<ElicitationRow, 'closedAt'>[], now: number): boolean =>
  elicitations.every(({ closedAt }) => closedAt !== null && closedAt + collectWithin <= now);

/** A lapse as the log tells it: on which request, and why. */
interface FoundLapse {
  elicitation: ElicitationId;
  user?: UserId;
  deniedBy?: string;
  grant?: GrantId;
}

/**
 * The first of these accepted questions whose approval is no longer valid, if any, and the grants the others rest on.
 */
async function findLapse(
  engine: Engine,
  rows: readonly ElicitationRow[],
  present: CurrentRules,
): Promise<{ lapse: FoundLapse | null; grants: GrantId[] }> {
  const accepted = rows.filter(({ status }) => status === 'accepted');
  const grants: GrantId[] = [];
  for (const row of accepted) {
    const lapse = lapseOf(engine, row, present, engine.now());
    if (lapse) return { lapse: foundLapse(row, lapse), grants };
    const grant = row.state.context.grant as GrantId | undefined;
    if (grant === undefined) continue;
    if (!(await isInForce(engine, row, grant, present))) return { lapse: { elicitation: row.id, grant }, grants };
    grants.push(grant);
  }
  return { lapse: null, grants };
}

const foundLapse = ({ id }: ElicitationRow, lapse: Lapse): FoundLapse => {
  if (lapse.because === 'policy') return { elicitation: id, deniedBy: lapse.policy };
  return { elicitation: id, ...(lapse.user !== null && { user: lapse.user as UserId }) };
};

/** Is it still, for this request? */
async function isInForce(engine: Engine, row: ElicitationRow, id: GrantId, present: CurrentRules): Promise<boolean> {
  const grant = await engine.grants.find(id);
  if (!grant || grant.revokedAt !== null || grant.suspendedAt !== null) return false;
  const askers = requestersOf(engine, row, present);
  return doesGrantStand(engine, grant, { askers, present, now: engine.now() });
}

/** The sentence for the attempt that wants to run it. */
const lapsedCall = (lapse: Lapsed): Problem => new Problem('approval-lapsed', { detail: sentences[lapse] });

const sentences = {
  lapsed: 'Ask again: this approval would no longer be given by the same people and policies. It releases nothing.',
  revoked: 'Ask again: this approval was revoked before it was used. It releases nothing.',
};

type Asked = Pick<ElicitationRow, 'audience' | 'status'>;

/**
 * The questions of a call as one status: `accepted` releases its execution, `open` may still do so, and any other state
 * never will. Approvers must have accepted all their questions; of the requester's, one acceptance is enough.
 */
export function releaseOf(rows: readonly Asked[]): Status {
  const approverStatuses = rows.filter(({ audience }) => audience === 'approvers').map(({ status }) => status);
  const refusal = approverStatuses.find((status) => status !== 'open' && status !== 'accepted');
  if (refusal) return refusal;
  const statuses = rows.map(({ status }) => status);
  if (approverStatuses.includes('open')) return 'open';
  if (statuses.includes('accepted')) return 'accepted';
  return statuses.includes('open') ? 'open' : (statuses.at(-1) ?? 'open');
}

/** No question or claim can release this execution any more. */
export const isDead = (release: Status): boolean => release !== 'open' && release !== 'accepted';

/** Why an ended call releases nothing. */
const deadCall = (release: Status): Problem =>
  new Problem('already-closed', {
    detail: `Ask again: this request was ${ends[release] ?? 'ended'}, so nothing may run.`,
  });

const ends: Partial<Record<Status, string>> = {
  declined: 'declined',
  cancelled: 'withdrawn',
  expired: 'not answered in time and has expired',
};

/** Is this the digest of the run that people accepted? */
export function isApproved(ring: KeyRing, rows: readonly ElicitationRow[], digest: string): boolean {
  const acceptedRows = rows.filter(({ status }) => status === 'accepted');
  const questions = acceptedRows.length > 0 ? acceptedRows : rows.slice(0, 1);
  const edited = acceptedRows.findLast(({ revision }) => revision > 1);
  const approved = edited && runOfRow(ring, edited).arguments;
  return questions.every((row) => {
    const question = openQuestion(ring, row);
    const run = runOf(row.tool, question);
    // Approvers may edit what the requester was asked about, but not what other approvers have approved.
    const isAmended = row.audience === 'requester' && approved !== undefined;
    const accepted = isAmended ? { ...run, arguments: approved } : run;
    // A question may be from before the description was part of its run; its claim may have it all the same.
    return [accepted, { ...accepted, ...descriptionOf(question) }].some((candidate) => runDigest(candidate) === digest);
  });
}

const runOfRow = (ring: KeyRing, row: ElicitationRow): Run => runOf(row.tool, openQuestion(ring, row));
