import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { NextCall } from '../../store/tool-calls.ts';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { wholeServer } from '#people/directory/verbs/scope';
import { findCall, moveCall } from './find-call.ts';

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
  for (;;) {
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
    if (await moveCall(engine, invocation, next, { type: 'call.revoked', ...fields }, { actor })) return;
  }
}
