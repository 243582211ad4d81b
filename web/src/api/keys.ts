import { z } from 'zod';
import { changed } from '#protocol/contract/users/change';
import {
  CreatedKey,
  KeyEntry,
  KeyList,
  RotatedKey,
  WaitingKey,
  WaitingRotation,
  type NewKey,
} from '#protocol/contract/users/key';
import { orWaiting, type Changed } from './changes.ts';
import { callApi } from './call-api.ts';

export const readKeys = (signal: AbortSignal): Promise<KeyList> => callApi('/api/keys', { answer: KeyList, signal });

export const createKey = (body: NewKey): Promise<Changed<CreatedKey> & CreatedKey> =>
  callApi('/api/keys', { method: 'POST', body, answer: z.union([WaitingKey, changed(CreatedKey)]) });

/** The old key works for 24 more hours. */
export const rotateKey = (kid: string): Promise<Changed<RotatedKey> & CreatedKey> =>
  callApi(`/api/keys/${encodeURIComponent(kid)}/rotate`, {
    method: 'POST',
    body: {},
    answer: z.union([WaitingRotation, changed(RotatedKey)]),
  });

/** Where it works from then on; none: from anywhere. */
export const changeKey = (kid: string, networks: string[]): Promise<Changed<KeyEntry>> =>
  callApi(`/api/keys/${encodeURIComponent(kid)}/networks`, {
    method: 'PUT',
    body: { networks },
    answer: orWaiting(KeyEntry),
  });

export const revokeKey = (kid: string): Promise<KeyEntry> =>
  callApi(`/api/keys/${encodeURIComponent(kid)}/revoke`, { method: 'POST', answer: KeyEntry });
