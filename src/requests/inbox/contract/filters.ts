import { risks, statuses } from '../../asking/contract/elicitation.ts';

export const inboxViews = ['mine', 'all', 'done'] as const;

export const inboxOrders = ['deadline', 'risk', 'newest'] as const;

/**
 * The filters of a list of requests: a text of at most so many characters, one of a few words, or a moment. Schema, address,
 * condition in SQL and label of each are tables by these names.
 */
export const inboxFilters = {
  q: 200,
  server: 128,
  tool: 128,
  policy: 128,
  group: 128,
  requester: 800,
  status: statuses,
  risk: risks,
  from: 'moment',
  until: 'moment',
} as const;
export type InboxFilter = keyof typeof inboxFilters;

/** The filters by how and when a request ended, which open requests cannot fit. */
export const endFilters = ['status', 'from', 'until'] as const satisfies readonly InboxFilter[];

/** The last moment that a date can hold. */
export const lastMoment = 8_640_000_000_000_000;
