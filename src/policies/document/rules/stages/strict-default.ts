import { ownServer, testServer } from '#platform/model/names';
import { audienceOf, builtInPolicy } from '../verdict/built-in-policy.ts';
import type { Facts } from '../document/facts.ts';
import { onlyRequester } from './stage-plan.ts';
import type { StagePlan } from '../verdict/verdict.ts';
import type { FreezeWindow } from '../document/policy-document.ts';
import { plainTerms, type Terms } from '../document/term-list.ts';

/** A requirement before it is put into a verdict. */
export interface Requirement extends Terms {
  policy: string;
  stages: StagePlan[];
  freeze: FreezeWindow[];
  frozen: string[];
}

const approval: StagePlan = {
  name: 'Approval',
  complete: 'all',
  groups: [{ name: 'Approval', approve: { count: 1 }, deny: 1, approvers: [{ kind: 'anyone' }], meaning: 'approved' }],
  escalation: null,
  separation: onlyRequester,
  excluded: [],
};

/** One approver, anyone but the requester: used if a policy could not be evaluated or may not allow. */
export const strictDefault: Requirement = {
  policy: builtInPolicy,
  stages: [approval],
  freeze: [],
  frozen: [],
  ...plainTerms,
};

/**
 * What changes who may decide is accepted by another administrator, or one of the space it is about. Policies that name
 * Assentry itself can require more, and never less.
 */
export const secondAdministrator = (ofSpace: readonly string[] = []): Requirement => ({
  ...strictDefault,
  stages: [
    {
      ...approval,
      name: 'Second administrator',
      groups: [
        {
          name: 'Second administrator',
          approve: { count: 1 },
          deny: 1,
          approvers: [{ kind: 'role', role: 'admin' }, ...ofSpace.map((email) => ({ kind: 'user', email }) as const)],
          meaning: 'approved',
        },
      ],
    },
  ],
  risk: 'high',
  deadline: 7 * 86_400_000,
});

/** Does Assentry itself ask? */
export const isOwnRequest = ({ request }: Pick<Facts, 'request'>): boolean => request.server === ownServer.name;

/** People decide what Assentry itself asks, and its test requests: no policy lets these pass. */
export const isForPeople = (facts: Pick<Facts, 'request'>): boolean =>
  isOwnRequest(facts) || facts.request.server === testServer.name;

/**
 * Used if no policy applies: approvers if the caller asks for them or the tool is destructive, otherwise the requester.
 */
export function builtInRequirement({ request }: Pick<Facts, 'request'>): Requirement {
  const audience = audienceOf(request.audience ?? undefined, request.annotations['destructiveHint'] === true);
  return audience === 'approvers' ? strictDefault : { ...strictDefault, stages: [] };
}

/** A tool that does not say whether it only reads or destroys. */
export const saysNothing = ({ annotations }: Facts['request']): boolean =>
  annotations['readOnlyHint'] === undefined && annotations['destructiveHint'] === undefined;
