import type { Hold } from '#keeping/content/contract';
import type { ReportId } from '#audit/reports/contract/report';
import { formatsIn } from '#platform/text/formats';

const { all, count, number } = formatsIn('en');

export const words = {
  title: 'Audit',
  lead: 'The questions that reviewers usually ask. Each answer comes from the log, and asking is logged as well.',
  questions: 'Questions',
  reviewersOnly: 'Only administrators and reviewers can ask these questions.',
  back: 'All questions',
  missing: 'Question not found',
  missingNote: 'The address may be incomplete.',
  period: 'Days are in UTC.',
  from: 'From',
  to: 'To',
  at: 'At (UTC)',
  person: 'Person',
  anyone: 'Anyone',
  choosePerson: 'Choose a person…',
  tool: 'Tool',
  client: 'Agent',
  requester: 'Requester',
  requesterNote: 'As the server names them, whole, such as ada@example.com, or what stands for them in SQL.',
  request: 'Request',
  wrongName: 'Use letters A to Z, digits, dots, dashes and underscores.',
  wrongRequest: 'Give the id of a request; it begins with eli_.',
  hours: (zone: string) => `Hours of the day (${zone})`,
  outcome: 'What became of it',
  hourFrom: 'From hour',
  hourTo: 'Until hour',
  anyHour: 'Any',
  server: 'Server',
  everyServer: 'Every server',
  policy: 'Policy',
  everyone: 'Any',
  show: 'Show',
  empty: 'Nothing found',
  emptyNote: 'No such entries in this period. Choose another period, or clear a filter.',
  noAnswer: 'No answer: a filter names nothing that is there',
  neverThere: (filter: string, value: string) =>
    ({
      tool: `No tool is called “${value}” where you may read.`,
      server: `No server is called “${value}” where you may read.`,
      policy: `No policy is called “${value}” where you may read.`,
      client: `No agent calls itself “${value}” where you may read.`,
      requester: `No requester is called “${value}” where you may read. Give the name whole, as the server gave it.`,
      person: 'There is no such person.',
      request: `There is no request ${value} where you may read.`,
      digest: 'No request had this digest where you may read.',
      from: 'This period is still to come.',
      to: 'The log begins after this period: it has nothing about it.',
    })[filter] ?? value,
  good: 'None, as it should be',
  goodNote: 'In this period no one voted on a request of their own, or on what a key that they made asked.',
  ownRequest: 'Voted on their own request',
  ownKey: 'Voted on what their own key asked',
  counted: (title: string, rows: number) => `${title}: ${number(rows)}`,
  found: (rows: number) => count(rows, { one: 'result', other: 'results' }),
  shown: (shown: number, rows: number) => `The first ${number(shown)} of ${number(rows)}. The files have all of them.`,
  cut: (rows: number) => `There are more than ${number(rows)}. Choose a shorter period to see the rest.`,
  overTime: 'Results over time',
  most: (rows: number) => `Up to ${count(rows, { one: 'result', other: 'results' })}`,
  results: 'Results',
  asCsv: 'Download CSV',
  asJson: 'Download JSON',
  yes: 'Yes',
  no: 'No',
  seconds: (seconds: number) => `${number(seconds)} s`,
};

export const proof = {
  none: 'The nodes have not verified the log since they started. The first check runs within minutes.',
  upTo: (entries: number, when: string) => `Verified up to entry ${number(entries)}, ${when}`,
  found: (when: string) => `Found ${when}`,
  changed: 'The log was changed',
  changedNote:
    'The log, or a row that follows from it, was changed after it was written. Ask the operator to run “assentry audit verify”.',
  witnessed: (name: string, entries: number, when: string) =>
    `${name} has seen it up to entry ${number(entries)}, ${when}`,
  unseen: (name: string) => `${name} has not seen it yet`,
  disagrees: (names: string[]) => `A witness disagrees: ${all(names)}`,
  disagreesNote:
    'The witness has seen a longer or different log. The database was restored to an older state, or replaced. Ask the operator who did that.',
};

export const receipt = {
  title: 'Verify a receipt',
  note: 'Drop the file here, or choose it. It is compared with the keys of this installation, and not kept.',
  choose: 'Choose a file',
  verdicts: {
    genuine: 'This receipt is genuine',
    altered: 'This receipt was altered: do not trust it',
    'not-ours': 'This receipt is not from this installation',
    'unknown-key': 'This receipt cannot be verified here',
    'no-receipt': 'This file is not a receipt, or it is damaged',
  },
  notes: {
    altered: 'It says that it is from this installation, but it is not what was issued.',
    'not-ours': 'Ask the other installation for its key, and verify it with “assentry receipt verify”.',
    'unknown-key':
      'It names this installation, but none of the keys in use signed it. A former key may have: ask the operator to verify it with “assentry receipt verify --key”.',
    'no-receipt': 'A receipt is a text file whose name ends with .tlog-proof.',
  },
  from: (origin: string) => `It names the log ${origin}.`,
  tooLong: 'The file is too long to be a receipt.',
  outcome: 'What happened',
  by: 'By',
  when: 'When',
  policy: 'Policy',
  tool: 'Tool',
  request: 'Request',
  digest: 'Digest of what was asked',
  place: 'In the log',
  placeOf: (place: number, size: number) => `Entry ${number(place)} of the first ${number(size)}`,
};

export const questions: Record<ReportId, { title: string; note: string }> = {
  approvals: {
    title: 'Approvals of a tool in a period',
    note: 'What was allowed to run, who allowed it and under which policy.',
  },
  requests: {
    title: 'What was asked by agent, requester or hour',
    note: 'Every request: which agent asked, for whom, when, and how it ended. Calls that a policy let pass unasked are in the log.',
  },
  'own-approvals': {
    title: 'Did someone vote on their own request?',
    note: 'Votes of people who were, or may have been, the requester, and of those whose key asked. There should be none.',
  },
  automatic: {
    title: 'Automatic approvals',
    note: 'What a policy allowed without a person, and under which standing approval.',
  },
  overrides: {
    title: 'Emergency overrides and their reviews',
    note: 'What was approved past its policy, and what the review found.',
  },
  edited: {
    title: 'Edited before approval',
    note: 'Requests whose arguments a person changed before they were approved.',
  },
  hasty: {
    title: 'Decided in under five seconds',
    note: 'Votes that came within five seconds after the voter first opened the request. Votes of people who never opened it, as in chat, are not among them.',
  },
  'could-approve': {
    title: 'Who could approve at a time',
    note: 'Everyone who could vote at the end of that minute, with their role and groups.',
  },
  readers: { title: 'Who read content', note: 'Who opened or exported the content of requests.' },
  'policy-changes': {
    title: 'Policy changes and who approved them',
    note: 'Author, reviewer, and the lines that changed. A step without a person is the operator’s.',
  },
  access: { title: 'What one person read', note: 'What one person read, listed, exported, or was refused.' },
};

export const columns: Record<string, string> = {
  request: 'Request',
  client: 'Agent',
  requester: 'Requester',
  outcome: 'Outcome',
  lapse: 'Approval',
  server: 'Server',
  tool: 'Tool',
  policy: 'Policy',
  policy_version: 'Version',
  also_by: 'Also by',
  version: 'Version',
  decided_by: 'Decided by',
  person: 'Person',
  asked_at: 'Asked',
  decided_at: 'Decided',
  stands_in_for: 'In place of',
  choice: 'Vote',
  voted_at: 'Voted',
  grant_id: 'Standing approval',
  given_by: 'Given by',
  approvers: 'Approved by',
  by_key_maker: 'Own key',
  approved_at: 'Approved',
  review_due_at: 'Review due',
  reviewer: 'Reviewer',
  reviewed_at: 'Reviewed',
  justified: 'Justified',
  revision: 'Revision',
  seen_at: 'First opened',
  considered: 'Time taken',
  role: 'Role',
  since: 'Since',
  groups: 'Groups',
  at: 'When',
  access: 'Access',
  what: 'What',
  times: 'Times',
  change: 'Change',
  author: 'Author',
  lines_added: 'Lines added',
  lines_removed: 'Lines removed',
};

/** Codes of the log; others are shown as they are. */
export const codes: Record<string, Record<string, string>> = {
  decided_by: {
    user: 'A person',
    policy: 'Policy',
    requester: 'Requester',
    service: 'Outside service',
    timer: 'A time that ended',
    server: 'The server',
    directory: 'A change of people',
    operator: 'The operator',
  },
  outcome: {
    open: 'Open',
    accepted: 'Approved',
    declined: 'Declined',
    cancelled: 'Cancelled',
    expired: 'Expired',
  },
  presence: {
    none: 'Nothing more',
    'fresh-sign-in': 'A sign-in of the last ten minutes',
    passkey: 'A signature with a passkey',
  },
  assurance: {
    none: 'No factor',
    'single-factor': 'One factor',
    'multi-factor': 'Several factors',
  },
  lapse: {
    lapsed: 'Lapsed before it ran',
    revoked: 'Revoked before it ran',
  },
  choice: {
    accept: 'Approve',
    decline: 'Decline',
  },
  role: {
    admin: 'Administrator',
    approver: 'Approver',
  },
  access: {
    read: 'Opened',
    looked: 'Gave a reason to read',
    listed: 'Listed',
    exported: 'Exported',
    refused: 'Refused',
    'sign-in-failed': 'Sign-in failed',
  },
  what: {
    request: 'Request',
    requests: 'Requests',
    receipt: 'Receipt',
    log: 'Log',
    report: 'Audit question',
  },
  change: {
    drafted: 'Written',
    submitted: 'Submitted',
    approved: 'Approved',
    rejected: 'Rejected',
    published: 'Published',
    shadowed: 'Shadow mode',
  },
};

type Held = Pick<Hold, 'scope' | 'request' | 'server'>;

const by = (people: string[]): string => (people.length === 0 ? 'the operator' : all(people));

export const holds = {
  title: 'Legal holds',
  link: 'Legal holds',
  note: 'Records that must not be erased.',
  lead: 'Nothing in the scope of a hold is erased, by people or when the time of a policy is over. Two administrators place a hold, and two release it.',
  list: 'Legal holds',
  empty: 'Nothing is held',
  emptyNote: 'A hold appears here when two administrators have placed it: below, or on the page of a request.',
  what: 'What',
  scope: ({ scope, request, server }: Held): string =>
    ({
      request: `Request ${request}`,
      requester: `Everything that the requester of ${request} asked for`,
      server: `Everything from ${server}`,
      everything: 'Everything',
    })[scope],
  reason: 'Matter',
  reasonNote: 'It is stored readable and is never erased, so name the matter, but no people.',
  placed: 'Placed',
  placedBy: (when: string, people: string[]) => `${when}, by ${by(people)}`,
  state: 'State',
  released: (when: string, people: string[]) => `Released on ${when} by ${by(people)}`,
  release: 'Release',
  form: 'Place a hold',
  server: 'Server',
  serverNote: 'Its name; empty for everything.',
  hold: 'Hold',
  saved: 'Held.',
};
