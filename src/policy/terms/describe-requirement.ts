import type { ClauseGroup, ClauseNeed, PolicyClause, SeparatedPerson } from '../../model/policy-clause.ts';
import {
  chatToApprovers,
  type EscalationRule,
  type GroupRule,
  type JustificationRule,
  type Terms,
} from './policy-document.ts';
import type { Outcome, StagePlan } from './verdict.ts';

/** The requirements of a verdict: who must answer, in which stages, and everything else. */
export interface RequiredTerms extends Terms {
  stages: StagePlan[];
  frozen: string[];
}

/** The requirements of a verdict as clauses. */
export function describeRequirement(
  outcome: Outcome,
  requirement: RequiredTerms,
  reason: string | null,
): PolicyClause[] {
  if (outcome === 'allow') return [{ kind: 'allowed', ceiling: null }];
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

const describeGroup = ({ name, approve, approvers, meaning, deny }: GroupRule): ClauseGroup => {
  const need: ClauseNeed = 'percent' in approve ? { percent: approve.percent } : { count: approve.count };
  return { name, need, approvers, meaning, deny };
};

/** `stage` names it if there are several. */
const describeEscalation = ({ steps, loops, end }: EscalationRule, stage: string | null): PolicyClause => ({
  kind: 'escalation',
  stage,
  steps,
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

function describeTerms(terms: Terms): PolicyClause[] {
  const { requester, deadline, onTimeout, reminders, quietHours, justification } = terms;
  return [
    ...(requester === 'verified' ? [{ kind: 'checked-requester' } as const] : []),
    ...(deadline === null ? [] : [{ kind: 'deadline', after: deadline, outcome: onTimeout } as const]),
    ...(reminders.length === 0 ? [] : [{ kind: 'reminders', after: reminders, quiet: quietHours } as const]),
    ...justification.requester.map(describeJustification('requester')),
    ...justification.approver.map(describeJustification('approver')),
    ...describeRights(terms),
  ];
}

const describeJustification =
  (from: 'requester' | 'approver') =>
  ({ minLength, like }: JustificationRule): PolicyClause => ({ kind: 'justification', from, minLength, like });

function describeRights({
  freshSignIn,
  readingTime,
  pace,
  notBefore,
  editable,
  facts,
  undo,
  grant,
  chat,
  notify,
}: Terms): PolicyClause[] {
  return [
    ...(freshSignIn === null ? [] : [{ kind: 'fresh-sign-in', within: freshSignIn } as const]),
    ...(readingTime === null ? [] : [{ kind: 'reading-time', within: readingTime } as const]),
    ...pace.map((rule) => ({ kind: 'pace', ...rule }) as const),
    ...(notBefore ? [{ kind: 'start' } as const] : []),
    ...(editable === null ? [] : [{ kind: 'editable', arguments: Object.keys(editable) } as const]),
    ...(facts.length === 0 ? [] : [{ kind: 'facts', labels: facts.map(({ label }) => label) } as const]),
    ...(undo === null ? [] : [{ kind: 'undo', within: undo } as const]),
    ...(grant === null
      ? []
      : [
          {
            kind: 'grant',
            longest: grant.longest,
            uses: grant.uses,
            budget: grant.budget,
            same: grant.same,
          } as const,
        ]),
    ...(chat === null
      ? []
      : [{ kind: 'chat', channel: chat.to === chatToApprovers ? null : chat.to, vote: chat.vote } as const]),
    ...(notify === null ? [] : [{ kind: 'notify', ...notify } as const]),
  ];
}
