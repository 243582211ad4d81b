import { z } from 'zod';
import { SignedIn, SignedVoteRequest, type BeginSignedVote } from '#requests/inbox/contract/inbox';
import {
  OwnPasskey,
  OwnPasskeys,
  PasskeyCreation,
  PasskeyRequest,
  UserPasskeys,
  type NewPasskey,
  type PasskeyAssertion,
} from '#access/passkeys/contract/passkeys';
import { address, callApi } from '../../client/call-api.ts';

export const readPasskeys = (signal: AbortSignal) => callApi('/api/account/passkeys', { answer: OwnPasskeys, signal });

export const readPasskeysOf = (id: string, signal: AbortSignal) =>
  callApi(address`/api/users/${id}/passkeys`, { answer: UserPasskeys, signal });

export const beginPasskey = () => callApi('/api/account/passkeys/begin', { method: 'POST', answer: PasskeyCreation });

export const addPasskey = (body: NewPasskey) =>
  callApi('/api/account/passkeys', { method: 'POST', body, answer: OwnPasskey });

export const removePasskey = (id: string) =>
  callApi(address`/api/account/passkeys/${id}`, { method: 'DELETE', answer: z.null() });

export const beginPasskeySignIn = () =>
  callApi('/api/session/passkey/begin', { method: 'POST', answer: PasskeyRequest });

export const signInWithPasskey = (body: PasskeyAssertion) =>
  callApi('/api/session/passkey', { method: 'POST', body, answer: SignedIn });

export const beginSignedVote = (id: string, body: BeginSignedVote) =>
  callApi(address`/api/elicitations/${id}/vote/begin`, {
    method: 'POST',
    body,
    answer: SignedVoteRequest,
  });

export const beginPasskeyConfirmation = () =>
  callApi('/api/session/confirm/passkey/begin', { method: 'POST', answer: PasskeyRequest });

export const confirmByPasskey = (body: PasskeyAssertion) =>
  callApi('/api/session/confirm/passkey', { method: 'POST', body, answer: z.null() });
