import { formatsIn } from '#platform/text/formats';

const { count, number } = formatsIn('en');

const requests = { one: 'request', other: 'requests' };

/** Of several requests that are decided together. */
export const together = {
  bar: 'Selected requests',
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
  openOf: (row: number, subject: string) => `Open request ${number(row)} by ${subject}`,
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
    proof: 'Its policy has you prove who you are for each.',
    typed: 'Its policy has you type what is at stake.',
  },
};

/** Of declining everything that matches. */
export const declineAll = {
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
