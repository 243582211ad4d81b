import type { ElicitationId } from '../../model/id.ts';
import type { Person } from '../../model/person.ts';
import { Problem } from '../../model/problem.ts';
import { freezeAgainst } from '../../policy/stages/freeze.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { against, refuse } from '../elicitation/permissions.ts';
import { policyTerms, type PolicyTerms } from '../elicitation/policy-terms.ts';
import { refuseUnseen } from '../elicitation/refuse-unseen.ts';
import { requestersOf } from '../elicitation/requesters.ts';

/** Lets what is approved start no earlier than `notBefore`: later than before, and before the deadline. */
export async function postponeElicitation(
  engine: Engine,
  person: Person,
  id: ElicitationId,
  { digest, notBefore }: { digest: string; notBefore: number },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, people) => {
    refuseUnseen(row, digest);
    const terms = policyTerms(engine, row);
    refuse(against.postpone(person, row, { requesters: requestersOf(engine, row, await people()), terms }));
    const message = startFault(row, notBefore, now) ?? freezeFault(terms, notBefore);
    if (message) throw new Problem('INVALID_INPUT', { errors: [{ path: ['notBefore'], message }] });
    return {
      actor: { kind: 'person', id: person.id },
      event: { type: 'postpone', by: person.id, notBefore, at: now },
      says: (about) => ({ type: 'elicitation.postponed', notBefore, ...about }),
    };
  });
}

function freezeFault(terms: PolicyTerms, notBefore: number): string | null {
  const window = freezeAgainst(terms, notBefore);
  return window === null ? null : `It would start within the freeze ${window}.`;
}

function startFault({ state, deadlineAt }: ElicitationRow, notBefore: number, now: number): string | null {
  if (notBefore >= deadlineAt) return 'It must start before the deadline.';
  return notBefore <= Math.max(now, state.context.notBefore ?? 0) ? 'A start only moves later.' : null;
}
