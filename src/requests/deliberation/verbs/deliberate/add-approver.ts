import type { ElicitationId, UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { invalidInput, Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { assertSeen } from '../../../state/verbs/permissions/assert-vote.ts';
import { refreshForPermissions } from '../../../state/verbs/change/revalidate.ts';

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
