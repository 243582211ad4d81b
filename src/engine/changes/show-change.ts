import { readEntry } from '../../audit/entry.ts';
import type { ElicitationId } from '../../model/id.ts';
import { ownServer } from '../../model/names.ts';
import { may } from '../../model/permission.ts';
import { Problem } from '../../model/problem.ts';
import type { RefusalCode } from '../../model/refusal.ts';
import type { User } from '../../model/user.ts';
import { currentElicitation } from '../elicitation/change.ts';
import { ownerOf } from '../elicitation/sealed-question.ts';
import type { Engine } from '../engine.ts';
import type { TokenCaller } from '../users/change-directory.ts';
import { sessionOf } from './session-of.ts';

export interface ChangeProgress {
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
