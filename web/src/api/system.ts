import { SystemState } from '#protocol/contract/ready';
import { callApi } from './call-api.ts';

export const readSystem = (signal: AbortSignal) => callApi('/api/system', { answer: SystemState, signal });
