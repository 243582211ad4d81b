/** The way of a version: only a draft's words change, and only an approved one is published. */
export const versionStates = ['draft', 'in-review', 'approved', 'rejected'] as const;
export type VersionState = (typeof versionStates)[number];

export const policyNamePattern = /^[a-z0-9-]{1,64}$/;

/** `name@version`: what an elicitation pins. */
export const policyPin = (name: string, version: number): string => `${name}@${version}`;
