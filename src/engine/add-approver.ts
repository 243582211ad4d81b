import type { ElicitationId, UserId } from '../model/id.ts';
import { mayVote, type Person } from '../model/person.ts';
import { Problem } from '../model/problem.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from './engine.ts';
import { refuseUnseen } from './refuse-unseen.ts';

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
  if (!mayVote(person.role)) throw new Problem('forbidden');
  const asked = await engine.people.byId(added);
  if (!asked || !mayVote(asked.role)) {
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['person'], message: 'Name somebody who may vote.' }] });
  }
  return changeElicitation(engine, id, (row, now) => {
    refuseUnseen(row, digest);
    return {
      actor: { kind: 'person', id: person.id },
      event: { type: 'addApprover', by: person.id, person: added, at: now },
      says: (about) => ({ type: 'elicitation.approver-added', person: added, ...about }),
    };
  });
}
