import type { SignInReason } from '#access/sign-in/contract/problem';

export const words = {
  withProvider: (name: string) => `Sign in with ${name}`,
  withPassword: 'Sign in with a password',
  emergencyOnly: 'For the day the provider can’t be reached.',
  useProvider: 'Sign in with the provider: passwords are for the day it can’t be reached.',
  goOn: 'Go on without it',
  aProvider: 'The provider',
};

/** What to do, by why nothing came of it. */
export const reasons: Record<SignInReason, (provider: string) => string> = {
  'provider-down': (provider: string) =>
    `Try again in a moment: ${provider} doesn’t answer. If you have a password for this, use it.`,
  'provider-refused': (provider: string) =>
    `Try again, or ask those who look after ${provider}: it didn’t sign you in.`,
  'provider-answer-invalid': (provider: string) =>
    `Begin again. If this repeats, tell an administrator: the answer of ${provider} could not be verified.`,
  'sign-in-outdated': () =>
    'Begin again: this sign-in was begun in another browser or at another address, was already used, or took more than ten minutes.',
  'not-invited': (provider: string) =>
    `Ask an administrator to add you: no one here is connected with who you are at ${provider}.`,
  'address-taken': (provider: string) =>
    `Sign in as before, and connect ${provider} on your profile: someone with your address is already here.`,
  'access-ended': () => 'Ask an administrator: your access has ended.',
  'other-person': (provider: string) =>
    `Sign in at ${provider} as yourself: the person who came back is not the one who is signed in here.`,
  'identity-taken': (provider: string) =>
    `Sign in at ${provider} as yourself: this sign-in belongs to someone else here.`,
  'not-proven-now': (provider: string) =>
    `Try again, and sign in at ${provider} when it asks: it didn’t say that you just did.`,
};
