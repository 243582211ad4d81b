import type { ElicitationDetail } from '../../contract/console/console.ts';
import type { Engine } from '../../engine/engine.ts';
import { showElicitation } from '../../engine/inbox/show-elicitation.ts';
import type { ElicitationId } from '../../model/id.ts';
import type { SignedInPerson } from '../../model/person.ts';

/** The answer that shows one request to this person as it is now. */
export async function shown(engine: Engine, person: SignedInPerson, id: string) {
  const body: ElicitationDetail = await showElicitation(engine, person, id as ElicitationId);
  return { status: 200, body };
}
