import type { Assurance, SecondFactor, SignInMethod } from '#access/sign-in/contract/authentication';
import { formatsIn } from '#platform/text/formats';

const { count } = formatsIn('en');

export const words = {
  title: 'Your profile',
  lead: 'Your notifications, how the console looks here, and where you’re signed in.',
  name: 'Name',
  nameNote:
    'Your name appears on receipts and in the log next to what you decide, so an administrator changes it, not you. The same holds for your email address and role.',
};

export const devices = {
  title: 'Notifications on your devices',
  note: 'A device notifies you of requests that wait for you, even when the console isn’t open. A notification names the tool, the server and the risk, never the content. On a phone, add Assentry to the home screen first.',
  turnOn: 'Turn on for this browser',
  turnedOn: 'This browser shows notifications from now on.',
  unsupported:
    'This browser can’t show notifications here. It needs https, and on an iPhone the app on the home screen.',
  denied: 'You’ve blocked notifications from Assentry in this browser. Allow them in its site settings, then reload.',
  this: 'This browser',
  since: 'Added',
  test: (device: string) => `Send a test to ${device}`,
  testSent: 'A test is on its way.',
  remove: (device: string) => `Turn off for ${device}`,
  removed: 'This device no longer shows notifications.',
};

export const settings = {
  title: 'How and when you’re notified',
  email: 'Notify me by email',
  emailNote: 'An email names the tool, the server, the risk and the deadline, never the content.',
  noMails: 'This installation sends no email. The operator can set ASSENTRY_SMTP_URL.',
  testMail: 'Send me a test notification',
  testSent: 'A test is on its way.',
  language: 'Language of notifications',
  timeZone: 'Time zone',
  timeZoneNote: 'Type a part of its name, such as a city.',
  timeZoneUnknown: 'Choose a time zone of the list.',
  digest: 'Group notifications',
  digests: { none: 'No, notify me at once', hourly: 'Every full hour', daily: 'At nine in the morning' },
  quiet: 'Keep quiet hours',
  quietNote: 'Notifications wait until the quiet hours end. Deadlines don’t move.',
  urgent: 'Notify me of urgent requests at once',
  urgentNote: 'A policy can mark its requests as urgent. They arrive in quiet hours as well and aren’t grouped.',
  from: 'From',
  until: 'Until',
  save: 'Save',
  saved: 'Saved.',
};

export const appearance = {
  title: 'Appearance',
  note: 'Kept in this browser.',
  theme: 'Theme',
  themes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  language: 'Language of the console',
  density: 'Lists',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
  split: 'Show list and request next to each other',
  splitNote: 'On screens that are at least 1440 pixels wide.',
};

export const credentials = {
  title: 'Your credentials for servers',
  note: 'A server behind the gateway is called with what you have entered for it. No one is shown it again, not even you.',
  empty:
    'A server asks for your credentials when you first call it: your MCP client then shows a link. They appear here.',
  stored: 'Stored',
  used: 'first used',
  unused: 'not used yet',
  refused: 'Replace them: the server didn’t take them,',
  replace: (server: string) => `Replace for ${server}`,
  replaced: 'Your credentials are replaced.',
  remove: (server: string) => `Remove for ${server}`,
  removed: 'Your credentials are removed.',
  next: (server: string) => `New credentials for ${server}`,
  nextNote: 'Used from the next call, within ten seconds.',
  missing: 'Enter the new credentials.',
  save: 'Replace credentials',
  cancel: 'Cancel',
};

export const passkeys = {
  title: 'Passkeys',
  note: 'A passkey signs you in with your finger, face or PIN, and signs your votes where a policy asks for it. It stays on your device or with its maker’s cloud; Assentry has only its public key.',
  add: 'Add a passkey',
  name: 'Name',
  nameNote: 'By which you recognise it here.',
  nameMissing: 'Enter a name.',
  create: 'Create passkey',
  cancel: 'Cancel',
  addedNow: 'Your passkey is added.',
  remove: (name: string) => `Remove ${name}`,
  removed: 'The passkey is removed, and you’re signed out everywhere else.',
  elsewhere: 'Sign in and add one at this address, for browsers bind a passkey to the name under which it is made:',
  impossible:
    'Open Assentry in a current browser, by https and under a name, not an IP address: no passkey can be made here.',
};

export const totp = {
  title: 'Authenticator app',
  note: 'An app on your phone that shows a new code every thirty seconds. With your password it signs you in where a second factor is required.',
  add: 'Set up an app',
  since: 'Set up',
  left: (codes: number) => `${count(codes, { one: 'recovery code', other: 'recovery codes' })} left`,
  renew: 'Replace recovery codes',
  renewed: 'Your earlier recovery codes count no more.',
  remove: 'Remove the app',
  removed: 'The app is removed, and you’re signed out where you signed in with it.',
};

export const password = {
  title: 'Password',
  note: 'You stay signed in here and are signed out everywhere else. Notifications on your other devices end as well.',
  current: 'Current password',
  currentMissing: 'Enter your current password.',
  next: 'New password',
  submit: 'Change password',
  changed: 'Your password is changed.',
};

export const sessions = {
  title: 'Where you’re signed in',
  note: 'Sign out any session you don’t recognise, then change your password.',
  from: 'Signed in from',
  nowhere: 'an unknown address',
  signedIn: 'Signed in',
  lastSeen: 'last used',
  end: (device: string) => `Sign out ${device}`,
  ended: 'Signed out there.',
  endOthers: 'Sign out everywhere else',
  othersEnded: 'You’re signed in only here.',
  methods: {
    password: 'Password',
    link: 'One-time link',
    passkey: 'Passkey',
    oidc: 'Identity provider',
  } satisfies Record<SignInMethod, string>,
  secondFactors: {
    totp: 'authenticator app',
    'recovery-code': 'recovery code',
  } satisfies Record<SecondFactor, string>,
  assurances: {
    none: 'nothing of your own proven',
    'single-factor': 'one factor',
    'multi-factor': 'two factors',
  } satisfies Record<Assurance, string>,
};
