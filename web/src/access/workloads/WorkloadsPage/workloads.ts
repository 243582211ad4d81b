import { z } from 'zod';
import { AddedWorkload, WorkloadList, type NewWorkload } from '#access/workloads/contract';
import { address, callApi } from '../../../client/call-api/call-api.ts';
import { orWaiting } from '../../../people/changes/changes.ts';

export const readWorkloads = (signal: AbortSignal) => callApi('/api/workloads', { answer: WorkloadList, signal });

/** Whose tokens are taken as a key of the server. */
export const addWorkload = (server: string, body: NewWorkload) =>
  callApi(address`/api/servers/${server}/workloads`, {
    method: 'POST',
    body,
    answer: orWaiting(AddedWorkload),
  });

export const removeWorkload = (kid: string) =>
  callApi(address`/api/workloads/${kid}`, { method: 'DELETE', answer: z.null() });
