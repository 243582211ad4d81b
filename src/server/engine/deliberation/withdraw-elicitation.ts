import { assertMay } from '../assert-may.ts';
import type { ElicitationId } from '#protocol/model/id';
import { Problem } from '#protocol/model/problem';
import type { User } from '#protocol/model/user';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import { against, assertNoObjection } from '../elicitation/permissions.ts';
import { readable } from '../elicitation/readable.ts';
import { assertSeen } from '../elicitation/assert-vote.ts';
import { openQuestion, sealDecision } from '../elicitation/sealed-question.ts';
import { refreshForPermissions } from '../elicitation/revalidate.ts';
import type { Engine } from '../engine.ts';
import { actingFor } from '../users/acting-for.ts';

/** Ends a request without a decision, by a person who may extend it. */
export function withdrawElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, comment }: { digest: string; comment?: string | undefined },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const absent = (await actingFor(engine, user, row)).map(({ fromId }) => fromId);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id, ...absent]);
    assertNoObjection(against.cancel(user, current, { requesters, absent }));
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'cancel', cause: 'admin', at: now },
      answer: sealDecision(engine.ring, row, { comment: comment ?? null }),
      says: (fields) => ({ type: 'elicitation.cancelled', cause: 'admin', ...fields }),
    };
  });
}

/** An administrator ends a request that no one can read any more. No digest is sent, because no one can see one. */
export const withdrawUnreadable = (engine: Engine, user: User, id: ElicitationId): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    assertMay(user, 'tend-requests');
    if (row.status !== 'open') throw new Problem('already-closed');
    if (readable(() => openQuestion(engine.ring, row)))
      throw new Problem('not-now', { detail: 'Withdraw this on its page: it is readable.' });
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'cancel', cause: 'admin', at: now },
      says: (fields) => ({ type: 'elicitation.cancelled', cause: 'admin', ...fields }),
    };
  });
