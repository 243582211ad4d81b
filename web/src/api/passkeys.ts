import { z } from 'zod';
import { SignedIn, SignedVoteRequest, type BeginSignedVote } from '#protocol/contract/console/console';
import {
  OwnPasskey,
  OwnPasskeys,
  PasskeyCreation,
  PasskeyRequest,
  UserPasskeys,
  type NewPasskey,
  type PasskeyAssertion,
} from '#protocol/contract/users/passkeys';
import { callApi } from './call-api.ts';

export const readPasskeys = (signal: AbortSignal): Promise<OwnPasskeys> =>
  callApi('/api/account/passkeys', { answer: OwnPasskeys, signal });

export const readPasskeysOf = (id: string, signal: AbortSignal): Promise<UserPasskeys> =>
  callApi(`/api/users/${encodeURIComponent(id)}/passkeys`, { answer: UserPasskeys, signal });

export const beginPasskey = (): Promise<PasskeyCreation> =>
  callApi('/api/account/passkeys/begin', { method: 'POST', answer: PasskeyCreation });

export const addPasskey = (body: NewPasskey): Promise<OwnPasskey> =>
  callApi('/api/account/passkeys', { method: 'POST', body, answer: OwnPasskey });

export const removePasskey = (id: string): Promise<null> =>
  callApi(`/api/account/passkeys/${encodeURIComponent(id)}`, { method: 'DELETE', answer: z.null() });

export const beginPasskeySignIn = (): Promise<PasskeyRequest> =>
  callApi('/api/session/passkey/begin', { method: 'POST', answer: PasskeyRequest });

export const signInWithPasskey = (body: PasskeyAssertion): Promise<SignedIn> =>
  callApi('/api/session/passkey', { method: 'POST', body, answer: SignedIn });

export const beginSignedVote = (id: string, body: BeginSignedVote): Promise<SignedVoteRequest> =>
  callApi(`/api/elicitations/${encodeURIComponent(id)}/vote/begin`, {
    method: 'POST',
    body,
    answer: SignedVoteRequest,
  });

export const beginPasskeyConfirmation = (): Promise<PasskeyRequest> =>
  callApi('/api/session/confirm/passkey/begin', { method: 'POST', answer: PasskeyRequest });

export const confirmByPasskey = (body: PasskeyAssertion): Promise<null> =>
  callApi('/api/session/confirm/passkey', { method: 'POST', body, answer: z.null() });
