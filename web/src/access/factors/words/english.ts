export const words = {
  title: 'Finish signing in',
  prove: 'Almost there: this installation also asks for a second factor.',
  byPasskey: 'Use your passkey',
  or: 'Or with your authenticator app:',
  lost: 'Lost it? Ask an administrator, or the operator, for a link that resets your second factors.',
  enrol: 'This installation asks for a second factor. Add one now; you use it each time you sign in.',
  passkey: 'Passkey',
  passkeyNote:
    'Your finger, face or PIN on this device or on a security key. It works at this address alone, so no false page can take it from you.',
  addPasskey: 'Add a passkey',
  passkeyAdded: 'Your passkey is added. Use it once to finish.',
  app: 'Authenticator app',
  appNote: 'An app on your phone that shows a new code every thirty seconds.',
  addApp: 'Set up an app',
  signOut: 'Sign out',
};
