import type { inboxOrders, inboxViews } from '../../../../src/contract/console/console.ts';
import { places } from '../../ui/words.ts';

type View = (typeof inboxViews)[number];
type Order = (typeof inboxOrders)[number];

export const words = {
  title: places.inbox,
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
  reminded: 'Reminded',
  gone: 'No longer in this list',
  requester: 'for',
  unread: 'Open it and say why you look',
  unreadable: 'This request can’t be read. Open it to see why.',
  more: 'Load more',
  live: 'Updates as it happens',
  polling: 'Updates every 15 seconds',
  arrived: (count: number) => `${count} new ${count === 1 ? 'request' : 'requests'}`,
  reminders: (count: number) => `${count} ${count === 1 ? 'reminder' : 'reminders'}`,
  show: (count: number) => `Show ${count} new ${count === 1 ? 'request' : 'requests'}`,
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

export const together = {
  bar: 'Chosen requests',
  select: (name: string) => `Choose ${name}`,
  chosen: (count: number) => `${count} chosen:`,
  go: 'Decide together',
  clear: 'Choose none',
  title: 'Decide together',
  titleOf: (count: number, tool: string) => `${count} × ${tool}`,
  lead: 'Read each of them: one press decides all that are listed here, and each is recorded as a vote of its own.',
  loading: 'Loading the requests',
  list: 'Requests to decide',
  requester: 'for',
  open: 'Open',
  openOf: (subject: string) => `Open the request for ${subject}`,
  missing: (count: number) => `${count} could not be read and ${count === 1 ? 'is' : 'are'} left out.`,
  none: 'None of them can be decided together. Open them one by one.',
  decide: 'Your decision',
  comment: 'Comment',
  commentNote: 'For all of them. Needed to decline. The agents and the requesters can read it.',
  commentMissing: 'Say why you decline, so that the agents and the requesters know what to change.',
  consequence:
    'Your vote counts on each: a call runs once it has all its approvals, and ends once enough people refuse. What changed since you read it is left alone.',
  approve: (count: number) => (count === 1 ? 'Approve it' : `Approve all ${count}`),
  decline: (count: number) => (count === 1 ? 'Decline it' : `Decline all ${count}`),
  sending: 'Your votes are on their way.',
  done: (done: number, count: number) =>
    done === count
      ? `Your ${count === 1 ? 'vote is' : `${count} votes are`} counted.`
      : `${done} of ${count} votes are counted.`,
  counted: 'Your vote is counted. It waits for others.',
  backToInbox: 'Back to the inbox',
  apart: 'To be decided one by one',
  reasons: {
    'high-risk': 'Its risk is high.',
    'not-mine': 'You cannot vote on it now.',
    'other-tool': 'It is another tool.',
    'other-policy': 'It is under another policy.',
    form: 'It asks for an answer.',
    url: 'It leads to an address.',
    long: 'It has long values that must be opened.',
  },
};
