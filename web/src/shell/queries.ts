import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { ownServer } from '#platform/model/names';
import { serverNow } from '../client/call-api.ts';
import { call } from '../client/call.ts';
import { readBreakGlass, readInbox } from '../requests/inbox/inbox.ts';
import { endFilters } from '#requests/inbox/contract/filters';
import { inboxSearch, type InboxFilters } from '../requests/inbox/inbox-url.ts';

/** How often a page asks when nothing is pushed to it. Milliseconds. */
const pollIntervalMs = 15_000;
/** How often a page asks whether an accepted change was made, and whether an approved call has started. Milliseconds. */
const [madeIntervalMs, startedIntervalMs] = [1_000, 3_000];

export const inboxQuery = (filters: InboxFilters, isLive: boolean) =>
  infiniteQueryOptions({
    queryKey: ['inbox', filters],
    queryFn: ({ pageParam, signal }) => readInbox(inboxSearch(filters, pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: isLive ? false : pollIntervalMs,
  });

/** The counts next to the views and in the header, whatever is filtered. */
export const countsQuery = (isLive: boolean) =>
  queryOptions({
    queryKey: ['inbox', 'counts'],
    queryFn: ({ signal }) => readInbox(new URLSearchParams({ view: 'mine', limit: '1' }), signal),
    select: ({ counts }) => counts,
    refetchInterval: isLive ? false : pollIntervalMs,
  });

/** What was asked for in this console and is not decided yet: changes that one person may not make alone. */
export const openChangesQuery = queryOptions({
  queryKey: ['inbox', 'changes'],
  queryFn: ({ signal }) => readInbox(inboxSearch({ view: 'all', server: ownServer.name }, null), signal),
  select: ({ items }) => items,
});

/** The ids of the queue that a request was opened from, as far as one page goes. */
export const queueQuery = (filters: InboxFilters) =>
  queryOptions({
    queryKey: ['inbox', 'queue', filters],
    queryFn: async ({ signal }) => (await readInbox(inboxSearch(filters, null), signal)).items.map(({ id }) => id),
    staleTime: 60_000,
  });

/** What waits for the signed-in person apart from this one, in the queue they came from; null if nothing does. */
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

/** The routes of one request are loaded when they are called, not with the first page. */
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

/** How a request differs from past ones. */
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

/** An accepted change of power is made in a commit of its own, shortly after the one that closed its request. */
const waitsToBeMade = ({ server, status, lapse, timeline }: ElicitationDetail): boolean =>
  server === ownServer.name &&
  status === 'accepted' &&
  lapse === null &&
  !timeline.some(({ event }) => event.type === 'call.applied');

/** The start of a call is no event of the inbox. A call that has not started by then may have no caller any more. */
const waitsToStart = ({ status, can, closedAt }: ElicitationDetail): boolean =>
  status === 'accepted' && can.revoke.allowed && serverNow() - (closedAt ?? 0) < startsWithin;

/** Milliseconds. */
const startsWithin = 300_000;

/** The statechart behind every request; one version never changes. */
export const machineQuery = (version: number) =>
  queryOptions({
    queryKey: ['machine', version],
    queryFn: async ({ signal }) =>
      call((await import('#requests/machine/contract')).machineRoutes.showMachine, { signal }),
    // While nodes of two versions run, another one may have answered.
    staleTime: ({ state }) => (state.data?.version === version ? Infinity : 0),
    gcTime: Infinity,
  });

/** A review is no event of the inbox, so this is asked again now and then also while events arrive. Milliseconds. */
const breakGlassIntervalMs = 60_000;

/** What was decided past its policy; everyone is told while a review is due. */
export const breakGlassQuery = (isLive: boolean) =>
  queryOptions({
    queryKey: ['breakGlass'],
    queryFn: ({ signal }) => readBreakGlass(signal),
    select: ({ breakGlass }) => breakGlass,
    refetchInterval: isLive ? breakGlassIntervalMs : pollIntervalMs,
  });
