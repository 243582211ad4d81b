import { Grant, GrantList } from '#requests/grants/contract';
import { address, callApi } from '../../client/call-api.ts';

export const readGrants = (signal: AbortSignal) => callApi('/api/grants', { answer: GrantList, signal });

export const revokeGrant = (id: string): Promise<Grant> => step(id, 'revoke');

export const reviewGrant = (id: string): Promise<Grant> => step(id, 'review');

const step = (id: string, verb: string): Promise<Grant> =>
  callApi(address`/api/grants/${id}/${verb}`, { method: 'POST', answer: Grant });
