import { lookupHashes } from '../../crypto/lookup-hash.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow, NewElicitation } from '../../store/elicitation/row.ts';
import { cancelElicitation } from '../elicitation/cancel-elicitation.ts';
import type { Engine } from '../engine.ts';

/**
 * One pending question to a person at a time: the newest stays, the others resolve as cancelled.
 * Each looks after its own commit, so that of those that race the last to commit sees all. Returns how the opened one
 * stands where a newer one has taken its place, else null.
 */
export async function supersedeOlder(
  engine: Engine,
  opened: NewElicitation,
  rule: 'session' | 'call' | 'none',
  session: string | undefined,
): Promise<ElicitationRow | null> {
  const pending = (await pendingUnder(engine, opened, rule, session)).filter(({ status }) => status === 'open');
  const newest = pending.reduce<Asked>((one, other) => (isOlder(one, other) ? other : one), opened);
  for (const { id } of pending.filter((row) => row.id !== newest.id)) {
    await cancelElicitation(engine, { id: opened.serverId }, id, 'superseded').catch(ignoreClosed);
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
  return reader.openInSession(serverId, lookupHashes(ring, 'session', serverId, session));
}

type Asked = Pick<ElicitationRow, 'id' | 'openedAt'>;

const isOlder = (one: Asked, other: Asked): boolean =>
  one.openedAt < other.openedAt || (one.openedAt === other.openedAt && one.id < other.id);

/** It was answered in between: that answer stands. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'already-closed')) throw error;
}
