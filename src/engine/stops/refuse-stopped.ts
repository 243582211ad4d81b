import type { ServerId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import { isInScope } from '../../model/stop.ts';
import type { StopRecord } from '../../store/elicitation/stops.ts';

/** Problem `stopped` if one of these reaches this tool of this server; the outside hears the administrator's reason. */
export function refuseStopped(stops: readonly StopRecord[], call: { serverId: ServerId; tool: string }): void {
  const stop = stops.find((one) => isInScope(one, call));
  if (stop)
    throw new Problem('stopped', { detail: `Wait until it is lifted: an administrator stopped this. ${stop.reason}` });
}
