import { z } from 'zod';
import { changed } from '#people/changes/contract';
import {
  CreatedKey,
  KeyEntry,
  KeyList,
  RotatedKey,
  WaitingKey,
  WaitingRotation,
  type NewKey,
} from '#access/keys/contract/key';
import { orWaiting } from '../../people/changes/changes.ts';
import { address, callApi } from '../../client/call-api.ts';

export const readKeys = (signal: AbortSignal) => callApi('/api/keys', { answer: KeyList, signal });

export const createKey = (body: NewKey) =>
  callApi('/api/keys', { method: 'POST', body, answer: z.union([WaitingKey, changed(CreatedKey)]) });

/** The old key works for 24 more hours. */
export const rotateKey = (kid: string) =>
  callApi(address`/api/keys/${kid}/rotate`, {
    method: 'POST',
    body: {},
    answer: z.union([WaitingRotation, changed(RotatedKey)]),
  });

/** Where it works from then on; none: from anywhere. */
export const changeKey = (kid: string, networks: string[]) =>
  callApi(address`/api/keys/${kid}/networks`, {
    method: 'PUT',
    body: { networks },
    answer: orWaiting(KeyEntry),
  });

export const revokeKey = (kid: string) =>
  callApi(address`/api/keys/${kid}/revoke`, { method: 'POST', answer: KeyEntry });
