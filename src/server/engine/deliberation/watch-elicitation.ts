import type { ElicitationId } from '#protocol/model/id';
import type { User } from '#protocol/model/user';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { against, assertNoObjection } from '../elicitation/permissions.ts';
import { refreshForPermissions } from '../elicitation/revalidate.ts';

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
