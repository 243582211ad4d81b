import { SystemState } from '#protocol/contract/ready';
import { callApi } from './call-api.ts';

export const readSystem = (signal: AbortSignal): Promise<SystemState> =>
  callApi('/api/system', { answer: SystemState, signal });
