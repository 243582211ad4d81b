import { z } from 'zod';
import { namePattern, nameRule } from '../../model/names.ts';
import { Moment } from '../servers/elicitation.ts';
import { ServerId } from './users.ts';
import type { RouteContract } from '../http/route-contract.ts';

/** What crosses the wire about the keys with which MCP servers ask. */
const Kid = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ id: 'Kid', description: 'What a key is known by: the part of it after asn_. It is no secret.' });

export const KeyEntry = z
  .object({
    kid: Kid,
    server: z.object({ id: ServerId, name: z.string() }),
    createdAt: Moment,
    /** To the minute; null where it never was. */
    lastUsedAt: Moment.nullable(),
    revokedAt: Moment.nullable(),
  })
  .meta({ id: 'KeyEntry' });
export type KeyEntry = z.infer<typeof KeyEntry>;

export const KeyList = z.object({ keys: z.array(KeyEntry) }).meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof KeyList>;

export const NewKey = z
  .strictObject({
    server: z.string().regex(namePattern, nameRule),
  })
  .meta({ id: 'NewKey' });
export type NewKey = z.infer<typeof NewKey>;

export const CreatedKey = z
  .object({ kid: Kid, server: z.string(), key: z.string().meta({ description: 'Shown once, and kept nowhere.' }) })
  .meta({ id: 'CreatedKey' });
export type CreatedKey = z.infer<typeof CreatedKey>;

export const keyRoutes = {
  listKeys: {
    method: 'get',
    path: '/api/keys',
    auth: 'session',
    summary: 'The keys of all MCP servers, without what is secret of them.',
    success: { 200: KeyList },
  },
  createKey: {
    method: 'post',
    path: '/api/keys',
    auth: 'session',
    summary: 'Make a key for a server, which is made where there is none of that name. Administrators only.',
    body: NewKey,
    success: { 201: CreatedKey },
  },
  revokeKey: {
    method: 'post',
    path: '/api/keys/{kid}/revoke',
    auth: 'session',
    summary: 'End a key, at once and for good; what it asked stays. Administrators only.',
    params: z.object({ kid: Kid }),
    success: { 200: KeyEntry },
  },
} as const satisfies Record<string, RouteContract>;
