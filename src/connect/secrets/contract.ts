import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { AccessToken, NamedRequester } from '#requests/asking/contract/open';
import { SecretLabel } from '../providers/expects.ts';

/** API by which a server gets a secret that a person has entered for it on a page of Assentry. */
const person = { requester: NamedRequester, accessToken: AccessToken.optional() };

export const FindSecret = z.strictObject({ label: SecretLabel, ...person }).meta({ id: 'FindSecret' });
export type FindSecret = z.input<typeof FindSecret>;

export const FoundSecret = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('stored'), id: idText('credential') }),
    z.object({
      state: z.enum(['missing', 'refused']).meta({
        description: '`refused`: there is one, and the server has reported that it does not work. Ask with `expects`.',
      }),
    }),
  ])
  .meta({ id: 'FoundSecret' });
export type FoundSecret = z.infer<typeof FoundSecret>;

export const UseSecret = z.strictObject(person).meta({ id: 'UseSecret' });
export type UseSecret = z.input<typeof UseSecret>;

export const SecretText = z
  .object({
    secret: z.string(),
    lasts: z.int().min(0).meta({
      description: 'Milliseconds for which it may be sent, from when you asked. Removing it waits for so long.',
    }),
  })
  .meta({ id: 'SecretText' });
export type SecretText = z.infer<typeof SecretText>;

const params = z.object({ id: idText('credential') });

export const secretRoutes = {
  findSecret: {
    method: 'post',
    path: '/v1/secrets',
    auth: 'key',
    summary: 'The secret of this label that the requester has entered for this server, and keeps until they remove it.',
    body: FindSecret,
    success: { 200: FoundSecret },
  },
  useSecret: {
    method: 'post',
    path: '/v1/secrets/{id}/text',
    auth: 'key',
    summary: 'The text of this secret, for its server and its person alone.',
    params,
    body: UseSecret,
    success: { 200: SecretText },
  },
  refuseSecret: {
    method: 'post',
    path: '/v1/secrets/{id}/refused',
    auth: 'key',
    summary: 'Report that the secret does not work. It is not given out again.',
    params,
    body: UseSecret,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
