import type { ElicitationDetail } from '../../contract/console/console.ts';
import type { Engine } from '../../engine/engine.ts';
import { showElicitation } from '../../engine/inbox/show-elicitation.ts';
import type { ElicitationId } from '../../model/id.ts';
import type { SignedInUser } from '../../model/user.ts';

/** The answer that shows one request to this person as it is now. */
export async function shown(engine: Engine, user: SignedInUser, id: ElicitationId) {
  const body: ElicitationDetail = await showElicitation(engine, user, id);
  return { status: 200, body };
}
