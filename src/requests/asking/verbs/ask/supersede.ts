import type { KeyRing } from '#platform/crypto/key-ring';
import { lookupHashes } from '#platform/crypto/key-ring';
import { Problem } from '#platform/model/problem';
import type { KeyScope } from '#people/directory/contract/user';
import type { ElicitationRow, NewElicitation } from '../../../state/store/row/row.ts';
import { cancelElicitation } from '../../../state/verbs/end/cancel-elicitation.ts';
import { readable } from '../../../state/verbs/change/readable.ts';
import { openQuestion } from '../question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { isForeign } from '#people/directory/verbs/scope';

/**
 * One pending question to a person at a time: the newest stays, the others resolve as cancelled. The next question of a
 * session does not end one with an outside address: its person may be paying there.
 * Each opening looks after its own commit, so the last of several racing openings sees all. A key
 * replaces only what it opens. Returns the state of the opened question if a newer one replaced it, otherwise null.
 */
export async function supersedeOlder(
  engine: Engine,
  opened: NewElicitation,
  rule: 'session' | 'call' | 'none',
  session: string | undefined,
  scope: KeyScope,
): Promise<ElicitationRow | null> {
  const rows = await pendingUnder(engine, opened, rule, session);
  const pending = rows.filter((row) => row.status === 'open' && !isForeign(row, scope));
  const newest = pending.reduce<Asked>((first, other) => (isOlder(first, other) ? other : first), opened);
  for (const { id } of pending.filter((row) => row.id !== newest.id)) {
    await cancelElicitation(engine, scope, id, 'superseded').catch(ignoreClosed);
  }
  return newest.id === opened.id ? null : engine.reader.elicitation(opened.id);
}

async function pendingUnder(
  { reader, ring }: Engine,
  { serverId, toolCallId }: NewElicitation,
  rule: 'session' | 'call' | 'none',
  session: string | undefined,
): Promise<ElicitationRow[]> {
  if (rule === 'call') return reader.callElicitations(toolCallId);
  if (rule === 'none' || session === undefined) return [];
  const rows = await reader.openInSession(serverId, lookupHashes(ring, 'session', serverId, session));
  return rows.filter((row) => !readable(() => leadsOut(ring, row)));
}

const leadsOut = (ring: KeyRing, row: ElicitationRow): boolean =>
  row.mode === 'url' && row.audience === 'requester' && openQuestion(ring, row).url !== null;

type Asked = Pick<ElicitationRow, 'id' | 'openedAt'>;

const isOlder = (first: Asked, other: Asked): boolean =>
  first.openedAt < other.openedAt || (first.openedAt === other.openedAt && first.id < other.id);

/** It was answered in between, and that answer is kept. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'already-closed')) throw error;
}
