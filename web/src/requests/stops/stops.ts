import { MadeStop, Stop, StopList, type MakeStop } from '#requests/stops/contract/stops';
import { orWaiting } from '../../people/changes/changes.ts';
import { address, callApi } from '../../client/call-api.ts';

export const readStops = (signal: AbortSignal) => callApi('/api/stops', { answer: StopList, signal });

export const makeStop = (body: MakeStop) => callApi('/api/stops', { method: 'POST', body, answer: MadeStop });

export const liftStop = (id: string) =>
  callApi(address`/api/stops/${id}/lift`, { method: 'POST', answer: orWaiting(Stop) });
