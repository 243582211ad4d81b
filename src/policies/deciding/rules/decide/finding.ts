import type { Risk } from '#requests/asking/contract/elicitation';
import type { RaisedBecause } from '../../contract/clause.ts';
import type { Evaluation } from '../../../language/rules/expression/expression.ts';
import type { Facts } from '../../../document/rules/document/facts.ts';
import { longer } from '../../../document/rules/term/stricter.ts';
import type { FreezeWindow, Rule } from '../../../document/rules/document/policy-document.ts';
import { higherRisk } from '../../../terms/risk.ts';
import { strictDefault, type Requirement } from '../../../document/rules/stages/strict-default.ts';
import { combine } from './combine.ts';
import type { BookEntry } from '../book.ts';

/** A rule of a policy that was looked at, or the first one of a policy whose own condition is false. */
export interface Considered<R extends Rule = Rule> {
  entry: BookEntry;
  /** From 1; null if the policy has one rule, or none was looked at. */
  place: number | null;
  rank: number;
  rule: R;
  evaluation: Evaluation;
}

/** The result of one way to decide; `by` are the policies it comes from. */
export type Finding =
  | { outcome: 'deny'; policy: string; reason: string; by: Considered[] }
  | { outcome: 'allow'; policy: string; sample: number | null; freeze: FreezeWindow[]; by: Considered[] }
  | { outcome: 'require'; requirement: Requirement; by: Considered[]; raised?: RaisedBecause | undefined };

/** The finding that satisfies both. The second weakens nothing of the first, by global policies; `risk` is the first's. */
export function stricter(first: Finding, second: Finding, risk: Risk, { defaults }: Facts): Finding {
  if (first.outcome === 'deny') return first;
  if (second.outcome === 'deny') return second;
  const freeze = [...freezeIn(first), ...freezeIn(second)];
  const by = [...first.by, ...second.by];
  if (first.outcome === 'allow' && second.outcome === 'allow')
    return { ...second, sample: longer(first.sample, second.sample), freeze, by };
  const requirement =
    first.outcome === 'require' && second.outcome === 'require'
      ? combine(first.requirement, second.requirement, defaults)
      : { ...requirementIn(first.outcome === 'require' ? first : second), freeze };
  const isByDefault = first.outcome === 'require' && second.outcome === 'require' && first.by.length === 0;
  return {
    outcome: 'require',
    requirement: {
      ...requirement,
      policy: isByDefault ? second.requirement.policy : requirement.policy,
      risk: higherRisk(risk, requirement.risk ?? risk),
    },
    by,
    raised: first.outcome === 'require' ? first.raised : undefined,
  };
}

const freezeIn = (finding: Exclude<Finding, { outcome: 'deny' }>): FreezeWindow[] =>
  finding.outcome === 'require' ? finding.requirement.freeze : finding.freeze;

/** The requirement of a finding; the usual terms if it requires nothing. */
export const requirementIn = (finding: Finding): Requirement =>
  finding.outcome === 'require' ? finding.requirement : { ...strictDefault, stages: [] };

/** Is it decided by policies alone that name the tool, letter by letter? */
export const isByName = ({ by }: Finding, { request }: Facts): boolean =>
  by.length > 0 && by.every(({ entry }) => entry.document.match.tool?.includes(request.tool) === true);

/** Does the second finding come from all that the first comes from, with the same outcome? */
export const isWithin = (first: Finding, second: Finding): boolean =>
  first.outcome === second.outcome &&
  first.by.every((candidate) => second.by.some((other) => isSameRule(other, candidate)));

export const isSameRule = (a: Considered, b: Considered): boolean => a.entry.name === b.entry.name && a.rank === b.rank;
