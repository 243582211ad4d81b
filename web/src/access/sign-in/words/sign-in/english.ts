import type { ProblemCode } from '#platform/model/problem';

const noMatch = 'Email and password don’t match. Check both and try again.';

export const words = {
  title: 'Sign in',
  note: 'See what’s waiting for your decision.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  byLink: 'Signing you in with your link…',
  emailMissing: 'Enter your email address.',
  passwordMissing: 'Enter your password.',
  linkFailed: 'This link no longer works: it has been used or has expired. Ask for a new one, or sign in below.',
};

/** One sentence for a wrong address and a wrong password alike, so that no one can find out which addresses exist. */
export const failures: Partial<Record<ProblemCode, string>> = {
  unauthenticated: noMatch,
  forbidden: noMatch,
  INVALID_INPUT: noMatch,
  'rate-limited': 'Too many attempts. Wait a few minutes, then try again.',
  unavailable: 'Assentry can’t be reached. Check your connection, then try again.',
};
