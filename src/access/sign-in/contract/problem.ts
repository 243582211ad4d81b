import { Problem, type ProblemCode, type ProblemOptions } from '#platform/model/problem';

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

/**
 * A provider's name of a failure (RFC 6749, 4.1.2.1 and 5.2). It is for the operator's log: anyone can write it into the
 * address.
 */
export interface ProviderError {
  error: string;
  description: string | null;
}

interface SignInProblemOptions extends Pick<ProblemOptions, 'detail' | 'cause'> {
  code?: ProblemCode;
  said?: ProviderError | null;
}

/** Someone who came back from a provider is refused. */
export class SignInProblem extends Problem {
  readonly reason: SignInReason;
  /** Null if the provider named no error. */
  readonly said: ProviderError | null;

  constructor(reason: SignInReason, { code = 'forbidden', said = null, ...options }: SignInProblemOptions = {}) {
    super(code, options);
    this.reason = reason;
    this.said = said;
  }
}
