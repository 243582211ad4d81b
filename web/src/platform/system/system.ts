import { SystemState } from '#platform/nodes/contract/ready';
import { callApi } from '../../client/call-api.ts';

export const readSystem = (signal: AbortSignal) => callApi('/api/system', { answer: SystemState, signal });
