import type { ClauseGroup, PolicyClause, SeparatedPerson } from '../../../deciding/contract/clause.ts';
import type { EscalationRule, GroupRule } from '../document/policy-document.ts';
import { describeTerms, type Terms } from '../document/term-list.ts';
import type { Outcome, StagePlan } from './verdict.ts';

/** The requirements of a verdict: who must answer, in which stages, and everything else. */
interface RequiredTerms extends Terms {
  stages: StagePlan[];
  frozen: string[];
}

/** The requirements of a verdict as clauses. */
export function describeRequirement(
  outcome: Outcome,
  requirement: RequiredTerms,
  reason: string | null,
): PolicyClause[] {
  if (outcome === 'allow') return [{ kind: 'allowed', ceiling: null, until: null }];
  if (outcome === 'deny') return [{ kind: 'denied', reason: reason ?? '' }];
  if (requirement.stages.length === 0) return [{ kind: 'requester' }];
  const { stages, frozen } = requirement;
  const isAlone = stages.length === 1;
  return [
    ...frozen.map((window): PolicyClause => ({ kind: 'frozen', window })),
    ...stages.map((stage, index) => describeStage(stage, isAlone ? null : index + 1)),
    ...stages.flatMap(({ name, escalation }) =>
      escalation ? [describeEscalation(escalation, isAlone ? null : name)] : [],
    ),
    { kind: 'separation', excluded: separatedFrom(stages) },
    ...describeTerms(requirement),
  ];
}

const describeStage = ({ name, groups, complete }: StagePlan, position: number | null): PolicyClause => ({
  kind: 'stage',
  position,
  name,
  complete,
  groups: groups.map(describeGroup),
});

const describeGroup = ({ name, approve: need, approvers, meaning, deny }: GroupRule): ClauseGroup => ({
  name,
  need,
  approvers,
  meaning,
  deny,
});

/** `stage` names it if there are several. */
const describeEscalation = ({ steps, loops, end }: EscalationRule, stage: string | null): PolicyClause => ({
  kind: 'escalation',
  stage,
  steps: steps.map(({ stage: inPlace, ...step }) => ({
    ...step,
    ...(inPlace && { stage: { ...inPlace, groups: inPlace.groups.map(describeGroup) } }),
  })),
  rounds: loops,
  end,
});

function separatedFrom(stages: StagePlan[]): SeparatedPerson[] {
  const isSet = (read: (stage: StagePlan) => boolean): boolean => stages.some(read);
  return [
    'requester',
    ...(isSet(({ separation }) => separation.agentOwner) ? (['agent-owner'] as const) : []),
    ...(isSet(({ separation }) => separation.editor) ? (['editor'] as const) : []),
    ...(isSet(({ excluded }) => excluded.length > 0) ? (['author'] as const) : []),
    ...(isSet(({ separation }) => separation.earlierVoters) ? (['earlier-voters'] as const) : []),
  ];
}
