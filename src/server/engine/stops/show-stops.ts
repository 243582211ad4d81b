import type { StopId, UserId } from '#protocol/model/id';
import type { User } from '#protocol/model/user';
import { maySeeOwned } from '../assert-may.ts';
import { Problem } from '#protocol/model/problem';
import type { StopRecord } from '../../store/elicitation/stops.ts';
import type { Engine } from '../engine.ts';

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
