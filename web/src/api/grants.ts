import { Grant, GrantList } from '#protocol/contract/console/grant';
import { address, callApi } from './call-api.ts';

export const readGrants = (signal: AbortSignal) => callApi('/api/grants', { answer: GrantList, signal });

export const revokeGrant = (id: string): Promise<Grant> => step(id, 'revoke');

export const reviewGrant = (id: string): Promise<Grant> => step(id, 'review');

const step = (id: string, verb: string): Promise<Grant> =>
  callApi(address`/api/grants/${id}/${verb}`, { method: 'POST', answer: Grant });
