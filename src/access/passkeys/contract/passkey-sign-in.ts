import { signInSteps } from '../../factors/contract/factor-rule.ts';
import type { RouteContract } from '#platform/http/contract/route';
import { PasskeyAssertion, PasskeyRequest } from './passkeys.ts';
import { SignedIn } from '#requests/inbox/contract/inbox';

/** The API with which people prove who they are by a passkey. */
export const passkeySignInRoutes = {
  beginPasskeySignIn: {
    method: 'post',
    path: '/api/session/passkey/begin',
    auth: 'none',
    summary: 'Begin to sign in with a passkey; a cookie binds what is to be signed to this browser.',
    success: { 200: PasskeyRequest },
  },
  signInWithPasskey: {
    method: 'post',
    path: '/api/session/passkey',
    auth: 'none',
    summary: 'Sign in with what a passkey signed.',
    body: PasskeyAssertion,
    success: { 200: SignedIn },
  },
  beginPasskeyConfirmation: {
    method: 'post',
    path: '/api/session/confirm/passkey/begin',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: signInSteps,
    summary: 'Begin to prove by a passkey who you are, for actions that need a fresh sign-in.',
    success: { 200: PasskeyRequest },
  },
  confirmByPasskey: {
    method: 'post',
    path: '/api/session/confirm/passkey',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: signInSteps,
    summary: 'Prove by a passkey who you are, for actions that need a fresh sign-in.',
    body: PasskeyAssertion,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
