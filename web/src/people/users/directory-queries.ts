import { queryOptions, useQuery } from '@tanstack/react-query';
import { keyRoutes } from '#access/keys/contract/key';
import { webhookRoutes } from '#notify/webhooks/contract/webhooks';
import { delegationRoutes } from '#people/delegations/contract';
import { roleRoutes } from '#people/roles/contract';
import { usersRoutes } from '#people/users/contract';
import { operatorRoutes } from '#platform/nodes/contract/ready';
import { policyRoutes } from '#policies/contract/routes';
import { grantRoutes } from '#requests/grants/contract';
import { stopRoutes } from '#requests/stops/contract/stops';
import { query } from '../../client/call.ts';

export const usersQuery = queryOptions({
  ...query(usersRoutes.listUsers),
  select: ({ users }) => users,
});

/** Is there only one administrator who can sign in, so that no one can review their changes? */
export function useIsOnlyAdministrator(): boolean {
  const users = useQuery(usersQuery).data;
  const able = users?.filter(({ role, hasPassword, disabledAt }) => role === 'admin' && hasPassword && !disabledAt);
  return able !== undefined && able.length < 2;
}

/** Way in which people get links to set passwords. */
export const linkWayQuery = queryOptions({ ...usersQuery, select: ({ linksBy }) => linksBy });

export const groupsQuery = queryOptions({
  ...query(usersRoutes.listGroups),
  select: ({ groups }) => groups,
});

/** Roles made by the installation. */
export const rolesQuery = queryOptions({
  ...query(roleRoutes.listRoles),
  select: ({ roles }) => roles,
});

export const serversQuery = queryOptions({
  ...query(usersRoutes.listServers),
  select: ({ servers }) => servers,
});

export const keysQuery = queryOptions({
  ...query(keyRoutes.listKeys),
  select: ({ keys }) => keys,
});

export const delegationsQuery = queryOptions({
  ...query(delegationRoutes.listDelegations),
  select: ({ delegations }) => delegations,
});

export const grantsQuery = query(grantRoutes.listGrants);

export const stopsQuery = queryOptions({
  ...query(stopRoutes.listStops),
  select: ({ stops }) => stops,
});

/** Interval of queries about the system, in milliseconds. */
const systemIntervalMs = 10_000;

export const systemQuery = queryOptions({
  ...query(operatorRoutes.readSystem),
  refetchInterval: systemIntervalMs,
});

export const webhooksQuery = queryOptions({
  ...query(webhookRoutes.listWebhooks),
  select: ({ webhooks }) => webhooks,
});

/** Interval in milliseconds, because a delivery is no event of the console. */
const deliveriesIntervalMs = 5_000;

export const webhookCallsQuery = queryOptions({
  ...query(webhookRoutes.listNotifications, { query: { channel: 'webhook' } }),
  select: ({ notifications }) => notifications,
  refetchInterval: deliveriesIntervalMs,
});

export const failedQuery = queryOptions({
  ...query(webhookRoutes.listNotifications, { query: { state: 'failed' } }),
  select: ({ notifications }) => notifications,
  refetchInterval: deliveriesIntervalMs,
});

export const policiesQuery = queryOptions({
  ...query(policyRoutes.listPolicies),
  select: ({ policies }) => policies,
});
