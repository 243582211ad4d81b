import type { ElicitationId, UserId } from '../../model/id.ts';
import type { Person } from '../../model/person.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { against, refuse } from '../elicitation/permissions.ts';
import { refuseUnseen } from '../elicitation/refuse-unseen.ts';
import { requestersOf } from '../elicitation/requesters.ts';

/**
 * Asks one more person, in a stage of their own after the current one. Nobody who is required is taken away. Problem
 * `not-now` where the person is asked already, or kept out of it.
 */
export async function addApprover(
  engine: Engine,
  person: Person,
  id: ElicitationId,
  { digest, person: added }: { digest: string; person: UserId },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, people) => {
    refuseUnseen(row, digest);
    const current = await people();
    refuse(against.addApprover(person, row, { requesters: requestersOf(engine, row, current) }));
    if (!current.voters.has(added)) throw wrongPerson();
    return {
      actor: { kind: 'person', id: person.id },
      event: { type: 'addApprover', by: person.id, person: added, at: now },
      says: (about) => ({ type: 'elicitation.approver-added', person: added, ...about }),
    };
  });
}

const wrongPerson = (): Problem =>
  new Problem('INVALID_INPUT', { errors: [{ path: ['person'], message: 'Name somebody who may vote.' }] });
