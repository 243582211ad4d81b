import { lookupHashes } from '../crypto/lookup-hash.ts';
import { Problem } from '../model/problem.ts';
import type { ElicitationRow, NewElicitation } from '../store/elicitation-row.ts';
import { cancelElicitation } from './cancel-elicitation.ts';
import type { Engine } from './engine.ts';

/**
 * One pending question to a person at a time: the older ones resolve as cancelled.
 * Only older ones are taken, so of two that race the newer always stays.
 */
export async function supersedeOlder(
  engine: Engine,
  newest: NewElicitation,
  rule: 'session' | 'call' | 'none',
  session: string | undefined,
): Promise<void> {
  const pending = await pendingUnder(engine, newest, rule, session);
  const older = pending.filter((row) => row.status === 'open' && isOlder(row, newest));
  for (const { id } of older) {
    await cancelElicitation(engine, { id: newest.serverId }, id, 'superseded').catch(ignoreClosed);
  }
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

const isOlder = (row: ElicitationRow, newest: NewElicitation): boolean =>
  row.openedAt < newest.openedAt || (row.openedAt === newest.openedAt && row.id < newest.id);

/** It was answered in between: that answer stands. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'already-closed')) throw error;
}
