import { z } from 'zod';
import { SignedIn, type SetPassword, type SetUp, type SignIn } from '../../../src/contract/console/console.ts';
import { isProblemOf } from './api-problem.ts';
import type { ConfirmPassword } from '../../../src/contract/console/deliberation.ts';
import { callApi } from './call-api.ts';

export const signIn = (body: SignIn): Promise<SignedIn> =>
  callApi('/api/session', { method: 'POST', body, answer: SignedIn });

export const setUp = (body: SetUp): Promise<SignedIn> =>
  callApi('/api/setup', { method: 'POST', body, answer: SignedIn });

export const setPassword = (body: SetPassword): Promise<SignedIn> =>
  callApi('/api/password', { method: 'POST', body, answer: SignedIn });

export const signOut = (): Promise<null> => callApi('/api/session', { method: 'DELETE', answer: z.null() });

export const confirmPassword = (body: ConfirmPassword): Promise<null> =>
  callApi('/api/session/confirm', { method: 'POST', body, answer: z.null() });

/** Who is signed in; null for no one. */
export async function readSession(signal: AbortSignal): Promise<SignedIn | null> {
  try {
    return await callApi('/api/session', { answer: SignedIn, signal });
  } catch (error) {
    if (isProblemOf(error, 'unauthenticated')) return null;
    throw error;
  }
}
