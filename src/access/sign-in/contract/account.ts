import { z } from 'zod';
import { assurances, secondFactors, signInMethods } from './authentication.ts';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment } from '#requests/asking/contract/open';

/** The API with which people look after their own account. */
const OwnSession = z
  .object({
    id: idText('session'),
    isThis: z.boolean().meta({ description: 'Is it the one that asks?' }),
    agent: z.string().meta({ description: 'The browser as it named itself at the sign-in.' }),
    address: z.string().meta({ description: 'Where the sign-in came from; of IPv6 the network.' }),
    provider: z.string().nullable().meta({ description: 'The identity provider at which the sign-in was.' }),
    method: z.enum(signInMethods).meta({ description: 'How you last proved who you are.' }),
    secondFactor: z.enum(secondFactors).nullable().meta({ description: 'What you proved after it.' }),
    assurance: z.enum(assurances).meta({ description: 'How much that is.' }),
    signedInAt: Moment,
    lastSeenAt: Moment.meta({ description: 'To the minute.' }),
    expiresAt: Moment,
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = z.infer<typeof OwnSession>;

export const OwnSessions = z.object({ sessions: z.array(OwnSession) }).meta({ id: 'OwnSessions' });
export type OwnSessions = z.infer<typeof OwnSessions>;

const EndedSessions = z.object({ count: z.int().min(0) }).meta({ id: 'EndedSessions' });

const ChangePassword = z
  .strictObject({ current: z.string().min(1).max(256), password: z.string().min(1).max(256) })
  .meta({ id: 'ChangePassword' });
export type ChangePassword = z.infer<typeof ChangePassword>;

const OwnCredential = z
  .object({
    id: idText('credential'),
    server: z.string(),
    storedAt: Moment,
    usedAt: Moment.nullable().meta({ description: 'When the gateway, or the server of a connection, first got it.' }),
    refusedAt: Moment.nullable().meta({
      description: 'When the server, or the provider of a connection, did not take it.',
    }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'What a tool calls a secret that it has asked for; null otherwise.' }),
    connection: z
      .object({ provider: z.string(), account: z.string(), scopes: z.array(z.string()) })
      .nullable()
      .meta({ description: 'The connected account at a provider; null for a secret that you entered.' }),
  })
  .meta({ id: 'OwnCredential' });
export type OwnCredential = z.infer<typeof OwnCredential>;

const OwnCredentials = z.object({ credentials: z.array(OwnCredential) }).meta({ id: 'OwnCredentials' });

const ReplaceCredential = z.strictObject({ secret: z.string().min(1).max(4096) }).meta({ id: 'ReplaceCredential' });

const ownCredential = z.object({ id: idText('credential') });

export const accountRoutes = {
  listCredentials: {
    method: 'get',
    path: '/api/account/credentials',
    auth: 'session',
    permission: null,
    summary: 'For which servers you have entered credentials or connected accounts. Secrets are never shown.',
    success: { 200: OwnCredentials },
  },
  replaceCredential: {
    method: 'post',
    path: '/api/account/credentials/{id}',
    auth: 'session',
    permission: null,
    proof: 'fresh',
    summary: 'Replace your credentials for a server.',
    params: ownCredential,
    body: ReplaceCredential,
    success: { 204: null },
  },
  removeCredential: {
    method: 'delete',
    path: '/api/account/credentials/{id}',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Remove your credentials for a server.',
    params: ownCredential,
    success: { 204: null },
  },
  listSessions: {
    method: 'get',
    path: '/api/account/sessions',
    auth: 'session',
    permission: null,
    summary: 'Where you are signed in, the latest use first.',
    success: { 200: OwnSessions },
  },
  endSession: {
    method: 'delete',
    path: '/api/account/sessions/{id}',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Sign out one of your browsers.',
    params: z.object({ id: idText('session') }),
    success: { 204: null },
  },
  endOtherSessions: {
    method: 'delete',
    path: '/api/account/sessions',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'Sign out all of your browsers but this one.',
    success: { 200: EndedSessions },
  },
  changePassword: {
    method: 'post',
    path: '/api/account/password',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    summary: 'Change your password. Your other sessions, links and notifications in browsers end.',
    body: ChangePassword,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
