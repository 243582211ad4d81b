import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { endStopped } from './cancel-elicitation.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from '../engine.ts';
import { noneIfUnproven } from '../proven-row.ts';

/** Milliseconds a taker has before others may take its elicitations again. */
const lease = 30_000;

/**
 * Takes what is due: expiries, reminders, escalations, and the end of what is stopped. Safe on any number of nodes at
 * once; a node that dies in between loses nothing. Returns how many were taken.
 */
export async function takeDueTimers(engine: Engine, limit = 100): Promise<number> {
  const now = engine.now();
  const ids = await engine.dueTimers.take(now, now + lease, limit);
  await Promise.all(ids.map((id) => endStopped(engine, id).catch(noneIfUnproven)));
  return ids.length;
}

/** The row with everything due taken, as a reader should see it. */
export const currentElicitation = (engine: Engine, id: ElicitationRow['id']): Promise<ElicitationRow> =>
  changeElicitation(engine, id, () => null);
