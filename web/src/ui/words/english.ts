import { maxCounted, type CancelCause, type Risk, type Status } from '#requests/asking/contract/elicitation';
import type { BuiltInRole } from '#people/directory/contract/permission';
import { formatsIn } from '#platform/text/formats';

const { number } = formatsIn('en');

/** Words of the parts that all pages share. */
export const risks: Record<Risk, string> = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' };

/** Its stages are named in the log, where every language finds them by the same words. */
export const builtIn = {
  policy: 'built-in',
  stages: { Approval: 'Approval', 'Second administrator': 'Second administrator' } as Record<string, string>,
};

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

export const digits = { decimalPoint: 'decimal point' };

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

/** A count of open requests, which goes no further than `maxCounted`. */
const counted = (requests: number): string => `${number(requests)}${requests < maxCounted ? '' : '+'}`;

export const shell = {
  product: 'Assentry',
  skip: 'Skip to content',
  skipToDecision: 'Skip to the decision',
  main: 'Main',
  counted,
  waiting: (requests: number) => `${counted(requests)} waiting for you`,
  signOut: 'Sign out',
  account: 'Your profile:',
  find: 'Find a page or an action',
  shortcuts: 'Keyboard shortcuts',
  togglePassword: 'Show or hide the password',
  language: 'Language',
  languages: { browser: 'Browser’s language', en: 'English', de: 'Deutsch', fr: 'Français' },
  loading: 'Loading',
  signedOut: 'Your session ended. What you typed is still here: sign in again in a new tab, then come back.',
  signInAgain: 'Sign in in a new tab',
  signOutFailed: 'You couldn’t be signed out. You’re still signed in; try again.',
};

export const problems = {
  retry: 'Try again',
  reference: (errorId: string) => `Reference for your operator: ${errorId}`,
  broken: 'This page couldn’t be loaded',
  brokenNote:
    'Check your connection, then reload the page. If it happens again, tell your operator what you were doing.',
  reload: 'Reload the page',
  stale: 'This couldn’t be refreshed. What you see may be out of date.',
};

export const notFound = {
  missing: 'Page not found',
  missingNote: 'The address may be incomplete. Open requests are in the inbox, past ones in the history.',
  inbox: 'Go to the inbox',
};
