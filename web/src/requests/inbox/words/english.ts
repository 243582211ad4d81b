import type { inboxOrders, inboxViews } from '#access/sign-in/contract/authentication';
import type { RowSignal } from './together-words.ts';
import { formatsIn } from '#platform/text/formats';

const { count, number } = formatsIn('en');

type View = (typeof inboxViews)[number];
type Order = (typeof inboxOrders)[number];

const requests = { one: 'request', other: 'requests' };

export const words = {
  viewsLabel: 'Which requests',
  views: { mine: 'Needs me', all: 'Open' } satisfies Record<Exclude<View, 'done'>, string>,
  filtersLabel: 'Filters',
  moreFilters: (inForce: number) => (inForce === 0 ? 'Filters' : `Filters (${number(inForce)})`),
  searching: 'Searching…',
  search: 'Search',
  searchNote: 'Tool, server, policy, voter, ID',
  sealedNote:
    'Searched: names of tools, servers and policies, people who voted, and IDs. Messages, arguments and requesters are sealed and not searched; to find a requester, enter their whole name in the field “Requester”.',
  policy: 'Policy',
  anyPolicy: 'All policies',
  group: 'Group',
  anyGroup: 'All groups',
  requesterLabel: 'Requester',
  requesterNote: 'The requester’s whole name, as requests show it. Only requests that you may read are found.',
  server: 'Server',
  tool: 'Tool',
  status: 'Outcome',
  order: 'Sort by',
  risk: 'Risk',
  anyRisk: 'Any risk',
  from: 'Closed on or after',
  fromShort: 'from',
  until: 'Closed on or before',
  untilShort: 'to',
  anyServer: 'All servers',
  anyTool: 'All tools',
  anyStatus: 'Any outcome',
  orders: { deadline: 'Deadline', risk: 'Risk', newest: 'Newest' } satisfies Record<Order, string>,
  clear: 'Clear filters',
  inForce: 'Filters in force',
  filter: (name: string, value: string) => `${name}: ${value}`,
  takeBack: (text: string) => `${text}: remove this filter`,
  asCsv: 'Download CSV',
  asJson: 'Download JSON',
  list: 'Requests',
  loading: 'Loading requests',
  yourTurn: 'Needs you',
  reminded: 'Reminded',
  signal: (signal: RowSignal): string => {
    if (signal.kind === 'new') return `New ${signal.what}`;
    if (signal.kind === 'reaches') return 'Server changed';
    if (signal.kind === 'unchecked') return 'Not verified';
    return signal.kind === 'amount' ? `${number(signal.times)} × usual` : 'Tool changed';
  },
  gone: 'No longer in this list',
  requester: 'requested by',
  runs: 'Runs',
  unread: 'Content by giving a reason',
  votedBy: (names: string[]) => `Voted: ${names.join(', ')}`,
  within: (duration: string) => `within ${duration}`,
  erased: 'Its content was erased.',
  unreadable: 'This request can’t be read. Open it to see why.',
  start: 'Get started: connect a server and send a test request',
  more: 'Load more',
  live: 'Live',
  polling: 'Reconnecting, refreshing every 15 seconds',
  arrived: (arrived: number) => `${number(arrived)} new ${arrived === 1 ? requests.one : requests.other}`,
  reminders: (reminders: number) => count(reminders, { one: 'reminder', other: 'reminders' }),
  show: (arrived: number) => `Show ${number(arrived)} new ${arrived === 1 ? requests.one : requests.other}`,
  select: (name: string) => `Select ${name}`,
  declineAll: 'Decline all…',
};

export const emptyStates: Record<View | 'filtered', { title: string; note: string }> = {
  mine: {
    title: 'You’re all caught up',
    note: 'When an agent calls a tool that needs your approval, it appears here.',
  },
  all: {
    title: 'No open requests',
    note: 'Every undecided request appears here, including those that others must decide.',
  },
  done: {
    title: 'No history yet',
    note: 'Requests move here once they are decided, cancelled or expired.',
  },
  filtered: { title: 'No matching requests', note: 'Clear the filters to see the whole list.' },
};

/** Of the list and the request next to each other. */
export const splitView = {
  list: 'List of requests',
  request: 'Open request',
  nothing: 'No request is open',
  how: 'Choose one on the left, or press j, then o. You can turn this view off in your profile.',
};
