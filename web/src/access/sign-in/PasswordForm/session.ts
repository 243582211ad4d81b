import type { SetPassword, SetUp, SignedIn, SignIn } from '#requests/inbox/contract/inbox';
import { isProblemOf } from '../../../client/call-api/api-problem.ts';
import type { ConfirmPassword } from '#requests/deliberation/contract/deliberation';
import { callApi } from '../../../client/call-api/call-api.ts';
import { signInWaysAnswer } from '../../../requests/inbox/plain-answers.ts';

export const signIn = (body: SignIn) =>
  callApi('/api/session', { method: 'POST', body, answer: (answers) => answers.SignedIn });

export const setUp = (body: SetUp): Promise<SignedIn> =>
  confirmed(body, callApi('/api/setup', { method: 'POST', body, answer: (answers) => answers.SignedIn }));

export const setPassword = (body: SetPassword): Promise<SignedIn> =>
  confirmed(body, callApi('/api/password', { method: 'POST', body, answer: (answers) => answers.SignedIn }));

/** A link proves nothing of one's own. A person who has to go on with a second factor need not type the new password twice. */
async function confirmed({ password }: { password: string }, entering: Promise<SignedIn>): Promise<SignedIn> {
  const signedIn = await entering;
  if (signedIn.unfinished) await confirmPassword({ password }).catch(() => null); // else they are asked for it there
  return signedIn;
}

export const readSignInWays = (signal: AbortSignal) => callApi('/api/sign-in', { answer: signInWaysAnswer, signal });

/** Null if the browser need not go anywhere to end a session at a provider. */
export const signOut = () =>
  callApi('/api/session', { method: 'DELETE', answer: (answers) => answers.SignedOut.nullable() });

export const confirmPassword = (body: ConfirmPassword) =>
  callApi('/api/session/confirm', { method: 'POST', body, answer: (answers) => answers.Nothing });

/** Who is signed in; null for no one, which ask-early.js says itself where there is no cookie. */
export async function readSession(signal: AbortSignal): Promise<SignedIn | null> {
  try {
    return await callApi('/api/session', { answer: (answers) => answers.SignedIn.nullable(), signal });
  } catch (error) {
    if (isProblemOf(error, 'unauthenticated')) return null;
    throw error;
  }
}
