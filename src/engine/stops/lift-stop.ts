import { auditEntry } from '../../audit/entry.ts';
import { assertMayIn } from '../assert-may.ts';
import { newId } from '../../crypto/random.ts';
import type { StopId } from '../../model/id.ts';
import type { Alone } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';
import type { Engine } from '../engine.ts';
import { timeAfter } from '../time-after.ts';
import {
  actorOf,
  guardPower,
  issuerOf,
  type Administrator,
  type DirectoryEngine,
  type Scope,
} from '../users/change-directory.ts';
import { showStop, type ShownStop } from './show-stops.ts';

/**
 * Lifts a stop. Someone else than the one who made the stop does it: problem `forbidden` for them, `not-now` if it is
 * already lifted. The operator's terminal counts as one person.
 */
export async function liftStop(
  engine: Pick<Engine, 'stops'> & DirectoryEngine,
  by: Administrator,
  id: StopId,
): Promise<ShownStop & { alone: Alone | null }> {
  const user = issuerOf(by);
  const [stop, directory] = await Promise.all([engine.stops.find(id), engine.directory.read()]);
  const scope: Scope = {
    permission: 'stop-calls',
    space: ({ servers }) => servers.find((server) => server.id === stop?.serverId)?.spaceId,
  };
  assertMayIn(directory, by, 'stop-calls', scope.space(directory));
  if (!stop) throw new Problem('not-found');
  if (stop.stoppedBy === user) throw new Problem('forbidden', { refusal: { code: 'lift-by-other' } });
  if (stop.liftedAt !== null) throw alreadyLifted();
  const { also, alone } = guardPower(engine, by, scope);
  const at = timeAfter(engine, stop.at);
  const entry = auditEntry(newId('entry'), at, actorOf(by), { type: 'stop.lifted', stop: id });
  if (!(await engine.stops.lift(stop, user, entry, also))) throw alreadyLifted();
  return { ...(await showStop(engine, id)), alone: alone() };
}

const alreadyLifted = (): Problem => new Problem('not-now', { refusal: { code: 'already-lifted' } });
