import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { refreshForPermissions } from '../../../state/verbs/change/revalidate.ts';

/** Milliseconds for which others see that someone is reviewing it. */
const watchLife = 15 * 60_000;

/**
 * Marks the request as being reviewed by this person, or removes the mark. It is only a hint: everyone can still vote.
 */
export async function watchElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { held: isHeld }: { held: boolean },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id]);
    if (isHeld) assertNoObjection(against.watch(user, current, { requesters, now }));
    const until = isHeld ? now + watchLife : null;
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'watch', by: user.id, until, at: now },
      says: (fields) => ({ type: 'elicitation.watched', until, ...fields }),
    };
  });
}
