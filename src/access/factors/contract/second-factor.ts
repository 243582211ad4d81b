import { z } from 'zod';
import { signInSteps } from './factor-rule.ts';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment } from '#requests/asking/contract/open';

/** The API with which people look after their authenticator app, and prove with it who they are. */
export const OwnTotp = z
  .object({
    totp: z
      .object({ addedAt: Moment, recoveryCodes: z.int().min(0).meta({ description: 'How many are left.' }) })
      .nullable()
      .meta({ description: 'Null if you have none.' }),
  })
  .meta({ id: 'OwnTotp' });
export type OwnTotp = z.infer<typeof OwnTotp>;

export const BegunTotp = z
  .object({
    secret: z.string().meta({ description: 'Base32, to type into an app.' }),
    uri: z.string().meta({ description: 'For a QR code: the key URI that apps read.' }),
    enrolment: z.string().meta({ description: 'Sealed; comes back with the code, within ten minutes.' }),
  })
  .meta({ id: 'BegunTotp' });
export type BegunTotp = z.infer<typeof BegunTotp>;

const code = z.string().trim().min(1).max(40);

const NewTotp = z
  .strictObject({ enrolment: z.string().min(1).max(1000), code: code.meta({ description: 'That the app shows now.' }) })
  .meta({ id: 'NewTotp' });

export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).meta({ description: 'Each works once; they are never shown again.' }) })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

const ConfirmByCode = z
  .strictObject({ code: code.meta({ description: 'Of your authenticator app, or a recovery code.' }) })
  .meta({ id: 'ConfirmByCode' });

const whileEnrolling = ['enrol-factor'] as const;

export const secondFactorRoutes = {
  showTotp: {
    method: 'get',
    path: '/api/account/totp',
    auth: 'session',
    permission: null,
    summary: 'Your authenticator app, and how many recovery codes are left.',
    success: { 200: OwnTotp },
  },
  beginTotp: {
    method: 'post',
    path: '/api/account/totp/begin',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: whileEnrolling,
    summary: 'Begin to add an authenticator app; needs a sign-in of the last ten minutes. The secret is shown once.',
    success: { 200: BegunTotp },
  },
  addTotp: {
    method: 'post',
    path: '/api/account/totp',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: whileEnrolling,
    summary: 'Add the authenticator app that makes this code. The recovery codes are shown once.',
    body: NewTotp,
    success: { 201: RecoveryCodes },
  },
  removeTotp: {
    method: 'delete',
    path: '/api/account/totp',
    auth: 'session',
    permission: null,
    proof: 'every-factor',
    summary: 'Remove your authenticator app; needs a sign-in with two factors of the last ten minutes.',
    success: { 204: null },
  },
  renewRecoveryCodes: {
    method: 'post',
    path: '/api/account/recovery-codes',
    auth: 'session',
    permission: null,
    proof: 'every-factor',
    summary: 'Replace your recovery codes; needs a sign-in with two factors of the last ten minutes.',
    success: { 200: RecoveryCodes },
  },
  confirmByCode: {
    method: 'post',
    path: '/api/session/confirm/code',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: signInSteps,
    summary: 'Prove a second factor by a code of your authenticator app, or by a recovery code.',
    body: ConfirmByCode,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
