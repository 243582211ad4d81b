import type { Audience } from '#protocol/model/elicitation';

export const builtInName = 'built-in';
export const builtInPolicy = `${builtInName}@1`;

/** The audience of the caller, or approvers if the tool is destructive. */
export const audienceOf = (wish: Audience | undefined, isDestructive: boolean): Audience =>
  wish === 'approvers' || isDestructive ? 'approvers' : 'requester';
