/** The words of proving again who one is, and of signing. */
export const fresh = {
  title: 'Confirm that it’s you to continue. Nothing has been submitted.',
  note: 'What you typed is kept. After confirming, press the same button again.',
  password: 'Password',
  confirm: 'Confirm',
  byPasskey: 'Confirm with a passkey',
  factor: 'Confirm your second factor to continue. Nothing has been submitted.',
  done: 'Confirmed. Press the same button again.',
  atProvider: (name: string) => `Confirm with ${name} that it’s you. Nothing has been submitted.`,
  atProviderNote:
    'You come back to this page, and then press the same button again. Copy what you typed: this page doesn’t keep it.',
  providerDown: (name: string) => `${name} doesn’t answer. Try again in a moment.`,
  goToProvider: (name: string) => `Confirm with ${name}`,
  vouched: (acr: string) =>
    `The policy needs a sign-in at your identity provider that it confirms as ${acr}. Nothing has been submitted.`,
  connectFirst: 'Connect an identity provider on your profile first.',
};

export const passkeys = {
  signIn: 'Sign in with a passkey',
  added: 'Added',
  used: 'last used',
  unused: 'not used yet',
  kept: { synced: 'In a password manager', syncable: 'On one device, may be synced', device: 'On one device only' },
  notSigned: 'Nothing was signed: it was cancelled, or this device has no passkey for Assentry. Try again.',
};

/** What a browser is called. */
export const device = {
  named: (browser: string, system: string) => `${browser} on ${system}`,
  unknown: 'Unknown browser',
};
