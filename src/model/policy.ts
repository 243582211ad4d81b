/** The way of a version: only a draft's words change, and only an approved one is published. */
export const versionStates = ['draft', 'in-review', 'approved', 'rejected'] as const;
export type VersionState = (typeof versionStates)[number];

export const policyNamePattern = /^[a-z0-9-]{1,64}$/;

/** `name@version`: what an elicitation pins. */
export const policyPin = (name: string, version: number): string => `${name}@${version}`;

/** Who answers for a tool that no policy decides about and that says nothing of itself; or that it is denied. */
export const unknownToolRules = ['requester', 'approvers', 'deny'] as const;
export type UnknownToolRule = (typeof unknownToolRules)[number];

/** Whose requests may be approved: of anyone, or of those whose access token Assentry has checked itself. */
export const requesterRules = ['verified', 'any'] as const;
export type RequesterRule = (typeof requesterRules)[number];

/** What holds where no policy says otherwise. */
export interface PolicyDefaults {
  unknownTools: UnknownToolRule;
  /** At medium and high risk. */
  requester: RequesterRule;
}

/** In production it is strict; an installation of any other name can be tried alone. */
export const policyDefaults = (environment: string): PolicyDefaults =>
  environment === 'production'
    ? { unknownTools: 'approvers', requester: 'verified' }
    : { unknownTools: 'requester', requester: 'any' };
