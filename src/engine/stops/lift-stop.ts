import { auditEntry } from '../../audit/entry.ts';
import { newId } from '../../crypto/random.ts';
import type { StopId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { Engine } from '../engine.ts';
import { timeAfter } from '../time-after.ts';
import { actorOf, refuseOthers, type Administrator } from '../users/change-directory.ts';
import { showStop, type ShownStop } from './show-stops.ts';

/**
 * Lifts a stop. It takes a second administrator: problem `forbidden` for the one who made the stop, `not-now` if it is
 * already lifted. The operator's terminal counts as one person.
 */
export async function liftStop(
  engine: Pick<Engine, 'stops' | 'now'>,
  by: Administrator,
  id: StopId,
): Promise<ShownStop> {
  refuseOthers(by);
  const user = by === 'operator' ? null : by.id;
  const stop = await engine.stops.find(id);
  if (!stop) throw new Problem('not-found');
  if (stop.stoppedBy === user) throw new Problem('forbidden', { refusal: { code: 'lift-by-other' } });
  const at = timeAfter(engine, stop.at);
  const entry = auditEntry(newId('entry'), at, actorOf(by), { type: 'stop.lifted', stop: id });
  if (!(await engine.stops.lift(stop, user, entry)))
    throw new Problem('not-now', { refusal: { code: 'already-lifted' } });
  return showStop(engine, id);
}
