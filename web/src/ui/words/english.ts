import { aloneSentences } from '../../../../src/model/words/english-power.ts';
import { mostCounted, type CancelCause, type Risk, type Status } from '../../../../src/model/elicitation.ts';
import type { BuiltInRole } from '../../../../src/model/permission.ts';
import { formatsIn } from '../../../../src/model/words/formats.ts';

const { count, number } = formatsIn('en');

/** Words of the parts that all pages share. */
export const risks: Record<Risk, string> = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' };

export const roleNames: Record<BuiltInRole, string> = {
  admin: 'Administrator',
  'policy-author': 'Policy author',
  operator: 'Operator',
  approver: 'Approver',
  reviewer: 'Reviewer',
};

export const endings: Record<Status, string> = {
  open: 'Open',
  accepted: 'Approved',
  declined: 'Declined',
  cancelled: 'Cancelled',
  expired: 'Expired',
};
export const causes: Partial<Record<CancelCause, string>> = {
  superseded: 'Replaced by a newer request',
  caller_gone: 'Caller left',
};

export const callers = { waiting: 'Caller waiting', gone: 'Caller gone' };

export const times = {
  over: 'Overdue',
  left: (text: string) => `${text} left`,
};

export const someoneGone: string = 'Someone who has left';

/** Places that more than one page names. */
export const places = {
  inbox: 'Inbox',
  history: 'History',
  insights: 'Insights',
  policies: 'Policies',
  users: 'People',
  audit: 'Audit',
  settings: 'Settings',
};

/** The rules for a new password. */
export const newPassword = {
  label: 'Password',
  rule: 'At least 15 characters. A few unrelated words are easy to remember and hard to guess.',
  tooShort: (length: number) => `Use at least 15 characters; this has ${number(length)}.`,
};

export const linkPage = { signIn: 'Go to sign in' };

export const chooseUser: string = 'Choose a person…';

/** A count of open requests, which goes no further than `mostCounted`. */
const counted = (requests: number): string => `${number(requests)}${requests < mostCounted ? '' : '+'}`;

export const shell = {
  product: 'Assentry',
  skip: 'Skip to content',
  skipToDecision: 'Skip to the decision',
  main: 'Main',
  counted,
  waiting: (requests: number) => `${counted(requests)} waiting for you`,
  groupsDue: (groups: number) => (groups === 1 ? '1 group to confirm' : `${counted(groups)} groups to confirm`),
  signOut: 'Sign out',
  account: 'Your profile:',
  shortcuts: 'Keyboard shortcuts',
  language: 'Language',
  languages: { browser: 'Browser’s language', en: 'English', de: 'Deutsch' },
  loading: 'Loading',
  signedOut: 'Your session ended. What you typed is still here: sign in again in a new tab, then come back.',
  signInAgain: 'Sign in in a new tab',
  signOutFailed: 'You couldn’t be signed out. You’re still signed in; try again.',
};

export const problems = {
  retry: 'Try again',
  reference: (errorId: string) => `Reference for your operator: ${errorId}`,
  broken: 'This page stopped working',
  brokenNote: 'Nothing was decided. Reload the page; if it happens again, tell your operator what you were doing.',
  reload: 'Reload the page',
  stale: 'This couldn’t be refreshed. What you see may be out of date.',
};

/** Of changes of who may decide. */
export const changes = {
  waiting: 'Waiting for a second administrator',
  waitingNote: 'Nothing more has changed yet: another administrator must accept this.',
  open: 'Open the request',
  alone: aloneSentences,
};

export const copying = {
  copy: 'Copy',
  copied: 'Copied',
  failed: 'The browser blocked copying. Select the text and copy it yourself.',
};

/** Of a table of like things. */
export const listTable = {
  constant: (rows: number) => `The same in all ${number(rows)}`,
  outlier: (rare: number, rows: number, column: string) => `${number(rare)} of ${number(rows)} differs: ${column}`,
  outliers: (rare: number, rows: number, column: string) => `${number(rare)} of ${number(rows)} differ: ${column}`,
  most: 'otherwise',
  sum: (column: string) => `Sum of ${column}`,
  absent: 'not given',
  row: 'No.',
  label: (name: string) => `Items of ${name}`,
};

export const charts = {
  day: 'From',
  table: 'Show as a table',
  cut: (days: string[]) => `Cut off at the top, so that the rest can be seen. ${days.join(' · ')}`,
  chartOf: (title: string) => `${title}; the table below has the numbers`,
};

export interface StopFacts {
  server: string | null;
  tool: string | null;
  by: string | null;
  reason: string;
}

/** Of what the kill switch has stopped. */
export const stopped = {
  banner: ({ server, tool, by, reason }: StopFacts) =>
    `${[tool, server].filter((name) => name !== null).join(' of ') || 'Everything'} is stopped by ${by ?? 'the operator'}: ${reason}`,
  look: 'Kill switch',
  more: (more: number) => `${count(more, { one: 'more stop', other: 'more stops' })} in force`,
};

export const breakGlass = {
  used: (requests: number) =>
    `${count(requests, { one: 'request was', other: 'requests were' })} approved by emergency override and ${requests === 1 ? 'needs' : 'need'} a review.`,
  look: 'Review',
};

export const notFound = {
  missing: 'Page not found',
  missingNote: 'The address may be incomplete. Open requests are in the inbox, past ones in the history.',
  inbox: 'Go to the inbox',
};
