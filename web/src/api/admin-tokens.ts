import { z } from 'zod';
import {
  AdminTokenList,
  CreatedAdminToken,
  WaitingAdminToken,
  type NewAdminToken,
} from '#protocol/contract/users/admin-token';
import { changed } from '#protocol/contract/users/change';
import { address, callApi } from './call-api.ts';

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
