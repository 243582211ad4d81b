import type { Audience } from '#requests/asking/contract/elicitation';

export const builtInName = 'built-in';
export const builtInPolicy = `${builtInName}@1`;

/** The audience of the caller, or approvers if the tool is destructive. */
export const audienceOf = (wish: Audience | undefined, isDestructive: boolean): Audience =>
  wish === 'approvers' || isDestructive ? 'approvers' : 'requester';
