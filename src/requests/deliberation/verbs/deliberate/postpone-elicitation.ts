import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { invalidInput } from '#platform/model/problem';
import { freezeAgainst } from '#policies/deciding/rules/stages';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { policyTerms, type PolicyTerms } from '../../../state/verbs/permissions/policy-terms.ts';
import { assertSeen } from '../../../state/verbs/permissions/assert-vote.ts';
import { refreshForPermissions } from '../../../state/verbs/change/revalidate.ts';

/**
 * Makes an approved request start no earlier than `notBefore`, which must be later than before and before the deadline.
 */
export async function postponeElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, notBefore }: { digest: string; notBefore: number },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const terms = policyTerms(engine, row);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id]);
    assertNoObjection(against.postpone(user, current, { requesters, terms }));
    const message = startFault(row, notBefore, now) ?? freezeFault(terms, notBefore);
    if (message) throw invalidInput(['notBefore'], message);
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'postpone', by: user.id, notBefore, at: now },
      says: (fields) => ({ type: 'elicitation.postponed', notBefore, ...fields }),
    };
  });
}

function freezeFault(terms: PolicyTerms, notBefore: number): string | null {
  const window = freezeAgainst(terms, notBefore);
  return window === null ? null : `Choose another time: it would start within the freeze window ${window}.`;
}

function startFault({ state, deadlineAt }: ElicitationRow, notBefore: number, now: number): string | null {
  if (notBefore >= deadlineAt) return 'Choose a time before the deadline.';
  return notBefore <= Math.max(now, state.context.notBefore ?? 0)
    ? 'Choose a later time: a start can only be moved later.'
    : null;
}
