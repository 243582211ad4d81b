import { z } from 'zod';
import { AddedWorkload, WorkloadList, type NewWorkload } from '#protocol/contract/users/workload';
import { callApi } from './call-api.ts';
import { orWaiting, type Changed } from './changes.ts';

export const readWorkloads = (signal: AbortSignal): Promise<WorkloadList> =>
  callApi('/api/workloads', { answer: WorkloadList, signal });

/** Whose tokens are taken as a key of the server. */
export const addWorkload = (server: string, body: NewWorkload): Promise<Changed<AddedWorkload>> =>
  callApi(`/api/servers/${encodeURIComponent(server)}/workloads`, {
    method: 'POST',
    body,
    answer: orWaiting(AddedWorkload),
  });

export const removeWorkload = (kid: string): Promise<null> =>
  callApi(`/api/workloads/${encodeURIComponent(kid)}`, { method: 'DELETE', answer: z.null() });
