import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import { ElicitationId, Moment } from '../asking/contract/open.ts';
import { NamedUser } from '#people/users/contract';
import type { RouteContract } from '#platform/http/contract/route';

/** The API of standing approvals. */
const GrantId = idText('grant').meta({ id: 'GrantId' });

export const Grant = z
  .object({
    id: GrantId,
    server: z.string(),
    tool: z.string(),
    /** name@version */
    policy: z.string(),
    /** The approval it came from. */
    elicitation: ElicitationId,
    by: NamedUser,
    isHidden: z.boolean().meta({
      description:
        'Whether what it is bound to is left out, because the reader may read its request only after giving a reason.',
    }),
    /** Null if it is hidden, or if the content was erased. */
    requester: z.string().nullable(),
    /** Arguments that must stay the same. */
    same: z.record(z.string(), z.unknown()),
    /** The argument that is counted against the budget. */
    counts: z.string().nullable(),
    createdAt: Moment,
    expiresAt: Moment,
    /** When it lapses unless someone reviews it. */
    reviewAt: Moment.nullable(),
    usesLeft: z.int().nullable(),
    budgetLeft: z.number().nullable(),
    state: z.enum(['in-force', 'revoked', 'suspended', 'expired', 'lapsed', 'used-up']),
  })
  .meta({ id: 'Grant' });
export type Grant = z.infer<typeof Grant>;

export const GrantList = z
  .object({
    grants: z.array(Grant),
    isCut: z.boolean().meta({ description: 'Whether there are more: those that have ended are left out first.' }),
  })
  .meta({ id: 'GrantList' });
export type GrantList = z.infer<typeof GrantList>;

const grant = z.object({ id: GrantId });

export const grantRoutes = {
  listGrants: {
    method: 'get',
    path: '/api/grants',
    auth: 'session',
    permission: null,
    summary: 'Standing approvals, the latest first.',
    success: { 200: GrantList },
  },
  revokeGrant: {
    method: 'post',
    path: '/api/grants/{id}/revoke',
    auth: 'session',
    permission: 'decide',
    proof: 'none',
    summary: 'End a standing approval at once. Approvers only.',
    params: grant,
    success: { 200: Grant },
  },
  reviewGrant: {
    method: 'post',
    path: '/api/grants/{id}/review',
    auth: 'session',
    permission: 'decide',
    proof: 'fresh',
    summary: 'Confirm a standing approval, so that it does not lapse. Approvers only.',
    params: grant,
    success: { 200: Grant },
  },
} as const satisfies Record<string, RouteContract>;
