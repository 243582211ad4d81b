import type { Assurance } from '../../sign-in/contract/authentication.ts';
import { isTrial } from '#policies/contract/policy';

/** Whether a session opens anything before more than one factor was proven in it. */
export const secondFactorRules = ['required', 'optional'] as const;
export type SecondFactorRule = (typeof secondFactorRules)[number];

export const defaultSecondFactor = (environment: string): SecondFactorRule =>
  isTrial(environment) ? 'optional' : 'required';

/** Missing steps of a sign-in: to prove a second factor, or for someone who has none, to enrol one. */
export const signInSteps = ['prove-factor', 'enrol-factor'] as const;
export type SignInStep = (typeof signInSteps)[number];

/** The step that is left before a session opens anything else; null if it is complete. */
export function stepLeft(
  rule: SecondFactorRule,
  { assurance, hasFactor }: { assurance: Assurance; hasFactor: boolean },
): SignInStep | null {
  if (rule === 'optional' || assurance === 'multi-factor') return null;
  return hasFactor ? 'prove-factor' : 'enrol-factor';
}
