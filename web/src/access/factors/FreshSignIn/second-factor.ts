import { z } from 'zod';
import {
  BegunTotp,
  OwnTotp,
  RecoveryCodes,
  type ConfirmByCode,
  type NewTotp,
} from '#access/factors/contract/second-factor';
import { callApi } from '../../../client/call-api/call-api.ts';

export const readTotp = (signal: AbortSignal) => callApi('/api/account/totp', { answer: OwnTotp, signal });

export const beginTotp = () => callApi('/api/account/totp/begin', { method: 'POST', answer: BegunTotp });

export const addTotp = (body: NewTotp) => callApi('/api/account/totp', { method: 'POST', body, answer: RecoveryCodes });

export const removeTotp = () => callApi('/api/account/totp', { method: 'DELETE', answer: z.null() });

export const renewRecoveryCodes = () =>
  callApi('/api/account/recovery-codes', { method: 'POST', answer: RecoveryCodes });

export const confirmByCode = (body: ConfirmByCode) =>
  callApi('/api/session/confirm/code', { method: 'POST', body, answer: z.null() });
