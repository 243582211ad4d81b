import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import type { ToolAnnotations } from '../../../../../src/contract/servers/elicitation.ts';
import type { z } from 'zod';
import type { Part } from './changed-parts.ts';
import type { Outcome } from '../../../../../src/model/elicitation.ts';
import { describeDuration } from './grant-terms.ts';
import type { UrlWarning } from './url-facts.ts';
import { nameStatus } from '../../../ui/words.ts';

type Progress = NonNullable<ElicitationDetail['progress']>;
const users = (count: number) => (count === 1 ? 'one more person' : `${count} more people`);

export const words = {
  loading: 'Loading the request',
  tab: (tool: string) => `${tool} · Request`,
  missing: 'There is no such request',
  missingNote: 'It does not exist, or it is not for you to see. The inbox lists what is.',
  stale:
    'This page could not be refreshed. What you see may be out of date; a decision is still checked when it arrives.',
  closed: 'Closed',
  opened: 'Asked',
  unreadable: 'This request can’t be read',
  withdrawUnreadable: 'Withdraw this request',
  withdrawNote: 'It ends without a decision, and the agent is told. Nothing runs.',
  withdrawn: 'The request is withdrawn.',
};

export const look = {
  title: 'Say why you look at this request',
  note: 'You neither decide it nor own its server. You can read it for an hour; the log says that you did.',
  reason: 'Your reason, at least ten characters',
  submit: 'Show the request',
};

export const what = {
  title: 'What will run',
  on: 'on',
  arguments: 'Arguments, exactly as they will be used',
  none: 'The tool is called without arguments.',
  raw: 'These arguments cannot be laid out. This is the stored text, whole and unchanged.',
  members: (kind: 'group' | 'list', count: string) =>
    `${count} ${kind === 'list' ? 'item' : 'field'}${count === '1' ? '' : 's'}`,
  emptyText: 'empty text',
  open: (size: string) => `Show all ${size}`,
  close: 'Show less',
  end: (size: string) => `End of the value: ${size}`,
};

export const url = {
  title: 'The address that will be opened',
  none: 'This text is not an address a browser can open.',
  warnings: {
    punycode: 'The host is written in Punycode (xn--): read as letters it may imitate another name.',
    'not-https': 'Not https: what is entered there can be read and changed on the way.',
    'user-info': 'The part before the @ is a user name, not the host.',
    'address-host': 'The host is a bare network address, not a name.',
    port: 'It names a port of its own.',
  } satisfies Record<UrlWarning, string>,
};

export const who = {
  title: 'Who asks',
  requester: 'Requester',
  client: 'MCP client',
  clientNote: 'as it names itself',
  noClient: 'Not given',
  server: 'MCP server',
  tool: 'Described by the server',
  hints: 'Declared by the server',
  audience: 'To be answered by',
  audiences: { requester: 'the requester, at the MCP client', approvers: 'an approver, here' },
};

export function nameHints(annotations: z.infer<typeof ToolAnnotations>): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [
    readOnlyHint === undefined ? null : readOnlyHint ? 'read-only' : 'changing things',
    destructiveHint === undefined ? null : destructiveHint ? 'destructive' : 'not destructive',
    idempotentHint === undefined ? null : idempotentHint ? 'safe to repeat' : 'not safe to repeat',
    openWorldHint === undefined ? null : openWorldHint ? 'reaching outside' : 'staying inside',
  ];
  return hints.filter((hint) => hint !== null).join(', ');
}

export const why = {
  title: 'Why',
  question: 'The tool asks',
  agent: 'Written by the agent, not verified',
  none: 'The agent gave no reason.',
};

export const policy = {
  title: 'What the policy says',
  name: 'Policy',
};

export const explanation = {
  title: (count: number) => (count === 1 ? 'Why this policy' : `Why this policy, of ${count} that fit`),
  decided: 'decided',
  results: {
    applied: 'applies, but another decided',
    'not-applied': 'its condition does not hold',
    failed: 'its condition could not be evaluated',
  },
  holds: { true: 'holds', false: 'does not', unknown: 'unknown' },
};

export const path = {
  label: 'How far it has come',
  states: {
    done: 'Done',
    current: 'Now',
    next: 'Later',
    ended: 'Ended here',
    skipped: 'Skipped',
  },
  /** By the states of the machine. */
  phases: {
    'open.asking.requester.waiting': 'The requester is asked',
    'open.asking.requester.visited': 'The requester has opened the page',
    'open.asking.approvers.scheduled': 'Start',
  } as Partial<Record<string, string>>,
  start: 'earliest',
  missed: (names: string[]) => `before ${names.join(', ')}`,
  orEnds: (ends: Outcome[]) => `or ${listed(ends.map((end) => nameStatus(end, null).toLowerCase()))}`,
  added: 'asked for by an approver',
  complete: { all: 'Every group must be complete.', any: 'One complete group is enough.' },
  have: (have: number, need: number) => `${have} of ${need} ${need === 1 ? 'approval' : 'approvals'}`,
  refusals: (refusals: number, deny: number) =>
    `${refusals} ${refusals === 1 ? 'refusal' : 'refusals'}, ${deny} ${deny === 1 ? 'ends' : 'end'} it`,
  meanings: {
    approved: 'as approval',
    reviewed: 'as reviewed',
    responsible: 'as responsible',
    witnessed: 'as witness',
  },
  anyone: 'Anyone who may vote can still answer.',
  open: (names: string[], needed: number) => {
    if (names.length === 0) return 'Nobody can answer at the moment.';
    if (names.length < needed) return `At the moment only ${names.join(' and ')} can answer, and ${needed} are needed.`;
    const rest = names.length - mostNames;
    return `Can still answer: ${names.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  },
};

const listed = (all: string[]): string =>
  all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;

/** Beyond this a list of names is no longer read. */
const mostNames = 6;

export const others = {
  title: 'What others did',
  none: 'Nobody has voted yet.',
  noneAtAll: 'Nobody voted.',
  accept: 'approved',
  decline: 'declined',
  standsIn: (by: string, absent: string) => `${by} for ${absent}`,
  voided: 'void: the request was changed after it',
  takenBack: 'taken back',
  allowed: (duration: string) => `and the same for ${duration}, if all who approve allow it`,
};

const runsAgain = (duration: string) =>
  `lets this call run as shown, and the same run again without anybody being asked, for ${duration}.`;
const runs = 'lets this one call run, once, exactly as shown.';

export const decide = {
  title: 'Your decision',
  jump: 'Go to the decision',
  form: 'What the tool needs to know',
  formBroken: 'The form of this request cannot be shown, so it cannot be approved here. You can decline or cancel it.',
  optional: 'optional',
  comment: 'Comment',
  commentNote: 'Needed to decline. The agent and the requester can read it.',
  commentMissing: 'Say why you decline, so that the agent and the requester know what to change.',
  approveWord: 'Approve',
  approve: (tool: string) => `Approve ${tool}`,
  decline: 'Decline',
  cancel: 'Cancel request',
  before: 'What each does',
  approves: (progress: Progress | null, allowFor: number | null) => {
    const done = allowFor === null ? runs : runsAgain(describeDuration(allowFor));
    if (progress === null) return done;
    const missing = progress.need - progress.have - 1;
    if (missing > 0)
      return `counts as your vote. The call runs only after more approvals (${missing} more in this stage).`;
    if (progress.stage >= progress.stages) return done;
    return 'counts as your vote and completes this stage. The call runs only after the stages that follow.';
  },
  declines: (isLast: boolean) =>
    isLast
      ? 'ends the request. The tool does not run, and the agent reads your comment.'
      : 'counts as your vote against it. The request ends once enough people refuse.',
  voteAs: 'Whose vote',
  voteAsNote: 'They handed their vote over to you. Both names are shown.',
  ownName: 'My own',
  inPlaceOf: (name: string) => `For ${name}`,
  asSubstitute: (tool: string, name: string) => `${tool}, for ${name}`,
  cancels: 'ends the request without an answer. The tool does not run.',
  faults: (count: number) => `${count} ${count === 1 ? 'field needs' : 'fields need'} your attention.`,
  armed: (verb: string) => `${verb}? Press y to confirm, or Esc to think again.`,
  more: 'More time',
  hour: 'Add 1 hour',
  day: 'Add 1 day',
  extended: 'The deadline was moved.',
};

export const field = {
  yes: 'Yes',
  no: 'No',
  noAnswer: 'No answer',
  choose: 'Choose…',
  counted: (have: number, most: number) => `${have} of ${most} characters`,
  zone: (zone: string) => `In your time zone: ${zone}`,
};

const parts: Record<Part, string> = {
  arguments: 'the arguments',
  message: 'the question',
  reason: 'the agent’s reason',
  schema: 'the form',
  url: 'the address',
  tool: 'the tool',
  requester: 'the requester',
  server: 'the server',
  policy: 'the policy',
};

export const changed = {
  title: 'This request changed while you were reading. Nothing was decided.',
  note: (changes: Part[]) =>
    `${changes.length > 0 ? `Changed: ${changes.map((part) => parts[part]).join(', ')}. ` : ''}The page shows the new version; what you typed is kept.`,
  confirm: 'I have read the new version',
};

export const result = {
  approved: 'You approved this request. The call may run now.',
  approvalCounted: 'Your approval is counted.',
  counted: (progress: Progress | null) => {
    if (progress === null) return 'Your approval is counted. The call waits for its start.';
    const after = progress.stage < progress.stages ? ' in this stage, then for the next' : '';
    return `Your approval is counted. The call waits for ${users(progress.need - progress.have)}${after}.`;
  },
  declineCounted: 'Your vote against it is counted.',
  declined: 'You declined this request. The tool does not run.',
  cancelled: 'You cancelled this request. The tool does not run.',
  title: 'Result',
  next: 'Next request',
  toInbox: 'Nothing else waits for you. Back to the inbox',
  looking: 'Looking for the next request',
  notCounted: (why: string) => `${why} Your decision was not counted.`,
  alreadyVoted: 'You had voted before. Your first vote counts.',
  unsure:
    'Assentry could not be reached, so it is not known whether your decision arrived. This page asks again; what you typed is kept.',
  signedOut: 'You were signed out before this arrived. Nothing was decided; what you typed is kept.',
  answer: 'The answer',
  receipt: 'Receipt',
  receiptMeaning: 'A file that proves this result to anybody who has the key of this installation, without asking it.',
  by: (names: string) => `by ${names}`,
};

export const history = { title: 'Timeline' };
