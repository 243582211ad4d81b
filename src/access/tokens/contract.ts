import { z } from 'zod';
import { networkPattern, networkRule } from '#platform/model/names';
import { tokenPermissions } from '#people/directory/contract/permission';
import { Moment, visibleLine } from '#requests/asking/contract/open';
import { changed, WaitingChange } from '#people/changes/contract';
import { NamedUser } from '#people/users/contract';
import type { RouteContract } from '#platform/http/contract/route';

/** The API of the tokens by which programs administer. */
const Kid = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ id: 'AdminTokenId', description: 'The id of a token: the part after asnadm_. It is not secret.' });

const permissions = z.array(z.enum(tokenPermissions)).min(1).meta({
  description:
    'What it may do, of what its maker may. It never decides, and what needs a second administrator waits for one.',
});
const networks = z.array(z.string().regex(networkPattern, networkRule)).max(100).meta({
  description: 'The networks it works from, in CIDR notation; none: from anywhere.',
});

const AdminTokenEntry = z
  .object({
    kid: Kid,
    name: z.string(),
    permissions,
    networks,
    createdAt: Moment,
    expiresAt: Moment,
    revokedAt: Moment.nullable(),
    /** To the minute; null if it was never used. */
    lastUsedAt: Moment.nullable(),
    maker: NamedUser.extend({ disabled: z.boolean() })
      .nullable()
      .meta({ description: 'Who made it and saw it; it opens nothing while they are disabled.' }),
  })
  .meta({ id: 'AdminTokenEntry' });
export type AdminTokenEntry = z.infer<typeof AdminTokenEntry>;

export const AdminTokenList = z.object({ tokens: z.array(AdminTokenEntry) }).meta({ id: 'AdminTokenList' });
export type AdminTokenList = z.infer<typeof AdminTokenList>;

const NewAdminToken = z
  .strictObject({
    name: visibleLine(100).min(1, 'Give a name.'),
    permissions,
    networks: networks.optional().meta({ description: 'Without it, from anywhere.' }),
    expiresAt: Moment.optional().meta({ description: 'Without it, in 90 days; within 365 days.' }),
  })
  .meta({ id: 'NewAdminToken' });
export type NewAdminToken = z.input<typeof NewAdminToken>;

export const CreatedAdminToken = z
  .object({ kid: Kid, name: z.string(), token: z.string().meta({ description: 'Shown once, and stored nowhere.' }) })
  .meta({ id: 'CreatedAdminToken' });
export type CreatedAdminToken = z.infer<typeof CreatedAdminToken>;

/** A token that opens nothing until a second administrator has accepted it. */
export const WaitingAdminToken = WaitingChange.extend(CreatedAdminToken.shape).meta({ id: 'WaitingAdminToken' });
export type WaitingAdminToken = z.infer<typeof WaitingAdminToken>;

export const adminTokenRoutes = {
  listAdminTokens: {
    method: 'get',
    path: '/api/admin-tokens',
    auth: 'session',
    permission: 'change-directory',
    summary: 'The tokens by which programs administer, without their secrets.',
    success: { 200: AdminTokenList },
  },
  createAdminToken: {
    method: 'post',
    path: '/api/admin-tokens',
    auth: 'session',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Create a token for a program. Two administrators decide it.',
    body: NewAdminToken,
    success: { 201: changed(CreatedAdminToken), 202: WaitingAdminToken },
  },
  revokeAdminToken: {
    method: 'post',
    path: '/api/admin-tokens/{kid}/revoke',
    auth: 'session',
    permission: 'change-directory',
    proof: 'none',
    summary: 'Revoke a token at once and permanently.',
    params: z.object({ kid: Kid }),
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
