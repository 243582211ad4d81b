import { maxTtlMs } from '#protocol/model/elicitation';
import type { ElicitationId } from '#protocol/model/id';
import type { User } from '#protocol/model/user';
import { invalidInput } from '#protocol/model/problem';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { actingFor } from '../users/acting-for.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { against, assertNoObjection } from '../elicitation/permissions.ts';
import { assertSeen } from '../elicitation/assert-vote.ts';
import { refreshForPermissions } from '../elicitation/revalidate.ts';

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
