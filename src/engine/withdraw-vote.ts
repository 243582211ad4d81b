import { lastVote } from '../machine/ballots.ts';
import type { ElicitationId } from '../model/id.ts';
import { mayVote, type Person } from '../model/person.ts';
import { Problem } from '../model/problem.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from './engine.ts';

/**
 * Takes back this person's last vote, while the request is open: before it is decided, or approved and waiting for its
 * start. Problem `not-now` where none stands.
 */
export async function withdrawVote(engine: Engine, person: Person, id: ElicitationId): Promise<ElicitationRow> {
  if (!mayVote(person.role)) throw new Problem('forbidden');
  return changeElicitation(engine, id, ({ state }, now) => {
    const stage = lastVote(state.context, person.id)?.stage ?? state.context.stage;
    return {
      actor: { kind: 'person', id: person.id },
      event: { type: 'withdraw', by: person.id, at: now },
      says: (about) => ({ type: 'elicitation.vote-withdrawn', stage, ...about }),
    };
  });
}
