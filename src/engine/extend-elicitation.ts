import { longestTtl } from '../model/elicitation.ts';
import type { ElicitationId } from '../model/id.ts';
import { mayVote, type Person } from '../model/person.ts';
import { Problem } from '../model/problem.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from './engine.ts';
import { refuseUnseen } from './refuse-unseen.ts';

/** Moves the deadline later, audited; never beyond the longest time a request may live. */
export function extendElicitation(
  engine: Engine,
  person: Person,
  id: ElicitationId,
  { digest, by }: { digest: string; by: number },
): Promise<ElicitationRow> {
  if (!mayVote(person.role)) throw new Problem('forbidden');
  return changeElicitation(engine, id, (row, now) => {
    refuseUnseen(row, digest);
    const deadlineAt = row.deadlineAt + by;
    if (deadlineAt > row.openedAt + longestTtl) {
      throw new Problem('INVALID_INPUT', { errors: [{ path: ['by'], message: 'A request lives 30 days at most.' }] });
    }
    return {
      actor: { kind: 'person', id: person.id },
      event: { type: 'extend', deadlineAt, at: now },
      says: (about) => ({ type: 'elicitation.extended', deadlineAt, ...about }),
    };
  });
}
