import type { ElicitationId, UserId } from '#protocol/model/id';
import type { User } from '#protocol/model/user';
import { invalidInput, Problem } from '#protocol/model/problem';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { against, assertNoObjection } from '../elicitation/permissions.ts';
import { assertSeen } from '../elicitation/assert-vote.ts';
import { refreshForPermissions } from '../elicitation/revalidate.ts';

/**
 * Adds an approver in a stage of their own after the current one. Everyone else stays required. Problem `not-now` if
 * the person is an approver already, or may not vote.
 */
export async function addApprover(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, user: added }: { digest: string; user: UserId },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const users = await basis.users();
    const { current, requesters } = refreshForPermissions(engine, row, users, now, [user.id]);
    assertNoObjection(against.addApprover(user, current, { requesters }));
    if (!users.voters.has(added)) throw wrongUser();
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'addApprover', by: user.id, user: added, at: now },
      says: (fields) => ({ type: 'elicitation.approver-added', user: added, ...fields }),
    };
  });
}

const wrongUser = (): Problem => invalidInput(['user'], 'Choose someone who may vote.');
