import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import { Moment, storable } from '#requests/asking/contract/open';
import { NamedUser, UserId } from '../users/contract.ts';
import { PolicyName } from '#policies/contract/documents';
import type { RouteContract } from '#platform/http/contract/route';

/** The API of delegations. */
const DelegationId = idText('delegation').meta({ id: 'DelegationId' });

export const Delegation = z
  .object({
    id: DelegationId,
    from: NamedUser,
    to: NamedUser,
    startsAt: Moment,
    endsAt: Moment,
    /** Names of policies; none means all. */
    policies: z.array(z.string()),
    note: z.string(),
    createdAt: Moment,
    revokedAt: Moment.nullable(),
  })
  .meta({ id: 'Delegation' });
export type Delegation = z.infer<typeof Delegation>;

export const DelegationList = z.object({ delegations: z.array(Delegation) }).meta({ id: 'DelegationList' });
export type DelegationList = z.infer<typeof DelegationList>;

export const NewDelegation = z
  .strictObject({
    toId: UserId,
    startsAt: Moment.optional().meta({ description: 'Default now.' }),
    endsAt: Moment,
    policies: z.array(PolicyName).max(100).optional().meta({ description: 'None means all.' }),
    note: storable(500).trim().optional(),
  })
  .meta({ id: 'NewDelegation' });
export type NewDelegation = z.input<typeof NewDelegation>;

export const delegationRoutes = {
  listDelegations: {
    method: 'get',
    path: '/api/delegations',
    auth: 'session',
    permission: null,
    summary: 'Delegations: your own, given and received; administrators see all.',
    success: { 200: DelegationList },
  },
  delegate: {
    method: 'post',
    path: '/api/delegations',
    auth: 'session',
    permission: 'decide',
    proof: 'every-factor',
    summary: 'Delegate your vote for a time. A delegated vote cannot be delegated further.',
    body: NewDelegation,
    success: { 201: Delegation },
  },
  revokeDelegation: {
    method: 'post',
    path: '/api/delegations/{id}/revoke',
    auth: 'session',
    permission: null,
    proof: 'none',
    summary: 'End a delegation at once.',
    params: z.object({ id: DelegationId }),
    success: { 200: Delegation },
  },
} as const satisfies Record<string, RouteContract>;
