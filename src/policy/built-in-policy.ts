import { defaultApproverTtl, defaultRequesterTtl, type Audience, type Risk } from '../model/elicitation.ts';
import type { Stage } from '../model/stage.ts';

/** What a policy may know of a request. */
export interface PolicyRequest {
  audience: Audience | undefined;
  annotations: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
  ttl: number | undefined;
}

export interface Verdict {
  /** Name and version: pinned by the elicitation and bound into its digest. */
  policy: string;
  audience: Audience;
  stages: Stage[];
  risk: Risk;
  /** Milliseconds. */
  ttl: number;
}

export const builtInPolicy = 'built-in@1';

const anyApprover: Stage = {
  name: 'Approval',
  complete: 'all',
  groups: [{ name: 'Any approver', approve: 1, deny: 1, approvers: 'anyone', meaning: 'approved' }],
  excluded: [],
  freshVoters: false,
};

/**
 * Who must answer while no policy is written: approvers where the caller asks for approval or the tool says it is
 * destructive, else the requester. A destructive tool's caller cannot choose the requester instead.
 */
export function judge({ audience, annotations, ttl }: PolicyRequest): Verdict {
  const forApprovers = audienceOf(audience, annotations?.destructiveHint === true) === 'approvers';
  const risk = annotations?.destructiveHint ? 'high' : annotations?.readOnlyHint ? 'low' : 'medium';
  return {
    policy: builtInPolicy,
    audience: forApprovers ? 'approvers' : 'requester',
    stages: forApprovers ? [anyApprover] : [],
    risk,
    ttl: ttl ?? (forApprovers ? defaultApproverTtl : defaultRequesterTtl),
  };
}

/** Whom the caller asks, or approvers where the tool is destructive. */
export const audienceOf = (asked: Audience | undefined, isDestructive: boolean): Audience =>
  asked === 'approvers' || isDestructive ? 'approvers' : 'requester';

/** The policy's name and its rule as a sentence for the person who decides. */
export const explain = (audience: Audience): { name: string; sentence: string } => ({
  name: builtInPolicy,
  sentence:
    audience === 'approvers'
      ? 'Any approver may decide, and one vote decides. A vote to decline ends the request.'
      : 'The person at the MCP client answers this one.',
});
