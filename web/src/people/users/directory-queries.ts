import { queryOptions, useQuery } from '@tanstack/react-query';
import { readGrants } from '../../requests/grants/grants.ts';
import { readSystem } from '../../platform/system/system.ts';
import { readStops } from '../../requests/stops/stops.ts';
import { readKeys } from '../../access/keys/keys.ts';
import { readPolicies } from '../../policies/policies.ts';
import { readNotifications, readWebhooks } from '../../notify/webhooks/webhooks.ts';
import { readDelegations, readUsers, readServers, readGroups, readTools } from './directory.ts';

export const usersQuery = queryOptions({
  queryKey: ['directory', 'users'],
  queryFn: ({ signal }) => readUsers(signal),
  select: ({ users }) => users,
});

/** Is there no second administrator who can sign in, so that no one can review what the only one writes? */
export function useIsOnlyAdministrator(): boolean {
  const users = useQuery(usersQuery).data;
  const able = users?.filter(({ role, hasPassword, disabledAt }) => role === 'admin' && hasPassword && !disabledAt);
  return able !== undefined && able.length < 2;
}

/** How the links with which people set passwords come to them. */
export const linkWayQuery = queryOptions({ ...usersQuery, select: ({ linksBy }) => linksBy });

export const groupsQuery = queryOptions({
  queryKey: ['directory', 'groups'],
  queryFn: ({ signal }) => readGroups(signal),
  select: ({ groups }) => groups,
});

export const serversQuery = queryOptions({
  queryKey: ['directory', 'servers'],
  queryFn: ({ signal }) => readServers(signal),
  select: ({ servers }) => servers,
});

export const toolsQuery = (id: string) =>
  queryOptions({ queryKey: ['directory', 'servers', id], queryFn: ({ signal }) => readTools(id, signal) });

export const keysQuery = queryOptions({
  queryKey: ['directory', 'keys'],
  queryFn: ({ signal }) => readKeys(signal),
  select: ({ keys }) => keys,
});

export const delegationsQuery = queryOptions({
  queryKey: ['delegations'],
  queryFn: ({ signal }) => readDelegations(signal),
  select: ({ delegations }) => delegations,
});

export const grantsQuery = queryOptions({
  queryKey: ['directory', 'grants'],
  queryFn: ({ signal }) => readGrants(signal),
});

export const stopsQuery = queryOptions({
  queryKey: ['directory', 'stops'],
  queryFn: ({ signal }) => readStops(signal),
  select: ({ stops }) => stops,
});

/** What a page about the system asks for again. Milliseconds. */
const systemIntervalMs = 10_000;

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => readSystem(signal),
  refetchInterval: systemIntervalMs,
});

export const webhooksQuery = queryOptions({
  queryKey: ['directory', 'webhooks'],
  queryFn: ({ signal }) => readWebhooks(signal),
  select: ({ webhooks }) => webhooks,
});

/** A delivery is no event of the console. Milliseconds. */
const deliveriesIntervalMs = 5_000;

export const webhookCallsQuery = queryOptions({
  queryKey: ['directory', 'deliveries', 'calls'],
  queryFn: ({ signal }) => readNotifications('calls', signal),
  select: ({ notifications }) => notifications,
  refetchInterval: deliveriesIntervalMs,
});

export const failedQuery = queryOptions({
  queryKey: ['directory', 'deliveries', 'failed'],
  queryFn: ({ signal }) => readNotifications('failed', signal),
  select: ({ notifications }) => notifications,
  refetchInterval: deliveriesIntervalMs,
});

export const policiesQuery = queryOptions({
  queryKey: ['policies', 'list'],
  queryFn: ({ signal }) => readPolicies(signal),
  select: ({ policies }) => policies,
});
