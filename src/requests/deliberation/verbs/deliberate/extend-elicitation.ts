import { maxTtlMs } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { invalidInput } from '#platform/model/problem';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { actingFor } from '#people/delegations/verbs';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { assertSeen } from '../../../state/verbs/permissions/assert-vote.ts';
import { refreshForPermissions } from '../../../state/verbs/change/revalidate.ts';

/**
 * Moves the deadline later, audited, up to the longest time a request may stay open. For those who may vote in the
 * current stage, for themselves or someone else, and administrators; never for the requester.
 */
export function extendElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, by }: { digest: string; by: number },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const absent = (await actingFor(engine, user, row)).map(({ fromId }) => fromId);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id, ...absent]);
    assertNoObjection(against.extend(user, current, { requesters, absent }));
    const deadlineAt = row.deadlineAt + by;
    if (deadlineAt > row.openedAt + maxTtlMs) {
      throw invalidInput(['by'], 'Choose less: a request stays open for 30 days at most.');
    }
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'extend', deadlineAt, at: now },
      says: (fields) => ({ type: 'elicitation.extended', deadlineAt, ...fields }),
    };
  });
}
