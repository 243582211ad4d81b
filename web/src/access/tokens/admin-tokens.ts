import { z } from 'zod';
import { AdminTokenList, CreatedAdminToken, WaitingAdminToken, type NewAdminToken } from '#access/tokens/contract';
import { changed } from '#people/changes/contract';
import { address, callApi } from '../../client/call-api.ts';

export const readAdminTokens = (signal: AbortSignal) =>
  callApi('/api/admin-tokens', { answer: AdminTokenList, signal });

export const createAdminToken = (body: NewAdminToken) =>
  callApi('/api/admin-tokens', {
    method: 'POST',
    body,
    answer: z.union([WaitingAdminToken, changed(CreatedAdminToken)]),
  });

export const revokeAdminToken = (kid: string) =>
  callApi(address`/api/admin-tokens/${kid}/revoke`, { method: 'POST', answer: z.null() });
