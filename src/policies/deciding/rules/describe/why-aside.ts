import { risks, type Risk } from '#requests/asking/contract/elicitation';
import type { PolicyAside } from '../../../contract/policy.ts';
import type { PolicyClause } from '../../contract/clause.ts';
import type { Consideration, Verdict } from '../../../document/rules/verdict/verdict.ts';

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
  { policy, outcome }: Consideration,
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

const falseIn = ({ clauses }: Consideration): string[] =>
  clauses.filter(({ holds }) => holds === false).map(({ text }) => text);

/** Null if it says none, or several of its rules say different ones. */
function ceilingIn(terms: readonly PolicyClause[], outcome: 'allow' | 'confirm'): Risk | null {
  const kind = outcome === 'allow' ? 'allowed' : 'confirmed';
  const ceilings = terms.flatMap((clause) => (clause.kind === kind && 'ceiling' in clause ? [clause.ceiling] : []));
  return new Set(ceilings).size === 1 ? (ceilings[0] ?? null) : null;
}
