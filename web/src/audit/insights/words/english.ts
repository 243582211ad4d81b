import { formatsIn } from '#platform/text/formats';

const { count, number, percent } = formatsIn('en');

/** The words of what is counted. */
export const words = {
  lead: 'How much was decided, how it ended and how long it took. Days are in UTC.',
  reviewersOnly:
    'Administrators and reviewers see the insights; people of a space and owners see those of their servers.',
  space: 'Space',
  everyServer: 'All servers',
  ownServers: 'All that you see',
  period: 'Period',
  periods: { 7: '7 days', 30: '30 days', 90: '90 days', 365: 'A year' },
  empty: 'Nothing ended in this period',
  emptyNote: 'Choose a longer period. Requests count once they are decided, cancelled or expired.',
  most: (requests: number) => `Up to ${count(requests, { one: 'request', other: 'requests' })}`,
  decisions: 'Decisions over time',
  expiries: 'Expired over time',
  waits: 'Time to decide',
  p50: 'Half within',
  p95: '95 % within',
  none: 'None',
  tools: 'Outcomes by tool and server',
  tool: 'Tool',
  outcomes: 'Outcomes',
  rule: 'Rule',
  approvedOf: (share: number) => `People approved ${percent(share)}`,
  makeRule: 'Make a rule?',
  hasty: (seconds: number) => `Decided in under ${number(seconds)} seconds`,
  hastyNote: 'Counted from when the person first opened the request. Votes in chat are not counted as hasty.',
  hastyList: 'See each of these votes',
  person: 'Person',
  votes: 'Votes',
  hastyVotes: 'Hasty',
  share: 'Share',
  samples: 'Allowed without asking, looked at later',
  samplesNote: 'Chosen at random by policies with “sample”. The share counts only what someone has looked at.',
  samplesList: 'Spot checks',
  policy: 'Policy',
  allowed: 'Allowed',
  drawn: 'Chosen',
  reviewed: 'Looked at',
  wrong: 'Should have been asked',
  signals: (signals: number) => count(signals, { one: 'thing deserves a look', other: 'things deserve a look' }),
  noSignals: (run: number, spree: number, minutes: number, burst: number) =>
    `Nothing stands out: no one cast ${number(run)} hasty votes in a row or approved ${number(spree)} requests within ${number(minutes)} minutes, and no tool asked ${number(burst)} times in a minute.`,
  showThem: 'Show them',
  spree: (name: string, server: string | null, approvals: number, minutes: number, at: string) =>
    `${name} approved ${number(approvals)} requests${server === null ? '' : ` of ${server}`} within ${number(minutes)} minutes, up to ${at}.`,
  run: (name: string, server: string | null, votes: number, seconds: number, from: string, to: string) =>
    `${name} cast ${number(votes)} votes in a row${server === null ? '' : ` on requests of ${server}`}, each in under ${number(seconds)} seconds, from ${from} to ${to}.`,
  burst: (tool: string, server: string, requests: number, at: string) =>
    `${tool} of ${server} asked ${number(requests)} times in the minute from ${at}.`,
};
