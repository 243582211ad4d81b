import type { Risk } from '#requests/asking/contract/elicitation';

/** The life of a version: only a draft's text can change, and only an approved version can be published. */
export const versionStates = ['draft', 'in-review', 'approved', 'rejected'] as const;
export type VersionState = (typeof versionStates)[number];

export const policyNamePattern = /^[a-z0-9-]{1,64}$/;

/** `name@version`: what an elicitation pins. */
export const policyPin = (name: string, version: number): string => `${name}@${version}`;

/** The name in such a pin. */
export const nameInPin = (pin: string): string => pin.split('@')[0] ?? '';

/** Audience of a tool without annotations that no policy covers; or that it is denied. */
export const unknownToolRules = ['requester', 'approvers', 'deny'] as const;
type UnknownToolRule = (typeof unknownToolRules)[number];

/** Requesters whose requests may be approved: anyone, or only if Assentry has checked the access token itself. */
export const requesterRules = ['verified', 'any'] as const;
export type RequesterRule = (typeof requesterRules)[number];

/** The defaults if no policy says otherwise. */
export interface PolicyDefaults {
  unknownTools: UnknownToolRule;
  /** At medium and high risk. */
  requester: RequesterRule;
  /** Milliseconds, at high risk. */
  readingTime: number;
}

/** May one person try everything alone? An installation of any other name is strict, however the name is spelled. */
export const isTrial = (environment: string | undefined): boolean => environment === 'trial';

export const policyDefaults = (environment: string): PolicyDefaults =>
  isTrial(environment)
    ? { unknownTools: 'requester', requester: 'any', readingTime: 0 }
    : { unknownTools: 'approvers', requester: 'verified', readingTime: 5_000 };

/** Why a policy has no part in the decision of a call. */
export type PolicyAside =
  /** Its `match` is about others. */
  | { kind: 'other-calls' }
  /** These parts of its condition do not hold; empty if it is not said which. */
  | { kind: 'condition'; clauses: string[] }
  | { kind: 'failed'; failure: string }
  /** Its ceiling is below the risk of the call. */
  | { kind: 'ceiling'; ceiling: Risk; risk: Risk }
  /** Nothing is let pass while another one cannot be evaluated. */
  | { kind: 'other-failed'; policy: string }
  /** Another one decides. */
  | { kind: 'outranked'; policy: string };
