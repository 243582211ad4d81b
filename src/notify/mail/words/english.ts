import { formatsIn } from '#platform/text/formats';

const { count, number } = formatsIn('en');

/** The words of mails. */
export const mail = {
  turn: (tool: string) => `Your approval is needed: ${tool}`,
  reminder: (tool: string) => `Still waiting for you: ${tool}`,
  accepted: (tool: string) => `Approved: ${tool}`,
  declined: (tool: string) => `Declined: ${tool}`,
  expired: (tool: string) => `Expired, no one decided in time: ${tool}`,
  review: (policy: string) => `A policy waits for your review: ${policy}`,
  key: (server: string) => `A key expires soon: ${server}`,
  members: (group: string) => `Members of a group wait for your confirmation: ${group}`,
  report: (tool: string) => `A service reported, and no call got it: ${tool}`,
  changed: (tool: string) => `A tool of your server changed: ${tool}`,
  signIn: {
    password: 'Your password for Assentry was set',
    'passkey-added': 'A passkey was added to your account',
    'passkey-removed': 'A passkey of your account was removed',
    'app-added': 'An authenticator app was added to your account',
    'app-removed': 'The authenticator app of your account was removed',
    'recovery-codes': 'You have new recovery codes',
    'provider-connected': 'Your account was connected to an identity provider',
    'provider-removed': 'Your account was disconnected from an identity provider',
    address: 'Assentry writes to you at another address now',
  },
  signInNote:
    'If it was you, there is nothing to do. If not, end your other sessions on the page of your account, and tell an administrator.',
  link: 'Set your password for Assentry',
  linkNote: (until: string) =>
    `An administrator of Assentry asks you to set a password. This link works once, until ${until}. Give it to no one.`,
  resetNote:
    'Using it also removes your passkeys and your authenticator app, and you add new ones. If you did not ask for this, do not use it, and say so to the operator.',
  test: 'A test from Assentry',
  testNote: 'Mails from Assentry reach you at this address.',
  several: (notices: number) => count(notices, { one: 'notice', other: 'notices' }),
  more: (notices: number) => `And ${number(notices)} more: see your inbox.`,
  tool: 'Tool',
  server: 'Server',
  risk: 'Risk',
  risks: { low: 'low', medium: 'medium', high: 'high' },
  until: 'Until',
  open: 'Open in Assentry',
  footer: 'You can decide only in Assentry, after you have signed in. This mail shows no content of the request.',
};

/** The words of notifications in browsers that mails do not have. */
export const push = { testNote: 'Notifications from Assentry reach this device.' };

/** The words of messages in chats. */
export const call = {
  waiting: (tool: string) => `Approval needed: ${tool}`,
  reminded: (tool: string) => `Still waiting for approval: ${tool}`,
  withdrawn: (tool: string) => `Withdrawn: ${tool}`,
};
