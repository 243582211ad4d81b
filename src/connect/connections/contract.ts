import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { AskedProvider, checkResource, Resource } from '../providers/auto.ts';
import { providerKeyPattern, Scopes } from '../providers/scopes.ts';
import { AccessToken, NamedRequester } from '#requests/asking/contract/open';

/** API by which a server gets the account that a person has connected, and its token. */
export const ProviderKey = z.string().regex(providerKeyPattern, 'Use small letters, digits and hyphens.');

const person = { requester: NamedRequester, accessToken: AccessToken.optional() };

export const FindConnection = z
  .strictObject({
    provider: AskedProvider,
    scopes: Scopes.default([]).meta({ description: 'What it must permit, as the provider writes it.' }),
    resource: Resource,
    ...person,
  })
  .superRefine(checkResource)
  .meta({ id: 'FindConnection' });
export type FindConnection = z.input<typeof FindConnection>;

export const Connection = z
  .object({
    id: idText('credential'),
    provider: ProviderKey,
    account: z.object({
      id: z.string(),
      label: z.string().meta({ description: 'What the provider calls the account, such as a user name.' }),
    }),
    scopes: z.array(z.string()),
    hosts: z.array(z.string()).meta({ description: 'The only hosts to which its token may be sent.' }),
  })
  .meta({ id: 'Connection' });
export type Connection = z.infer<typeof Connection>;

export const FoundConnection = z
  .discriminatedUnion('state', [
    z.object({ state: z.literal('stored'), connection: Connection }),
    z.object({
      state: z.enum(['missing', 'refused']).meta({
        description: '`refused`: there is one, and the provider no longer takes it. Ask with `expects`.',
      }),
    }),
  ])
  .meta({ id: 'FoundConnection' });
export type FoundConnection = z.infer<typeof FoundConnection>;

export const UseConnection = z.strictObject(person).meta({ id: 'UseConnection' });
export type UseConnection = z.input<typeof UseConnection>;

export const ConnectionToken = z
  .object({
    token: z.string(),
    lasts: z.int().min(0).meta({
      description: 'Milliseconds for which it may be sent, from when you asked. Disconnecting waits for so long.',
    }),
  })
  .meta({ id: 'ConnectionToken' });
export type ConnectionToken = z.infer<typeof ConnectionToken>;

const params = z.object({ id: idText('credential') });

export const connectionRoutes = {
  findConnection: {
    method: 'post',
    path: '/v1/connections',
    auth: 'key',
    summary: 'The account at this provider that the requester has connected for this server.',
    body: FindConnection,
    success: { 200: FoundConnection },
  },
  useConnection: {
    method: 'post',
    path: '/v1/connections/{id}/token',
    auth: 'key',
    summary: 'A token of this account, renewed if it has to be.',
    params,
    body: UseConnection,
    success: { 200: ConnectionToken },
  },
  refuseConnection: {
    method: 'post',
    path: '/v1/connections/{id}/refused',
    auth: 'key',
    summary: 'Report that the provider did not take the token. It is not given out again.',
    params,
    body: UseConnection,
    success: { 204: null },
  },
  returnFromProvider: {
    method: 'get',
    path: '/providers/{provider}/return',
    auth: 'token',
    summary: 'Where a provider sends people back. It redeems the code only for the browser and the person that left.',
    params: z.object({ provider: z.string() }),
    success: { 200: null, 303: null },
    html: true,
  },
} as const satisfies Record<string, RouteContract>;
