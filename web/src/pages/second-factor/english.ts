export const words = {
  title: 'Finish signing in',
  prove: 'This installation asks for a second factor after your first.',
  byPasskey: 'Use your passkey',
  or: 'Or with your authenticator app:',
  lost: 'Lost it? Ask an administrator, or the operator, for a link that resets your second factors.',
  enrol: 'This installation asks for a second factor. Add one now; you use it each time you sign in.',
  passkey: 'Passkey',
  passkeyNote:
    'Your finger, face or PIN on this device or on a security key. No address can trick you into giving it away.',
  addPasskey: 'Add a passkey',
  passkeyAdded: 'Your passkey is added. Use it once to finish.',
  app: 'Authenticator app',
  appNote: 'An app on your phone that shows a new code every thirty seconds.',
  addApp: 'Set up an app',
  signOut: 'Sign out',
};
