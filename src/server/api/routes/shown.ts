import type { ElicitationDetail } from '#protocol/contract/console/console';
import type { Engine } from '../../engine/engine.ts';
import { showElicitation } from '../../engine/inbox/show-elicitation.ts';
import type { ElicitationId } from '#protocol/model/id';
import type { SignedInUser } from '#protocol/model/user';

/** The answer that shows one request to this person as it is now. */
export async function shown(engine: Engine, user: SignedInUser, id: ElicitationId) {
  const body: ElicitationDetail = await showElicitation(engine, user, id);
  return { status: 200, body };
}
