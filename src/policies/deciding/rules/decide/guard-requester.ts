import type { Risk } from '#requests/asking/contract/elicitation';
import type { Facts } from '../../../document/rules/document/facts.ts';
import type { Requirement } from '../../../document/rules/stages/strict-default.ts';
import { onlyRequester } from '../../../document/rules/stages/stage-plan.ts';
import type { StageRuleInPlace } from '../../../document/rules/document/policy-document.ts';
import type { StagePlan } from '../../../document/rules/verdict/verdict.ts';

/** The requirement for this requester, and whether it is stricter than its policy. */
type Guarded =
  { outcome: 'require'; requirement: Requirement; isRaised: boolean } | { outcome: 'deny'; reason: string };

/**
 * Until Assentry has checked it, the requester's name is only what the server's key holder says. So a policy may demand
 * that check; by default, at medium and high risk, two people must approve, and neither may own the server. The maker
 * of the key never votes on its requests.
 */
export function guardRequester(
  requirement: Requirement,
  risk: Risk,
  { requester, defaults }: Pick<Facts, 'requester' | 'defaults'>,
): Guarded {
  const asIs = { outcome: 'require', requirement, isRaised: false } as const;
  if (requester.verifiedBy !== null || requirement.stages.length === 0) return asIs;
  if (requirement.requester === 'verified') return { outcome: 'deny', reason: unchecked };
  const isStrict = requirement.requester === null && defaults.requester === 'verified' && risk !== 'low';
  if (!isStrict) return asIs;
  const stages = needTwo(requirement.stages).map((stage) => ({
    ...stage,
    separation: { ...stage.separation, agentOwner: true },
  }));
  return { outcome: 'require', requirement: { ...requirement, stages }, isRaised: true };
}

const unchecked = 'Assentry must have checked the requester’s access token itself.';

function needTwo(stages: StagePlan[]): StagePlan[] {
  const [stage] = stages;
  if (fewestPersons(stages) > 1) return stages;
  return stages.length === 1 && stage && isOneOfAnyone(stage) ? [withTwo(stage)] : [...stages, second];
}

/** Anyone who votes in several stages is one person, unless voters of earlier stages are kept out. */
function fewestPersons(stages: StagePlan[]): number {
  const counts = stages.map(({ groups, complete, escalation }) => {
    const steps = escalation?.steps ?? [];
    const later = steps.flatMap(({ approve }) => approve ?? []);
    const ways = [{ groups, complete }, ...steps.flatMap(({ stage }) => stage ?? [])];
    return Math.min(...ways.map((way) => fewestIn(way, later)));
  });
  return counts.reduce(
    (most, count, at) => (stages[at]?.separation.earlierVoters ? most + count : Math.max(most, count)),
    0,
  );
}

/** How many persons suffice for these groups; `later` are numbers that suffice in each of them after a while. */
function fewestIn({ groups, complete }: Omit<StageRuleInPlace, 'name'>, later: readonly number[]): number {
  const needed = groups.map(({ approve }) => Math.min('count' in approve ? approve.count : 1, ...later));
  return complete === 'all' ? needed.reduce((sum, count) => sum + count, 0) : Math.min(...needed);
}

function isOneOfAnyone({ groups, escalation }: StagePlan): boolean {
  const [group, another] = groups;
  const isAlone = group !== undefined && another === undefined && escalation === null;
  return isAlone && 'count' in group.approve && group.approvers.some(({ kind }) => kind === 'anyone');
}

const withTwo = (stage: StagePlan): StagePlan => ({
  ...stage,
  groups: stage.groups.map((group) => ({ ...group, approve: { count: 2 } })),
});

const second: StagePlan = {
  name: 'Second person',
  complete: 'all',
  groups: [
    { name: 'Second person', approve: { count: 1 }, deny: 1, approvers: [{ kind: 'anyone' }], meaning: 'approved' },
  ],
  escalation: null,
  separation: { ...onlyRequester, earlierVoters: true },
  excluded: [],
};
