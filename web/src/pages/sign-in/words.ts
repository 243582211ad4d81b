import type { ProblemCode } from '../../../../src/model/problem.ts';

export const words = {
  title: 'Sign in',
  note: 'To see what waits for your decision.',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  byLink: 'Signing you in with your link…',
  emailMissing: 'Enter your email address.',
  passwordMissing: 'Enter your password.',
  linkFailed: 'This link no longer works: it has been used, or its time is over. Ask for a new one, or sign in below.',
};

const noMatch = 'Email and password do not match. Check both, then try again.';

/** One sentence for a wrong address and a wrong password alike: which of them exist is nobody's business. */
export const failures: Partial<Record<ProblemCode, string>> = {
  unauthenticated: noMatch,
  forbidden: noMatch,
  INVALID_INPUT: noMatch,
  'rate-limited': 'Too many attempts. Wait a few minutes, then try again.',
  unavailable: 'Assentry cannot be reached. Check your connection, then try again.',
};
