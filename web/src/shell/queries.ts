import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { ownServer } from '#platform/model/names';
import { serverNow } from '../client/call-api.ts';
import { call } from '../client/call.ts';
import { readBreakGlass, readInbox } from '../requests/inbox/inbox.ts';
import { endFilters } from '#requests/inbox/contract/filters';
import { inboxSearch, type InboxFilters } from '../requests/inbox/inbox-url.ts';

/** Interval of polling without pushed events, in milliseconds. */
const pollIntervalMs = 15_000;
/** Intervals of polling whether an accepted change was made, and whether an approved call has started. Milliseconds. */
const [madeIntervalMs, startedIntervalMs] = [1_000, 3_000];

export const inboxQuery = (filters: InboxFilters, isLive: boolean) =>
  infiniteQueryOptions({
    queryKey: ['inbox', filters],
    queryFn: ({ pageParam, signal }) => readInbox(inboxSearch(filters, pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: isLive ? false : pollIntervalMs,
  });

/** The counts next to the views and in the header, without filters. */
export const countsQuery = (isLive: boolean) =>
  queryOptions({
    queryKey: ['inbox', 'counts'],
    queryFn: ({ signal }) => readInbox(new URLSearchParams({ view: 'mine', limit: '1' }), signal),
    select: ({ counts }) => counts,
    refetchInterval: isLive ? false : pollIntervalMs,
  });

/** Undecided requests of this console: changes that one person may not make alone. */
export const openChangesQuery = queryOptions({
  queryKey: ['inbox', 'changes'],
  queryFn: ({ signal }) => readInbox(inboxSearch({ view: 'all', server: ownServer.name }, null), signal),
  select: ({ items }) => items,
});

/** Ids of the request's queue, up to one page. */
export const queueQuery = (filters: InboxFilters) =>
  queryOptions({
    queryKey: ['inbox', 'queue', filters],
    queryFn: async ({ signal }) => (await readInbox(inboxSearch(filters, null), signal)).items.map(({ id }) => id),
    staleTime: 60_000,
  });

/** The next waiting request in the person's queue, apart from this one; null if none. */
export const nextRequestQuery = (id: string, { view: _view, ...filters }: InboxFilters) =>
  queryOptions({
    queryKey: ['inbox', 'next', id, filters],
    queryFn: async ({ signal }) => {
      const queue = inboxSearch({ ...filters, view: 'mine' }, null);
      for (const name of endFilters) queue.delete(name);
      queue.set('limit', '2');
      const { items } = await readInbox(queue, signal);
      return items.find((item) => item.id !== id) ?? null;
    },
  });

/** Query of one request, whose routes are loaded on demand, not with the first page. */
export const requestQuery = (id: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: async ({ signal }) =>
      call((await import('#requests/asking/contract/routes')).elicitationRoutes.showElicitation, {
        params: { id },
        signal,
      }),
    refetchInterval: ({ state: { data } }) => {
      if (data && waitsToBeMade(data)) return madeIntervalMs;
      if (data && waitsToStart(data)) return startedIntervalMs;
      return isLive || data?.closedAt ? false : pollIntervalMs;
    },
  });

/** Differences of a request from past ones. */
export const comparisonQuery = (id: string) =>
  queryOptions({
    queryKey: ['comparison', id],
    queryFn: async ({ signal }) =>
      call((await import('#requests/asking/contract/routes')).elicitationRoutes.compareApproved, {
        params: { id },
        signal,
      }),
    staleTime: Infinity,
  });

/**
 * Is an accepted change of power still to be made? That is a separate commit, shortly after the one that closed its request.
 */
const waitsToBeMade = ({ server, status, lapse, timeline }: ElicitationDetail): boolean =>
  server === ownServer.name &&
  status === 'accepted' &&
  lapse === null &&
  !timeline.some(({ event }) => event.type === 'call.applied');

/**
 * May the call still start? The start is no event of the inbox. A call that has not started by then may have lost its caller.
 */
const waitsToStart = ({ status, can, closedAt }: ElicitationDetail): boolean =>
  status === 'accepted' && can.revoke.allowed && serverNow() - (closedAt ?? 0) < startsWithin;

/** Limit in milliseconds. */
const startsWithin = 300_000;

/** The statechart of every request; one version never changes. */
export const machineQuery = (version: number) =>
  queryOptions({
    queryKey: ['machine', version],
    queryFn: async ({ signal }) =>
      call((await import('#requests/machine/contract')).machineRoutes.showMachine, { signal }),
    // While nodes of two versions run, another one may have answered.
    staleTime: ({ state }) => (state.data?.version === version ? Infinity : 0),
    gcTime: Infinity,
  });

/** Interval in milliseconds, also while events arrive, because a review is no event of the inbox. */
const breakGlassIntervalMs = 60_000;

/** Emergency overrides; everyone is told while a review is due. */
export const breakGlassQuery = (isLive: boolean) =>
  queryOptions({
    queryKey: ['breakGlass'],
    queryFn: ({ signal }) => readBreakGlass(signal),
    select: ({ breakGlass }) => breakGlass,
    refetchInterval: isLive ? breakGlassIntervalMs : pollIntervalMs,
  });
