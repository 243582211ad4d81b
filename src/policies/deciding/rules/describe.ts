import type { ClauseMatch, PolicyClause } from '../contract/clause.ts';
import { describeRequirement, type Verdict } from '../../document/rules/verdict.ts';
import type { FreezeWindow, Match, PolicyDocument, Rule, Facts } from '../../document/rules/document.ts';
import { planStages } from '../../document/rules/stages.ts';
import { risks, type Risk } from '#requests/asking/contract/elicitation';
import type { PolicyAside } from '../../contract/policy.ts';
import { findCandidates, type BookCondition, type PolicyBook } from './book.ts';
import type { ConsideredRule } from '../../contract/considered-rule.ts';

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

/** A policy that is looked at: its name and version, and its clauses. */
export interface Tried {
  policy: string;
  terms: readonly PolicyClause[];
}

/** Why the policy has no part in the verdict on a call of this risk; null if it has. */
export function whyAside(
  { policy: decider, explanation }: Verdict,
  { policy, terms }: Tried,
  risk: Risk,
): PolicyAside | null {
  const own = explanation.considered.filter((candidate) => candidate.policy === policy);
  if (policy === decider || own.some(({ decided }) => decided)) return null;
  const chosen = own.find(({ result }) => result !== 'not-applied') ?? own[0];
  if (chosen === undefined)
    return explanation.passedOver?.includes(policy) ? { kind: 'condition', clauses: [] } : { kind: 'other-calls' };
  if (chosen.result === 'failed') return { kind: 'failed', failure: chosen.failure ?? '' };
  if (chosen.result === 'not-applied') return { kind: 'condition', clauses: falseIn(chosen) };
  return asideThough(chosen, { policy: decider, explanation }, terms, risk);
}

/** Why, though it applies: it is passed over, or comes after another. */
function asideThough(
  { policy, outcome }: ConsideredRule,
  { policy: decider, explanation }: Pick<Verdict, 'policy' | 'explanation'>,
  terms: readonly PolicyClause[],
  risk: Risk,
): PolicyAside {
  if (explanation.outcome === 'deny' || outcome === 'require' || outcome === 'deny')
    return { kind: 'outranked', policy: decider };
  const ceiling = ceilingIn(terms, outcome);
  if (ceiling !== null && risks.indexOf(risk) > risks.indexOf(ceiling)) return { kind: 'ceiling', ceiling, risk };
  const broken = explanation.considered.find(
    (candidate) => candidate.result === 'failed' && candidate.policy !== policy,
  );
  return broken ? { kind: 'other-failed', policy: broken.policy } : { kind: 'outranked', policy: decider };
}

const falseIn = ({ clauses }: ConsideredRule): string[] =>
  clauses.filter(({ holds }) => holds === false).map(({ text }) => text);

/** The ceiling of a policy; null if it has none, or several different ones. */
function ceilingIn(terms: readonly PolicyClause[], outcome: 'allow' | 'confirm'): Risk | null {
  const kind = outcome === 'allow' ? 'allowed' : 'confirmed';
  const ceilings = terms.flatMap((clause) => (clause.kind === kind && 'ceiling' in clause ? [clause.ceiling] : []));
  return new Set(ceilings).size === 1 ? (ceilings[0] ?? null) : null;
}

/** The facts without the hint that the tool only reads; null if that hint may count. */
export function withoutHint(facts: Facts): Facts | null {
  const { request, unaccepted } = facts;
  if (!unaccepted || request.annotations['readOnlyHint'] !== true) return null;
  const annotations = { ...request.annotations, readOnlyHint: false };
  return { ...facts, request: { ...request, annotations, risk: request.risk === 'low' ? 'medium' : request.risk } };
}

/** The facts as the server states them and, if no one has accepted the tool's definition, without its hint. */
export function readingsOf(facts: Facts): Facts[] {
  const bare = withoutHint(facts);
  return bare === null ? [facts] : [facts, bare];
}

/**
 * Would `decide` say the same of every request that differs from this one only in its arguments, its reason and its
 * time? Not if a policy that could decide it ends or has a freeze window, or a condition on more than the tool's definition.
 */
export const ignoresArguments = (book: PolicyBook, facts: Facts): boolean =>
  readingsOf(facts)
    .flatMap((reading) => findCandidates(book, reading))
    .every(
      ({ condition, rules }) =>
        isForTool(condition) && rules.every((entry) => isForTool(entry.condition) && !mayTurn(entry.rule)),
    );

/** Do people believe that the tool only reads? Then a rule names its definition, and allows calls that fit it. */
export const isBelieved = ({ explanation }: Pick<Verdict, 'explanation'>): boolean =>
  explanation.considered.some(
    ({ decided, outcome, clauses }) =>
      decided &&
      outcome === 'allow' &&
      clauses.some(({ text }) => text === 'tool.fits') &&
      clauses.some(({ text }) => text.startsWith('tool.definition in [')),
  );

const isForTool = (condition: BookCondition): boolean =>
  condition === null || ('variables' in condition && condition.variables.join(' ') === 'tool');

/** Does it say something else at another time? */
const mayTurn = (rule: Rule): boolean =>
  ('freeze' in rule && rule.freeze.length > 0) || (rule.outcome === 'allow' && rule.until !== null);
