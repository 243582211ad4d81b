import type { CancelCause, Risk, Status } from '../../../src/model/elicitation.ts';
import type { Role } from '../../../src/model/user.ts';

/** Every sentence of the parts that all pages share. */
export const risks: Record<Risk, string> = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' };

export const roleNames: Record<Role, string> = { admin: 'Administrator', approver: 'Approver', reviewer: 'Reviewer' };

const endings: Record<Status, string> = {
  open: 'Open',
  accepted: 'Approved',
  declined: 'Declined',
  cancelled: 'Cancelled',
  expired: 'Expired',
};
const causes: Partial<Record<CancelCause, string>> = {
  superseded: 'Replaced by a newer request',
  caller_gone: 'Caller left',
};
export const nameStatus = (status: Status, cause: CancelCause | null): string =>
  (status === 'cancelled' && cause !== null ? causes[cause] : undefined) ?? endings[status];

export const callers = { waiting: 'Caller waiting', gone: 'Caller gone' };
export const times = { over: 'Time is up', left: (text: string) => `${text} left` };

/** Places that more than one page names. */
export const places = { inbox: 'Inbox', policies: 'Policies', users: 'People' };

/** What every new password must be. */
export const newPassword = {
  label: 'Password',
  rule: 'At least 15 characters. A few unrelated words are easy to remember and hard to guess.',
  tooShort: (length: number) => `Use at least 15 characters; this has ${length}.`,
};

export const linkPage = { signIn: 'Go to sign in' };

export const chooseUser = 'Choose a person…';

export const shell = {
  product: 'Assentry',
  skip: 'Skip to the content',
  main: 'Main',
  waiting: (count: number) => `${count} waiting for you`,
  signOut: 'Sign out',
  shortcuts: 'Keyboard shortcuts',
  loading: 'Loading',
  signedOut:
    'You are signed out. What you typed is still here: sign in again in a new tab, then come back to this one.',
  signInAgain: 'Sign in in a new tab',
  signOutFailed: 'Signing out did not work. You are still signed in; try again.',
};

export const shortcuts = {
  title: 'Keyboard shortcuts',
  close: 'Close',
  everywhere: 'Everywhere',
  list: 'In the inbox',
  request: 'On a request of low or medium risk',
  keys: {
    everywhere: [{ keys: ['?'], does: 'Show this list' }],
    list: [
      { keys: ['j'], does: 'Next request' },
      { keys: ['k'], does: 'Previous request' },
      { keys: ['o', 'Enter'], does: 'Open it' },
      { keys: ['/'], does: 'Go to the filters' },
    ],
    request: [
      { keys: ['a', 'y'], isSequence: true, does: 'Approve: one key, then the other' },
      { keys: ['d', 'y'], isSequence: true, does: 'Decline: one key, then the other' },
      { keys: ['Esc'], does: 'Think again' },
    ],
  },
  andThen: 'then',
  or: 'or',
  turn: 'Single-key shortcuts',
  turnNote: 'Turn them off if keys get pressed by accident, or if you speak to your computer. Kept until you reload.',
};

export const problems = {
  retry: 'Try again',
  reference: (errorId: string) => `Reference for your operator: ${errorId}`,
  unknown: 'Something went wrong on this page. Nothing was decided.',
  broken: 'This page stopped working',
  brokenNote: 'Nothing was decided. Reload it; if it happens again, tell your operator what you were doing.',
  reload: 'Reload the page',
  stale: 'This could not be refreshed. What you see may be out of date.',
};

export const breakGlass = {
  used: (count: number) =>
    count === 1
      ? 'Emergency override: a request was decided past its policy and waits for a review.'
      : `Emergency override: ${count} requests were decided past their policies and wait for a review.`,
  look: 'See what happened',
};
