import { endStopped } from './cancel-elicitation.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { noneIfUnproven } from '../proven-row.ts';

/** Milliseconds for which a node keeps the elicitations it took; after that others may take them. */
const lease = 30_000;

/**
 * Takes due timers: expiries, reminders, escalations, and the end of stopped requests. Safe on any number of nodes at
 * once; nothing is lost if a node dies in between. Returns how many were taken, and when the
 * next one is due.
 */
export async function takeDueTimers(engine: Engine, limit = 100): Promise<{ taken: number; nextAt: number | null }> {
  const now = engine.now();
  const { ids, nextAt } = await engine.dueTimers.take(now, now + lease, limit);
  await Promise.all(ids.map((id) => endStopped(engine, id).catch(noneIfUnproven)));
  return { taken: ids.length, nextAt };
}
