import type { ClauseMatch, PolicyClause } from '../../contract/clause.ts';
import { describeRequirement } from '../../../document/rules/verdict/describe-requirement.ts';
import type { FreezeWindow, Match, PolicyDocument, Rule } from '../../../document/rules/document/policy-document.ts';
import { planStages } from '../../../document/rules/stages/stage-plan.ts';

/** The clauses of a policy: what it applies to and what each rule says, or that it is retired; and how long it keeps content. */
export const describePolicy = (document: PolicyDocument): PolicyClause[] => [
  ...describeRules(document),
  ...(document.keep === null ? [] : [{ kind: 'kept', within: document.keep } as const]),
];

function describeRules({ match, when, rules, retired }: PolicyDocument): PolicyClause[] {
  if (retired !== null) return [{ kind: 'retired', reason: retired }];
  const isAlone = rules.length === 1 && rules[0]?.when === null;
  return [
    { kind: 'applies', to: describeMatch(match), when: when?.trim() ?? null },
    ...rules.flatMap((entry, at) => [
      ...(isAlone ? [] : [{ kind: 'rule', position: at + 1, when: entry.when?.trim() ?? null } as const]),
      ...describeRule(entry.rule),
    ]),
  ];
}

function describeRule(rule: Rule): PolicyClause[] {
  if (rule.outcome === 'deny') return [{ kind: 'denied', reason: rule.reason }];
  const windows = rule.freeze.map(describeWindow);
  if (rule.outcome === 'allow') {
    const sampled = rule.sample === null ? [] : [{ kind: 'sampled', percent: rule.sample } as const];
    return [{ kind: 'allowed', ceiling: rule.ceiling, until: rule.until }, ...sampled, ...windows];
  }
  if (rule.outcome === 'confirm') return [{ kind: 'confirmed', ceiling: rule.ceiling }, ...windows];
  const { outcome, stages: _stages, separation: _separation, ...terms } = rule;
  // Any id will do for the author: the clauses say only whether there is one.
  const requirement = { ...terms, frozen: [], stages: planStages(rule, 'author') };
  return [...describeRequirement(outcome, requirement, null), ...windows];
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
