import { lastVote } from '../machine/ballots.ts';
import type { ElicitationId } from '../model/id.ts';
import type { Person } from '../model/person.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from './engine.ts';
import { against, refuse } from './permissions.ts';

/**
 * Takes back this person's last vote, while the request is open: before it is decided, or approved and waiting for its
 * start. Problem `not-now` where none stands.
 */
export async function withdrawVote(engine: Engine, person: Person, id: ElicitationId): Promise<ElicitationRow> {
  return changeElicitation(engine, id, (row, now) => {
    refuse(against.withdrawVote(person, row));
    const { context } = row.state;
    const stage = lastVote(context, person.id)?.stage ?? context.stage;
    return {
      actor: { kind: 'person', id: person.id },
      event: { type: 'withdraw', by: person.id, at: now },
      says: (about) => ({ type: 'elicitation.vote-withdrawn', stage, ...about }),
    };
  });
}
