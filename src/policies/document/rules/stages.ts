import { type RequireRule, type Facts, type FreezeWindow, plainTerms, type Terms } from './document.ts';
import { type StagePlan, audienceOf, builtInPolicy } from './verdict.ts';
import { ownServer, testServer } from '#platform/model/names';
import { formatFault } from '#messages/english-faults';
import { matchesGlob } from './directory.ts';
import type { JustificationRule } from '../../terms/justification.ts';

export const onlyRequester: StagePlan['separation'] = { agentOwner: false, earlierVoters: false, editor: false };

/** The stages of a rule, each with the people whom the rule excludes from it. */
export function planStages({ stages, separation }: RequireRule, authorId: string | null): StagePlan[] {
  const { author, ...others } = separation;
  const excluded = author && authorId !== null ? [authorId] : [];
  return stages.map((stage) => ({ ...stage, separation: others, excluded }));
}

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
 * A change of who may decide is accepted by another administrator, or one of the space it is about. Policies that name
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

/** The fault of a reason, as a sentence for its author; null if it satisfies every rule. */
export function faultOfJustification(rules: readonly JustificationRule[], reason: string | null): string | null {
  const text = (reason ?? '').trim();
  const broken = rules.find(({ minLength, like }) => lengthOf(text) < minLength || !fits(text, like));
  return broken ? formatFault({ code: 'reason', ...broken }) : null;
}

const fits = (text: string, like: string | null): boolean => like === null || matchesGlob(text, like);

const lengthOf = (text: string): number => [...text].length;
