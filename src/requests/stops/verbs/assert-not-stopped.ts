import type { ServerId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { isInScope } from '../contract/stop.ts';
import type { StopRecord } from '../store/stops.ts';

/** Throws problem `stopped` if a stop covers this tool of this server; callers get the administrator's reason. */
export function assertNotStopped(stops: readonly StopRecord[], call: { serverId: ServerId; tool: string }): void {
  const stop = stops.find((stop) => isInScope(stop, call));
  if (stop)
    throw new Problem('stopped', { detail: `Wait until an administrator lifts the stop. Its reason: ${stop.reason}` });
}
