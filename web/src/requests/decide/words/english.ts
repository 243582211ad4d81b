import type { z } from 'zod';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { ToolAnnotations } from '#requests/asking/contract/open';
import type { Audience } from '#requests/asking/contract/elicitation';
import type { Meaning } from '#requests/voting/contract/quorum';
import { formatsIn } from '#platform/text/formats';
import type { Part } from './url-facts.ts';
import type { UrlWarning } from './url-facts.ts';

const { all, any, count, duration, number } = formatsIn('en');

type Progress = NonNullable<ElicitationDetail['progress']>;

const approvals = { one: 'approval', other: 'approvals' };

export const words = {
  loading: 'Loading the request',
  tab: (tool: string) => `${tool} · Request`,
  missing: 'Request not found',
  missingNote: 'It doesn’t exist, or you don’t have access to it.',
  stale: 'This page couldn’t be refreshed and may be out of date. Your decision is still checked when it arrives.',
  closed: 'Closed',
  opened: 'Requested',
  stopTool: 'Stop this tool…',
  unreadable: 'This request can’t be read',
  withdrawUnreadable: 'Withdraw this request',
  withdrawNote: 'It ends without a decision, and the agent is told. Nothing runs.',
  withdrawn: 'The request is withdrawn.',
};

export const what = {
  title: 'What will run',
  on: 'on',
  reaches: 'The server runs',
  arguments: 'Arguments, exactly as they will be used',
  none: 'The tool is called without arguments.',
  raw: 'These arguments can’t be shown as a table. This is the stored text, complete and unchanged.',
  members: (kind: 'group' | 'list', members: number) =>
    count(members, kind === 'list' ? { one: 'item', other: 'items' } : { one: 'field', other: 'fields' }),
  emptyText: 'empty text',
  open: (size: string) => `Show all ${size}`,
  close: 'Show less',
  end: (size: string) => `End of the value: ${size}`,
  openMembers: (values: number) => `Show all ${count(values, { one: 'value', other: 'values' })}`,
  endMembers: (values: number) => `End of ${count(values, { one: 'value', other: 'values' })}`,
  numberHost: (address: string) => `The host is written as a number. It means ${address}.`,
  warnings: {
    ambiguous: 'Two programs may read this address differently: which host it leads to is not certain.',
    punycode: 'The host is written in Punycode (xn--) and may imitate another name.',
    'user-info': 'The part before the @ is a name, not the host.',
  },
};

export const url = {
  title: 'The address that will open',
  none: 'This text isn’t an address that a browser can open.',
  warnings: {
    ambiguous: 'Two programs may read this address differently: which host it leads to is not certain.',
    punycode: 'The host is written in Punycode (xn--) and may imitate another name.',
    'not-https': 'Not https: what you enter there can be read and changed on the way.',
    'user-info': 'The part before the @ is a name, not the host.',
    'address-host': 'The host is a bare network address, not a name.',
    port: 'It uses an unusual port.',
  } satisfies Record<UrlWarning, string>,
};

export const who = {
  title: 'Requested by',
  requester: 'Requester',
  client: 'MCP client',
  clientNote: 'self-reported',
  noClient: 'Not given',
  server: 'MCP server',
  tool: 'Tool description',
  hints: 'Tool hints',
  audience: 'Decided by',
  audiences: { requester: 'the requester, at the MCP client', approvers: 'approvers' } satisfies Record<
    Audience,
    string
  >,
};

export function nameHints(annotations: z.infer<typeof ToolAnnotations>): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [
    readOnlyHint === undefined ? null : readOnlyHint ? 'The server says that it only reads' : 'Makes changes',
    destructiveHint === undefined ? null : destructiveHint ? 'Destructive' : 'Not destructive',
    idempotentHint === undefined ? null : idempotentHint ? 'Repeatable' : 'Not repeatable',
    openWorldHint === undefined ? null : openWorldHint ? 'External effects' : 'No external effects',
  ];
  return hints.filter((hint) => hint !== null).join(' · ');
}

export const why = {
  title: 'Why',
  question: (server: string) => `Request, in the words of ${server}`,
  agent: 'Agent’s reason (unverified)',
  none: 'The agent gave no reason.',
};

export const policy = {
  title: 'Approval rule',
  name: 'Policy',
  grant: 'Allowed by a standing approval.',
  breakGlass: 'Approved past the policy, by emergency override.',
};

export const explanation = {
  title: (policies: number) =>
    policies === 1 ? 'Why this policy' : `Why this policy, of ${number(policies)} that match`,
  passedOver: (policies: number) => `The conditions of ${number(policies)} more aren’t met:`,
  rule: (place: number) => `Rule ${number(place)} of`,
  decided: 'decided',
  why: {
    default: 'None of these decided, so the built-in rule applies.',
    together: 'A condition couldn’t be evaluated, so what these require is added up.',
    denial: 'It denies, and a denial wins over everything else.',
    failed: 'Its condition couldn’t be evaluated, so it applies to be safe.',
    only: 'It’s the only one whose conditions are met.',
    first:
      'Of the policies whose conditions are met, it comes first: the highest priority wins; if equal, what needs approval wins over what allows, then the name decides.',
    next: 'A policy before it would allow, but can’t allow this request, so the next one decided.',
  },
  results: {
    applied: 'applies, but another one decided',
    'not-applied': 'its condition isn’t met',
    failed: 'its condition couldn’t be evaluated',
  },
  holds: { true: 'met', false: 'not met', unknown: 'unknown' },
};

export const path = {
  label: 'Progress',
  states: {
    done: 'Done',
    current: 'In progress',
    next: 'Up next',
    ended: 'Ended here',
    skipped: 'Skipped',
  },
  /** By the states of the machine. */
  phases: {
    'open.asking.requester.waiting': 'Waiting for the requester',
    'open.asking.requester.visited': 'The requester has opened the page',
    'open.asking.approvers.scheduled': 'Start',
  } as Partial<Record<string, string>>,
  start: 'at the earliest',
  missed: (names: string[]) => `before ${all(names)}`,
  orEnds: (endings: string[]) => `or ${any(endings.map((ending) => ending.toLowerCase()))}`,
  added: 'added by an approver',
  complete: { all: 'Every group must approve.', any: 'One group is enough.' },
  have: (have: number, need: number) => `${number(have)} of ${count(need, approvals)}`,
  refusals: (refusals: number, deny: number) =>
    `${number(refusals)} declined, ${number(deny)} ${deny === 1 ? 'ends' : 'end'} it`,
  meanings: {
    approved: 'as approval',
    reviewed: 'as reviewed',
    responsible: 'as responsible',
    witnessed: 'as witness',
  } satisfies Record<Meaning, string>,
  anyone: 'Waiting for anyone who can vote',
  noOneLeft: 'No one can vote at the moment.',
  tooFew: (names: string[], needed: number) =>
    `Only ${all(names)} can vote at the moment; ${count(needed, approvals)} are still needed.`,
  waitingFor: (names: string[], more: number) =>
    `Waiting for ${any(more > 0 ? [...names, `${number(more)} more`] : names)}`,
};

export const others = {
  title: 'Votes',
  none: 'None yet.',
  noneAtAll: 'No one voted.',
  accept: 'approved',
  decline: 'declined',
  standsIn: (by: string, absent: string) => `${by} for ${absent}`,
  voided: 'void: the request was changed afterwards',
  takenBack: 'withdrawn',
  allowed: (milliseconds: number) => `and the same for ${duration(milliseconds)}, if everyone who approves allows it`,
};

export const changed = {
  title: 'This request changed while you were reading. Nothing was decided.',
  parts: {
    arguments: 'the arguments',
    message: 'the question',
    reason: 'the agent’s reason',
    schema: 'the form',
    url: 'the address',
    tool: 'the tool',
    requester: 'the requester',
    server: 'the server',
    policy: 'the policy',
  } satisfies Record<Part, string>,
  changes: (parts: string[]) => `Changed: ${all(parts)}. `,
  note: 'The page shows the new version; what you typed is kept.',
  confirm: 'I have read the new version',
};

export const result = {
  approved: 'Approved. The call can run.',
  started: (time: string) => `Approved. Started ${time}.`,
  approvalCounted: 'Your approval is counted.',
  settling: 'Approved. The call runs in a moment, unless you take it back.',
  scheduled: 'Your approval is counted. The call is waiting for its start time.',
  counted: ({ need, have, stage, stages }: Progress) => {
    const after = stage < stages ? ' in this stage, then for the next' : '';
    return `Your approval is counted. The call is waiting for ${count(need - have, { one: 'more person', other: 'more people' })}${after}.`;
  },
  declineCounted: 'Your vote against it is counted.',
  declined: 'Declined. The tool doesn’t run.',
  cancelled: 'Request withdrawn. The tool doesn’t run.',
  title: 'Result',
  next: 'Next request',
  toInbox: 'Nothing else is waiting for you. Back to the inbox',
  queueDone: 'Nothing else is waiting in this queue. Back to the inbox',
  looking: 'Looking for the next request',
  notCounted: (why: string) => `${why} Your decision was not counted.`,
  alreadyVoted: 'You’ve already voted. Your first vote counts.',
  unsure:
    'Assentry couldn’t be reached, so your decision may not have arrived. This page checks; what you typed is kept.',
  missing: 'Your decision didn’t arrive, and nothing was decided by it. What you typed is kept.',
  signedOut: 'Your session ended before this arrived. Nothing was decided; what you typed is kept.',
  answer: 'Answer',
  receipt: 'Download receipt',
  receiptMeaning: 'Signed proof of this result, verifiable offline.',
  by: (names: string[]) => `by ${all(names)}`,
};

/** Shown to administrators and reviewers before they may read a request. */
export interface SaidVote {
  name: string;
  action: 'accept' | 'decline';
  when: string;
  after: string;
  isVoid: boolean;
}

/** Of a request whose content takes a reason to read. */
export const withoutContent = {
  title: 'What the log says',
  tool: 'Tool',
  policy: 'Policy',
  asked: 'Asked',
  ended: 'Ended',
  after: (when: string, duration: string) => `${when}, after ${duration}`,
  override: 'Emergency override',
  votes: 'Votes',
  noVotes: 'No one has voted.',
  vote: ({ name, action, when, after, isVoid }: SaidVote) =>
    `${name} ${action === 'accept' ? 'approved' : 'declined'}, ${when}, after ${after}${isVoid ? '; no longer counts' : ''}`,
  timeline: 'Timeline and proofs',
};

export const look = {
  withoutContent: 'A request whose content you have not read',
  title: 'Say why you need to read this request',
  note: 'You aren’t an approver of this request and don’t own its server. If you give a reason, you can read it for an hour; the log records that you did.',
  reason: 'Your reason, at least ten characters',
  submit: 'Show the request',
};
