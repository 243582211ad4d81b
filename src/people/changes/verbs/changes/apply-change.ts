import type { ElicitationId, UserId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';
import { Problem, type ProblemCode } from '#platform/model/problem/problem';
import type { RefusalCode } from '#requests/inbox/contract/refusal';
import type { User } from '../../../directory/contract/user.ts';
import { inSequence } from '#platform/database/database/in-commit';
import type { ElicitationRow } from '#requests/state/store/row/row';
import type { NextCall } from '#requests/claims/store/tool-calls';
import { claimToolCall } from '#requests/claims/verbs/claim/claim-call';
import { findCall, isStale, moveCall, movingCall, type FoundCall } from '#requests/claims/verbs/claim/find-call';
import { runDigest, runOf } from '#requests/asking/verbs/question/question-digest';
import { openQuestion, ownerOf } from '#requests/asking/verbs/question/sealed-question';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { wholeServer } from '../../../directory/verbs/scope/key-scope.ts';
import { castVote, type Vote } from '#requests/voting/verbs/cast-vote';
import { changeKinds, isChangeName } from '../kinds/change-kinds.ts';
import { tokenOfSession } from './session-of.ts';

/** Every node applies under the same name, so that another one continues when one dies. */
const attempt = ownServer.name;

/** Counts a vote. If it completes the agreement on a change of power, the change is made now, or by the next look. */
export async function voteAndApply(engine: Engine, user: User, id: ElicitationId, vote: Vote): Promise<ElicitationRow> {
  const row = await castVote(engine, user, id, vote);
  if (row.serverId === ownServer.id && row.status === 'accepted') await applyChange(engine, row).catch(() => {});
  return row;
}

/** Makes the changes that were accepted and not yet made. One that cannot be read keeps no other from being made. */
export async function applyAccepted(engine: Engine): Promise<void> {
  const failures: unknown[] = [];
  for (const id of await engine.reader.acceptedUnused(ownServer.id)) {
    await applyById(engine, id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function applyById(engine: Engine, id: ElicitationId): Promise<void> {
  const row = await engine.reader.elicitation(id);
  if (row) await applyChange(engine, row);
}

/**
 * Makes an accepted change at most once: in one commit with the end of its claim, if people and policies would still
 * accept it and everything is as the request says. Otherwise its entry says why it was not made.
 */
async function applyChange(engine: Engine, row: ElicitationRow): Promise<void> {
  const invocation = await claim(engine, row);
  if (!invocation) return;
  try {
    if (!isChangeName(row.tool)) throw new Problem('not-found');
    await changeKinds[row.tool].apply(engine, await agreementOn(engine, row, invocation), factsIn(engine, row));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await end(engine, invocation, error.refusal?.code ?? 'change-outdated');
  }
}

/** Null if it was applied, lapsed or revoked meanwhile. */
async function claim(engine: Engine, row: ElicitationRow): Promise<FoundCall | null> {
  const run = runDigest(runOf(row.tool, openQuestion(engine.ring, row)));
  try {
    await claimToolCall(engine, wholeServer(ownServer.id), row.toolCallId, { attempt, run });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const invocation = await findCall(engine, wholeServer(ownServer.id), row.toolCallId);
  if (invocation.call.state === 'open' && isStale(invocation.rows, engine.now()))
    await end(engine, invocation, 'change-too-late');
  // Another node that has made it meanwhile has settled the call.
  return invocation.call.state === 'claimed' ? invocation : null;
}

const used: Omit<NextCall, 'claimedAt'> = { state: 'settled', attempt, result: null };

async function agreementOn(engine: Engine, row: ElicitationRow, invocation: FoundCall) {
  const token = await tokenOfSession(engine, ownerOf(engine.ring, row).session);
  const move = movingCall(
    engine,
    invocation,
    { ...used, claimedAt: invocation.call.claimedAt },
    { type: 'call.applied', attempt },
  );
  const also = inSequence(token ? engine.adminTokens.unrevoked(token.id) : undefined, move);
  return {
    kind: 'agreement' as const,
    id: token?.makerId ?? (ownerOf(engine.ring, row).session as UserId),
    ...(token && { token }),
    with: row.state.context.votes.filter(({ action }) => action === 'accept').map(({ by }) => by as UserId),
    request: row.id,
    also,
  };
}

/** Canonical JSON: the bytes that people read. */
const factsIn = ({ ring }: Engine, row: ElicitationRow): object =>
  JSON.parse(openQuestion(ring, row).arguments) as object;

/** Not made, and never will be. The node that was quicker has said how it ended. */
async function end(engine: Engine, invocation: FoundCall, refused: RefusalCode): Promise<void> {
  const next = { ...used, claimedAt: invocation.call.claimedAt };
  await moveCall(engine, invocation, () => next, { type: 'call.applied', attempt, refused });
}

/** Everything else is a fault: the next look tries again. */
const isRefusal = (error: unknown): error is Problem => error instanceof Problem && !faults.includes(error.code);

const faults: readonly ProblemCode[] = [
  'database-unavailable',
  'internal',
  'policy-unreadable',
  'sealed-unreadable',
  'shutting-down',
  'unproven',
  'write-conflict',
];
