import { Problem, type ProblemCode, type ProblemOptions } from '../problem.ts';

/** Why nothing came of a sign-in at an identity provider. The page for signing in has a sentence for each. */
export const signInReasons = [
  'provider-down',
  'provider-refused',
  'provider-answer-invalid',
  'sign-in-outdated',
  'not-invited',
  'address-taken',
  'access-ended',
  'other-person',
  'identity-taken',
  'not-proven-now',
] as const;
export type SignInReason = (typeof signInReasons)[number];

/** Someone who came back from a provider is refused. */
export class SignInProblem extends Problem {
  readonly reason: SignInReason;

  constructor(
    reason: SignInReason,
    { code = 'forbidden', ...options }: Pick<ProblemOptions, 'detail' | 'cause'> & { code?: ProblemCode } = {},
  ) {
    super(code, options);
    this.reason = reason;
  }
}
