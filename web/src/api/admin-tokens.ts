import { z } from 'zod';
import {
  AdminTokenList,
  CreatedAdminToken,
  WaitingAdminToken,
  type NewAdminToken,
} from '#protocol/contract/users/admin-token';
import { changed } from '#protocol/contract/users/change';
import type { Changed } from './changes.ts';
import { callApi } from './call-api.ts';

export const readAdminTokens = (signal: AbortSignal): Promise<AdminTokenList> =>
  callApi('/api/admin-tokens', { answer: AdminTokenList, signal });

export const createAdminToken = (body: NewAdminToken): Promise<Changed<CreatedAdminToken> & CreatedAdminToken> =>
  callApi('/api/admin-tokens', {
    method: 'POST',
    body,
    answer: z.union([WaitingAdminToken, changed(CreatedAdminToken)]),
  });

export const revokeAdminToken = (kid: string): Promise<null> =>
  callApi(`/api/admin-tokens/${encodeURIComponent(kid)}/revoke`, { method: 'POST', answer: z.null() });
