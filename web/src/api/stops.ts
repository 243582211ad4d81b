import { MadeStop, Stop, StopList, type MakeStop } from '#protocol/contract/console/stop';
import { orWaiting, type Changed } from './changes.ts';
import { callApi } from './call-api.ts';

export const readStops = (signal: AbortSignal): Promise<StopList> =>
  callApi('/api/stops', { answer: StopList, signal });

export const makeStop = (body: MakeStop): Promise<MadeStop> =>
  callApi('/api/stops', { method: 'POST', body, answer: MadeStop });

export const liftStop = (id: string): Promise<Changed<Stop>> =>
  callApi(`/api/stops/${encodeURIComponent(id)}/lift`, { method: 'POST', answer: orWaiting(Stop) });
