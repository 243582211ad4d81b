import type { StopId, UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { maySeeOwned } from '#policies/deciding/verbs/rules';
import { Problem } from '#platform/model/problem';
import type { StopRecord } from '../store/stops.ts';
import type { Engine } from '#platform/nodes/verbs/engine';

type Reading = Pick<Engine, 'stops'>;

const shownStops = 200;

/** All stops, those in force first; for a person, without those of servers that they do not see. */
export async function listStops(
  { stops, directory }: Reading & Pick<Engine, 'directory'>,
  reader: User | 'operator',
): Promise<ShownStop[]> {
  const [all, record] = await Promise.all([stops.list(shownStops), directory.read()]);
  const isSeen = ({ serverId }: StopRecord): boolean => {
    const server = record.servers.find(({ id }) => id === serverId);
    return reader === 'operator' || !server || maySeeOwned(record, reader, server);
  };
  return all.filter(isSeen).map(toShownStop);
}

export async function showStop({ stops }: Reading, id: StopId): Promise<ShownStop> {
  const stop = await stops.find(id);
  if (!stop) throw new Problem('not-found');
  return toShownStop(stop);
}

export type ShownStop = ReturnType<typeof toShownStop>;

/** A person of null is the operator. */
const toShownStop = (stop: StopRecord) => ({
  id: stop.id,
  server: stop.serverName,
  tool: stop.tool,
  reason: stop.reason,
  by: named(stop.stoppedBy, stop.stoppedByName),
  at: stop.at,
  lifted: stop.liftedAt === null ? null : { by: named(stop.liftedBy, stop.liftedByName), at: stop.liftedAt },
});

const named = (id: UserId | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
