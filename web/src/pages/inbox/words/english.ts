import type { inboxOrders, inboxViews } from '../../../../../src/contract/console/addresses.ts';
import type { RowSignal } from './row-signal.ts';
import { formatsIn } from '../../../../../src/model/words/formats.ts';

const { count, number } = formatsIn('en');

type View = (typeof inboxViews)[number];
type Order = (typeof inboxOrders)[number];

const requests = { one: 'request', other: 'requests' };

export const words = {
  viewsLabel: 'Which requests',
  views: { mine: 'Needs me', all: 'Open' } satisfies Record<Exclude<View, 'done'>, string>,
  filtersLabel: 'Filters',
  moreFilters: (inForce: number) => (inForce === 0 ? 'Filters' : `Filters (${number(inForce)})`),
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
  takeBack: (text: string) => `${text}: remove this filter`,
  asCsv: 'Download CSV',
  asJson: 'Download JSON',
  list: 'Requests',
  loading: 'Loading requests',
  yourTurn: 'Needs you',
  reminded: 'Reminded',
  signal: (signal: RowSignal): string => {
    if (signal.kind === 'new') return `New ${signal.what}`;
    return signal.kind === 'amount' ? `${number(signal.times)} × usual` : 'Tool changed';
  },
  gone: 'No longer in this list',
  requester: 'requested by',
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

export const together = {
  bar: 'Selected requests',
  select: (name: string) => `Select ${name}`,
  chosen: (chosen: number) => `${number(chosen)} selected`,
  go: 'Review together',
  all: 'Select all of this tool',
  clear: 'Clear selection',
  title: 'Review together',
  titleOf: (total: number, tool: string) => `${number(total)} × ${tool}`,
  lead: 'Read what differs. One click decides all that are ticked, and each gets its own vote in the log.',
  loading: 'Loading the requests',
  list: 'Requests to decide',
  requester: 'requested by',
  open: 'Open',
  openOf: (subject: string) => `Open the request by ${subject}`,
  missing: (missing: number) => `${number(missing)} couldn’t be loaded and ${missing === 1 ? 'is' : 'are'} left out.`,
  none: 'None of these can be approved together. Open them one at a time, or decline them.',
  included: 'Decide',
  include: (row: number) => `Decide request ${number(row)} with the others`,
  requesterColumn: 'Requested by',
  sentence: 'Question',
  timeLeft: 'Time left',
  request: 'Request',
  decide: 'Your decision',
  comment: 'Comment',
  commentNote: 'Applies to all of them. Required to decline. Visible to the agents and requesters.',
  commentMissing: 'Say why you decline, so that the agents and requesters know what to change.',
  consequence:
    'Your vote counts for each request: a call runs once it has all its approvals, and ends once too many people have declined. A request that changed since you read it is skipped.',
  approve: (total: number) => (total === 1 ? 'Approve it' : `Approve all ${number(total)}`),
  decline: (total: number) => (total === 1 ? 'Decline it' : `Decline all ${number(total)}`),
  sending: 'Your votes are being sent.',
  done: (done: number, total: number) =>
    done === total
      ? `${total === 1 ? 'Your vote is' : `Your ${number(total)} votes are`} counted.`
      : `${number(done)} of ${count(total, { one: 'vote', other: 'votes' })} counted.`,
  counted: 'Your vote is counted. Waiting for others.',
  backToInbox: 'Back to the inbox',
  apart: 'Approve these one at a time; declining takes them along',
  reasons: {
    'high-risk': 'It’s high risk.',
    'not-mine': 'You can’t vote on it now.',
    'other-tool': 'It’s for another tool.',
    'other-policy': 'Another policy applies to it.',
    form: 'It asks for an answer.',
    url: 'It opens an address.',
    long: 'It has long values that you must open.',
  },
};

/** Of the list and the request next to each other. */
export const splitView = {
  list: 'List of requests',
  request: 'Open request',
  nothing: 'No request is open',
  how: 'Choose one on the left, or press j, then o. You can turn this view off in your profile.',
};

/** Of declining everything that matches. */
export const declineAll = {
  link: 'Decline all…',
  title: 'Decline all that match',
  lead: 'Declining is safe at every risk: each request gets its own vote in the log, with one reason.',
  everything: 'Everything that needs you, without a filter.',
  matching: (filters: string[]) => `What matches: ${filters.join(' · ')}`,
  nothing: 'Nothing that you can vote on matches.',
  times: (total: number) => `${number(total)} ×`,
  cut: (most: number) => `There are more: this takes the first ${number(most)}.`,
  reason: 'Reason',
  reasonNote: 'Required. Visible to the agents and requesters of all of them.',
  decline: (total: number) => (total === 1 ? 'Decline it' : `Decline all ${number(total)}`),
  stop: 'Stop',
  progress: (done: number, total: number) => `${number(done)} of ${number(total)} sent.`,
  done: (done: number, total: number) => `${number(done)} of ${number(total)} declined by you.`,
  left: (left: number) => `${count(left, requests)} left as ${left === 1 ? 'it was' : 'they were'}.`,
  refused: (refused: number) => `${count(refused, { one: 'request', other: 'requests' })} could not be declined`,
};
