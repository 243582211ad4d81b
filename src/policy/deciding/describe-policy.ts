import type { ClauseMatch, PolicyClause } from '../../model/policy-clause.ts';
import { describeRequirement } from '../terms/describe-requirement.ts';
import type { FreezeWindow, Match, PolicyDocument } from '../terms/policy-document.ts';
import { planStages } from '../terms/stage-plan.ts';

/** The clauses of a policy: what it applies to and requires, or that it is retired; and how long it keeps content. */
export const describePolicy = (document: PolicyDocument): PolicyClause[] => [
  ...describeRule(document),
  ...(document.keep === null ? [] : [{ kind: 'kept', within: document.keep } as const]),
];

function describeRule({ match, when, rule }: PolicyDocument): PolicyClause[] {
  if (rule.outcome === 'retire') return [{ kind: 'retired', reason: rule.reason }];
  const applies: PolicyClause = { kind: 'applies', to: describeMatch(match), when: when === null ? null : when.trim() };
  if (rule.outcome === 'deny') return [applies, { kind: 'denied', reason: rule.reason }];
  const windows = rule.freeze.map(describeWindow);
  if (rule.outcome === 'allow') {
    const sampled = rule.sample === null ? [] : [{ kind: 'sampled', percent: rule.sample } as const];
    return [applies, { kind: 'allowed', ceiling: rule.ceiling, until: rule.until }, ...sampled, ...windows];
  }
  if (rule.outcome === 'confirm') return [applies, { kind: 'confirmed', ceiling: rule.ceiling }, ...windows];
  const { outcome, stages: _stages, separation: _separation, ...terms } = rule;
  // Any id will do for the author: the clauses say only whether there is one.
  const requirement = { ...terms, frozen: [], stages: planStages(rule, 'author') };
  return [applies, ...describeRequirement(outcome, requirement, null), ...windows];
}

const describeMatch = ({ server, tool, mode, risk, annotations, audience }: Match): ClauseMatch => ({
  tool,
  server,
  mode,
  risk,
  annotations: Object.entries(annotations).map(([name, value]) => ({ name, value })),
  audience,
});

const describeWindow = ({ name, from, until, approvers }: FreezeWindow): PolicyClause => ({
  kind: 'freeze',
  window: name,
  from,
  until,
  approvers,
});
