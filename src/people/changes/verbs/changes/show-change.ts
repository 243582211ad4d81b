import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import { ownServer } from '#platform/model/names';
import { may } from '../../../directory/contract/permission.ts';
import { Problem } from '#platform/model/problem/problem';
import type { RefusalCode } from '#requests/inbox/contract/refusal';
import type { User } from '../../../directory/contract/user.ts';
import { currentElicitation } from '#requests/state/verbs/change/change';
import { ownerOf } from '#requests/asking/verbs/question/sealed-question';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { TokenCaller } from '../../../directory/verbs/directory/change-directory.ts';
import { sessionOf } from './session-of.ts';

interface ChangeProgress {
  state: 'waiting' | 'accepted' | 'made' | 'refused' | 'not-made';
  /** Why it was not made. */
  because: RefusalCode | null;
}

/** How far a change is; problem `not-found` for anyone but who asked for it, and administrators. */
export async function showChange(engine: Engine, by: User | TokenCaller, id: ElicitationId): Promise<ChangeProgress> {
  const stored = await engine.reader.elicitation(id);
  if (stored?.serverId !== ownServer.id) throw new Problem('not-found');
  const isAdministrator = by.kind === 'user' && may(by, 'change-directory');
  if (!isAdministrator && ownerOf(engine.ring, stored).session !== sessionOf(by)) throw new Problem('not-found');
  const { status } = await currentElicitation(engine, id);
  if (status === 'open') return { state: 'waiting', because: null };
  if (status !== 'accepted') return { state: 'refused', because: null };
  const events = (await engine.reader.history(id)).map(readEntry);
  const applied = events.flatMap((event) => (event.type === 'call.applied' ? [event] : [])).at(-1);
  if (!applied) return { state: 'accepted', because: null };
  return { state: applied.refused ? 'not-made' : 'made', because: applied.refused ?? null };
}
