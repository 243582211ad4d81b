import type { ElicitationId } from '../../model/id.ts';
import type { Person } from '../../model/person.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { against, refuse } from '../elicitation/permissions.ts';
import { requestersOf } from '../elicitation/requesters.ts';

/** Milliseconds a claim tells the others that somebody looks at it. */
const claimLife = 15 * 60_000;

/** Says that this person looks at the request, or no longer does. A hint: it keeps nobody from voting. */
export async function claimElicitation(
  engine: Engine,
  person: Person,
  id: ElicitationId,
  { held }: { held: boolean },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, people) => {
    if (held) refuse(against.claim(person, row, { requesters: requestersOf(engine, row, await people()), now }));
    const until = held ? now + claimLife : null;
    return {
      actor: { kind: 'person', id: person.id },
      event: { type: 'claim', by: person.id, until, at: now },
      says: (about) => ({ type: 'elicitation.claimed', until, ...about }),
    };
  });
}
