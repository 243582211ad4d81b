import { z } from 'zod';
import { acrPattern } from '#people/directory/contract/presence';
import { passwordRules, providerKeyPattern } from './identity-provider.ts';
import { signInSteps } from '../../factors/contract/factor-rule.ts';
import { Moment, storable } from '#requests/asking/contract/open';
import type { RouteContract } from '#platform/http/contract/route';

/** The API with which people sign in at an identity provider of their company. */
const params = z.object({ provider: z.string().regex(providerKeyPattern) });

export const NamedProvider = z.object({ key: z.string(), name: z.string() }).meta({ id: 'NamedProvider' });
export type NamedProvider = z.infer<typeof NamedProvider>;

export const SignInWays = z
  .object({
    providers: z.array(NamedProvider),
    passwords: z.enum(passwordRules).meta({ description: 'Who may sign in with a password.' }),
  })
  .meta({ id: 'SignInWays' });
export type SignInWays = z.infer<typeof SignInWays>;

const BeginSignIn = z
  .strictObject({ returnTo: z.string().max(2000).meta({ description: 'A path of the console, to go on at.' }) })
  .meta({ id: 'BeginSignIn' });

const BeginConfirmation = BeginSignIn.extend({
  acr: z
    .string()
    .regex(acrPattern)
    .optional()
    .meta({ description: 'What the provider is asked to vouch for, as a policy needs it.' }),
}).meta({ id: 'BeginConfirmation' });

export const SignInLocation = z
  .object({ location: z.string().meta({ description: 'Where the browser goes next.' }) })
  .meta({ id: 'SignInLocation' });
export type SignInLocation = z.infer<typeof SignInLocation>;

const OwnProviders = z
  .object({
    providers: z.array(
      NamedProvider.extend({
        connectedAt: Moment.nullable().meta({ description: 'Null if it is not connected.' }),
        lastUsedAt: Moment.nullable(),
      }),
    ),
  })
  .meta({ id: 'OwnProviders' });

export const SignedOut = z
  .object({ location: z.string().meta({ description: 'Where the browser goes to end the session of the provider.' }) })
  .meta({ id: 'SignedOut' });
export type SignedOut = z.infer<typeof SignedOut>;

export const providerRoutes = {
  listSignInWays: {
    method: 'get',
    path: '/api/sign-in',
    auth: 'none',
    summary: 'How people sign in here.',
    success: { 200: SignInWays },
  },
  beginSignIn: {
    method: 'post',
    path: '/api/sign-in/{provider}',
    auth: 'none',
    summary: 'Begin to sign in at an identity provider. The browser keeps a cookie for ten minutes.',
    params,
    body: BeginSignIn,
    success: { 200: SignInLocation },
  },
  beginConfirmation: {
    method: 'post',
    path: '/api/sign-in/{provider}/confirm',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: signInSteps,
    summary: 'Begin to prove again who you are, at the identity provider.',
    params,
    body: BeginConfirmation,
    success: { 200: SignInLocation },
  },
  connectProvider: {
    method: 'post',
    path: '/api/sign-in/{provider}/connect',
    auth: 'session',
    permission: null,
    proof: 'every-factor',
    summary:
      'Begin to connect an identity provider with yourself, after you have proven who you are in the last ten minutes.',
    params,
    body: BeginSignIn,
    success: { 200: SignInLocation },
  },
  listOwnProviders: {
    method: 'get',
    path: '/api/account/providers',
    auth: 'session',
    permission: null,
    summary: 'The identity providers, and which of them you have connected.',
    success: { 200: OwnProviders },
  },
  removeProvider: {
    method: 'delete',
    path: '/api/account/providers/{provider}',
    auth: 'session',
    permission: null,
    proof: 'every-factor',
    summary:
      'Sign in with this identity provider no more, after you have proven who you are in the last ten minutes. Sessions that were started with it end.',
    params,
    success: { 204: null },
  },
  completeSignIn: {
    method: 'get',
    path: '/api/sign-in/{provider}/callback',
    auth: 'token',
    summary:
      'An identity provider sends a person back. Works once, in the browser that began; goes on at a page of the console.',
    params,
    success: { 303: null },
  },
  takeLogoutToken: {
    method: 'post',
    path: '/api/sign-in/{provider}/back-channel-logout',
    auth: 'token',
    summary:
      'An identity provider says by a signed token that sessions have ended (OpenID Connect Back-Channel Logout 1.0).',
    params,
    body: z.object({ logout_token: z.string() }),
    success: { 200: null },
    form: true,
  },
  takeFrontLogout: {
    method: 'get',
    path: '/api/sign-in/{provider}/front-channel-logout',
    auth: 'token',
    summary:
      'An identity provider names a session that has ended, in a frame (OpenID Connect Front-Channel Logout 1.0).',
    params,
    query: z.object({ iss: z.string().max(512), sid: storable(512).min(1) }),
    success: { 200: null },
  },
} as const satisfies Record<string, RouteContract>;
