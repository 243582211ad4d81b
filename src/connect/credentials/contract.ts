import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment } from '#requests/asking/contract/open';
import { TokenParams } from '#requests/pages/contract';

/** API by which a gateway gets a person's credentials for a server, and the page to enter them. */
const AccessToken = z.string().min(1).max(16_384).meta({
  description: 'The access token with which the person came. Assentry checks it, and neither stores nor logs it.',
});

export const FindCredential = z
  .strictObject({
    accessToken: AccessToken,
    link: z.boolean().default(true).meta({ description: 'Make a link if they have to be entered?' }),
  })
  .meta({ id: 'FindCredential' });
export type FindCredential = z.input<typeof FindCredential>;

export const PersonalCredential = z
  .discriminatedUnion('state', [
    z.object({
      state: z.literal('stored'),
      id: idText('credential'),
      secret: z.string(),
      lasts: z.int().min(0).meta({
        description: 'Milliseconds for which it may be sent, from when you asked. Removing it waits for so long.',
      }),
    }),
    z.object({
      state: z.enum(['missing', 'refused']),
      link: z
        .object({ url: z.string(), expiresAt: Moment })
        .nullable()
        .meta({ description: 'Where the person enters them, once.' }),
    }),
  ])
  .meta({ id: 'PersonalCredential' });
export type PersonalCredential = z.infer<typeof PersonalCredential>;

export const RefuseCredential = z.strictObject({ accessToken: AccessToken }).meta({ id: 'RefuseCredential' });
export type RefuseCredential = z.input<typeof RefuseCredential>;

/** Form of the page, in the browsers' encoding. */
export const CredentialForm = z
  .looseObject({
    action: z.enum(['prove', 'store']),
    proof: z.string().max(64),
    secret: z.string().max(8192).optional(),
  })
  .meta({ id: 'CredentialForm' });

export const credentialRoutes = {
  findCredential: {
    method: 'post',
    path: '/v1/credentials',
    auth: 'key',
    summary: 'What this server is shown in the name of a person, or a link with which they enter it.',
    body: FindCredential,
    success: { 200: PersonalCredential },
  },
  refuseCredential: {
    method: 'post',
    path: '/v1/credentials/{id}/refused',
    auth: 'key',
    summary: 'Report that the server did not take these credentials. They are not given out again.',
    params: z.object({ id: idText('credential') }),
    body: RefuseCredential,
    success: { 204: null },
  },
  showCredentialPage: {
    method: 'get',
    path: '/credentials/{token}',
    auth: 'token',
    summary: 'The page on which a person enters their credentials for a server. It shows nothing before they sign in.',
    params: TokenParams,
    success: { 200: null },
    html: true,
  },
  storeCredential: {
    method: 'post',
    path: '/credentials/{token}',
    auth: 'token',
    summary: 'Prove that the link is for you, then store your credentials, once. They are never shown again.',
    params: TokenParams,
    body: CredentialForm,
    success: { 200: null },
    html: true,
  },
} as const satisfies Record<string, RouteContract>;
