import { z } from 'zod';
import {
  BegunTotp,
  OwnTotp,
  RecoveryCodes,
  type ConfirmByCode,
  type NewTotp,
} from '#protocol/contract/users/second-factor';
import { callApi } from './call-api.ts';

export const readTotp = (signal: AbortSignal): Promise<OwnTotp> =>
  callApi('/api/account/totp', { answer: OwnTotp, signal });

export const beginTotp = (): Promise<BegunTotp> =>
  callApi('/api/account/totp/begin', { method: 'POST', answer: BegunTotp });

export const addTotp = (body: NewTotp): Promise<RecoveryCodes> =>
  callApi('/api/account/totp', { method: 'POST', body, answer: RecoveryCodes });

export const removeTotp = (): Promise<null> => callApi('/api/account/totp', { method: 'DELETE', answer: z.null() });

export const renewRecoveryCodes = (): Promise<RecoveryCodes> =>
  callApi('/api/account/recovery-codes', { method: 'POST', answer: RecoveryCodes });

export const confirmByCode = (body: ConfirmByCode): Promise<null> =>
  callApi('/api/session/confirm/code', { method: 'POST', body, answer: z.null() });
