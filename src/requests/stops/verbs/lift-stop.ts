import { auditEntry } from '#audit/entries/rules/entry';
import { assertMayIn } from '#policies/deciding/verbs/rules';
import { newId } from '#platform/crypto/random';
import type { StopId } from '#platform/model/id';
import type { Alone } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { StopRecord } from '../store/stops.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';
import {
  actorOf,
  guardPower,
  issuerOf,
  type Administrator,
  type DirectoryEngine,
  type Scope,
} from '#people/directory/verbs/directory';
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
  const { stop, scope } = await findLiftable(engine, by, id);
  if (stop.stoppedBy === user) throw new Problem('forbidden', { refusal: { code: 'lift-by-other' } });
  if (stop.liftedAt !== null) throw alreadyLifted();
  const { also, alone } = guardPower(engine, by, scope);
  const at = timeAfter(engine, stop.at);
  const entry = auditEntry(newId('entry'), at, actorOf(by), { type: 'stop.lifted', stop: id });
  if (!(await engine.stops.lift(stop, user, entry, also))) throw alreadyLifted();
  return { ...(await showStop(engine, id)), alone: alone() };
}

/** The stop, and what it takes to lift it; of a server of another space no more is said than of an absent one. */
export async function findLiftable(
  { stops, directory }: Pick<Engine, 'stops' | 'directory'>,
  by: Administrator,
  id: StopId,
): Promise<{ stop: StopRecord; scope: Scope }> {
  const [stop, record] = await Promise.all([stops.find(id), directory.read()]);
  const scope: Scope = {
    permission: 'stop-calls',
    space: ({ servers }) => servers.find((server) => server.id === stop?.serverId)?.spaceId,
  };
  assertMayIn(record, by, scope.permission, scope.space(record));
  if (!stop) throw new Problem('not-found');
  return { stop, scope };
}

const alreadyLifted = (): Problem => new Problem('not-now', { refusal: { code: 'already-lifted' } });
