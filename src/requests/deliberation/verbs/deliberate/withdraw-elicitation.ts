import { assertMay } from '#policies/deciding/verbs/rules';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { readable } from '../../../state/verbs/change/readable.ts';
import { assertSeen } from '../../../state/verbs/permissions/assert-vote.ts';
import { openQuestion, sealDecision } from '../../../asking/verbs/question/sealed-question.ts';
import { refreshForPermissions } from '../../../state/verbs/change/revalidate.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { actingFor } from '#people/delegations/verbs';

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
