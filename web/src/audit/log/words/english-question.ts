import type { ReportId, RequestOutcome } from '#audit/reports/contract/report';

/** What a question in one line is made of; the longest phrase that fits counts. */
export const grammar = {
  questions: {
    approvals: ['approvals', 'approved', 'who approved', 'what was approved'],
    requests: ['requests', 'asked', 'what was asked', 'calls', 'decisions'],
    'own-approvals': ['own approvals', 'own requests', 'own request', 'did anyone approve their own request'],
    automatic: ['automatic approvals', 'automatic', 'without a person', 'what ran without a person'],
    overrides: ['emergency overrides', 'overrides', 'overridden', 'what was overridden'],
    edited: ['edited', 'changed'],
    hasty: ['in under five seconds', 'under five seconds', 'in under 5 seconds', 'under 5 seconds'],
    'could-approve': ['who could approve', 'could approve', 'who may approve', 'who may approve now'],
    readers: ['who read', 'readers'],
    'policy-changes': ['policy changes', 'changes of policies', 'policies changed', 'which policies were changed'],
    access: ['what was read', 'reads', 'access'],
  } satisfies Record<ReportId, string[]> as Record<ReportId, string[]>,
  outcomes: {
    open: ['open', 'still open', 'undecided'],
    accepted: [],
    declined: ['declined', 'refused', 'rejected'],
    cancelled: ['cancelled', 'canceled', 'withdrawn'],
    expired: ['expired', 'timed out'],
    lapsed: ['lapsed'],
    revoked: ['revoked'],
  } satisfies Record<RequestOutcome, string[]> as Record<RequestOutcome, string[]>,
  filters: {
    tool: ['of', 'tool'],
    server: ['on', 'server'],
    policy: ['policy'],
    person: ['by', 'person'],
    client: ['agent', 'by agent'],
    requester: ['for', 'requester', 'requested by'],
    request: ['request'],
  },
  periods: {
    today: ['today'],
    yesterday: ['yesterday'],
    thisWeek: ['this week'],
    lastWeek: ['last week'],
    thisMonth: ['this month'],
    lastMonth: ['last month'],
  },
  lastDays: /^last (\d{1,4}) days?(?= |$)/,
  since: ['since', 'from'],
  until: ['until', 'to'],
  onDay: ['at', 'on'],
  hours: /^between (\d{1,2})(?::00)? and (\d{1,2})(?::00)?(?: o'clock)?(?= |$)/,
  night: ['at night'],
  empty: ['the', 'all', 'and', 'were', 'was', 'are', 'what', 'which', 'that', 'have', 'show', 'in'],
};

/** The words around a question in one line. */
export const line = {
  label: 'Ask in one line',
  example: 'Such as: approvals of pay_invoice by Ada Lovelace last week under five seconds',
  ask: 'Ask',
  understood: 'Asks for:',
  noQuestion: 'Begin with what is asked, such as approvals, requests, overrides or policy changes.',
  twoQuestions: (first: string, second: string) => `Ask one thing at a time: “${first}” or “${second}”.`,
  unknown: (word: string, near: string | null) =>
    near === null
      ? `“${word}” is no word of a question. Put a name after of, on, by, policy, agent or for.`
      : `“${word}” is no word of a question. Did you mean “${near}”?`,
  noValue: (word: string) => `Put a name after “${word}”.`,
  noDate: (word: string) => `Put a day after “${word}”, such as 2026-11-25.`,
  noPerson: (name: string, near: string | null) =>
    near === null
      ? `There is no person called “${name}”.`
      : `There is no person called “${name}”. Did you mean ${near}?`,
  namesakes: (name: string) => `More than one person is called “${name}”. Put their email address instead.`,
  notNarrowed: (question: string, filter: string) =>
    `“${question}” is not narrowed by ${filter.toLowerCase()}. Leave that out.`,
  wrongHours: 'Give two hours from 0 to 24, such as between 22 and 6.',
  again: (phrase: string) => `“${phrase}” narrows what is narrowed already. Leave one of the two out.`,
  noDays: 'Give a number of days from 1 on, such as last 10 days.',
  notYet: (day: string) => `${day} is still to come (days are in UTC). Give a day up to today.`,
  endsBefore: (to: string, from: string) => `${to} is before ${from}. Give an end that is not before the beginning.`,
  oneTime: (question: string) => `“${question}” is about one time. Put it after “at”, such as at 2026-11-25.`,
};
