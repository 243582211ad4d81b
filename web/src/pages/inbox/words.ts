import type { inboxOrders, inboxViews } from '../../../../src/contract/console.ts';

type View = (typeof inboxViews)[number];
type Order = (typeof inboxOrders)[number];

export const words = {
  title: 'Inbox',
  viewsLabel: 'Which requests',
  views: { mine: 'My turn', all: 'All open', done: 'Done' } satisfies Record<View, string>,
  filtersLabel: 'Filters',
  server: 'Server',
  tool: 'Tool',
  status: 'Ended how',
  order: 'Order',
  anyServer: 'All servers',
  anyTool: 'All tools',
  anyStatus: 'Any way',
  orders: { deadline: 'Deadline first', risk: 'Risk first', newest: 'Newest first' } satisfies Record<Order, string>,
  clear: 'Clear filters',
  list: 'Requests',
  loading: 'Loading requests',
  yourTurn: 'Your turn',
  gone: 'No longer in this list',
  requester: 'for',
  more: 'Load more',
  live: 'Updates as it happens',
  polling: 'Updates every 15 seconds',
  arrived: (count: number) => `${count} new ${count === 1 ? 'request' : 'requests'}`,
  show: (count: number) => `Show ${count} new ${count === 1 ? 'request' : 'requests'}`,
  retry: 'Try again',
  stale: 'The list could not be refreshed. What you see may be out of date.',
};

export const emptyStates: Record<View | 'filtered', { title: string; note: string }> = {
  mine: {
    title: 'Nothing waits for you',
    note: 'A request appears here when an agent calls a tool that needs your decision. Run a tool that asks through Assentry, and its question arrives here by itself.',
  },
  all: {
    title: 'No open requests',
    note: 'Every question that is still undecided is listed here, whoever may answer it. To make one, run a tool that asks through Assentry.',
  },
  done: {
    title: 'Nothing has ended yet',
    note: 'Requests move here once they are decided, cancelled or expired. Decide one, and you will find it here.',
  },
  filtered: { title: 'No request fits these filters', note: 'Clear the filters to see the whole list again.' },
};
