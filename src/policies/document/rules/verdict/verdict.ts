import type { Audience, Risk } from '#requests/asking/contract/elicitation';
import type { PolicyClause } from '../../../deciding/contract/clause.ts';
import type { FreezeWindow, Rule, Separation, StageRule } from '../document/policy-document.ts';
import type { Terms } from '../document/term-list.ts';

/** The policies' verdict on one request: plain JSON, so that it can be sealed with the request and used later. */
export interface Verdict extends Terms {
  /** Name and version of the policy that decided: pinned by the elicitation and bound into its digest. */
  policy: string;
  outcome: Outcome;
  /** Who is asked; meaningless if no one is. */
  audience: Audience;
  risk: Risk;
  /** In order; empty if no one or only the requester is asked. `resolveStages` finds the persons. */
  stages: StagePlan[];
  /** Why it is denied. */
  reason: string | null;
  /** How many percent of what is allowed a person looks at later; null for none. */
  sample: number | null;
  /** The freeze windows of its policy, and the names of those that are open when it starts: these have a stage. */
  freeze: FreezeWindow[];
  frozen: string[];
  explanation: Explanation;
}

export type Outcome = 'allow' | 'deny' | 'require';

/** The other policies whose rules apply and became part of the verdict, as those of a space do next to global ones. */
export const alsoBy = ({ policy, explanation }: Partial<Verdict>): string[] => {
  const others = explanation?.considered.filter((each) => each.decided && each.result === 'applied') ?? [];
  return [...new Set(others.map((each) => each.policy))].filter((name) => name !== policy);
};

/** A stage before its persons are known, with whom its policy separates from voting. */
export interface StagePlan extends StageRule {
  separation: Omit<Separation, 'author'>;
  /** Ids of persons who may not vote here no matter who asks: the author if the policy says so. */
  excluded: string[];
}

/** Why this policy decided: kept with the request, shown to approvers and auditors. */
export interface Explanation {
  policy: string;
  outcome: Outcome;
  /** The requirements as clauses. */
  terms: PolicyClause[];
  /** The policies that are about this server and tool, in the order in which they count. */
  considered: Consideration[];
  /** More of them that did not apply, by name and version: only the first few are explained. Absent if there are none. */
  passedOver?: string[];
}

export interface Consideration {
  policy: string;
  /** Its place among several rules of the policy, from 1; absent if the policy has one, or none of them was looked at. */
  rule?: number;
  outcome: Rule['outcome'];
  result: 'applied' | 'not-applied' | 'failed';
  /** Why the evaluation failed. */
  failure: string | null;
  /** Did its rule, or part of it, become the verdict? */
  decided: boolean;
  /** The parts of `when` that are joined by `&&` at its top. */
  clauses: Clause[];
}

export interface Clause {
  text: string;
  /** Null if it could not be evaluated. */
  holds: boolean | null;
}
