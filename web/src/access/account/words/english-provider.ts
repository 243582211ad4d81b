export const providers = {
  title: 'Sign-in with a provider',
  note: 'Where you sign in instead of entering a password here. You connect one by signing in there.',
  connected: 'Connected',
  used: 'last used',
  notConnected: 'Not connected',
  connect: (name: string) => `Connect ${name}`,
  remove: (name: string) => `Disconnect ${name}`,
  signedIn: (name: string) => `Signed in with ${name}`,
  removed: 'Disconnected.',
};
