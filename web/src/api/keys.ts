import { CreatedKey, KeyEntry, KeyList, type NewKey } from '../../../src/contract/users/key.ts';
import { callApi } from './call-api.ts';

export const readKeys = (signal: AbortSignal): Promise<KeyList> => callApi('/api/keys', { answer: KeyList, signal });

export const createKey = (body: NewKey): Promise<CreatedKey> =>
  callApi('/api/keys', { method: 'POST', body, answer: CreatedKey });

export const revokeKey = (kid: string): Promise<KeyEntry> =>
  callApi(`/api/keys/${encodeURIComponent(kid)}/revoke`, { method: 'POST', answer: KeyEntry });
