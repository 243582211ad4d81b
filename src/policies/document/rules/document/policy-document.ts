import type { Audience, Mode, Risk } from '#requests/asking/contract/elicitation';
import type { ApproverSource, Share } from '../../../deciding/contract/clause.ts';
import type { Meaning } from '#requests/voting/contract/quorum/stage';
import type { Terms } from './term-list.ts';

/** A policy in normal form: defaults filled in, lists instead of single values, times in milliseconds. */
export interface PolicyDocument {
  policy: string;
  description: string;
  /** The higher one decides. */
  priority: number;
  match: Match;
  /** A CEL condition that holds for every rule; null is always true. */
  when: string | null;
  /** Milliseconds for which content is kept after the end of a request; null keeps it until people erase it. */
  keep: number | null;
  /** The first one that fits decides; none if the policy is retired. */
  rules: PolicyRule[];
  /** Why the policy is retired; null if it is not. */
  retired: string | null;
}

export interface PolicyRule {
  /** A CEL condition; null is always true. */
  when: string | null;
  rule: Rule;
}

/** What a request must look like; null and an empty record fit any. Names may hold `*`. */
export interface Match {
  server: string[] | null;
  tool: string[] | null;
  mode: Mode[] | null;
  risk: Risk[] | null;
  annotations: Record<string, string | number | boolean>;
  audience: Audience | null;
}

export type Rule = AllowRule | ConfirmRule | DenyRule | RequireRule;

export interface AllowRule {
  outcome: 'allow';
  /** A request of a higher risk is never allowed by itself. */
  ceiling: Risk;
  /** From then on it allows nothing; milliseconds since 1970, null for no end. */
  until: number | null;
  /** How many percent of what it allows a person looks at later; null for none. */
  sample: number | null;
  freeze: FreezeWindow[];
}

/** The requester answers, in their own client. */
export interface ConfirmRule {
  outcome: 'confirm';
  /** A request of a higher risk is never left to the requester. */
  ceiling: Risk;
  freeze: FreezeWindow[];
}

export interface DenyRule {
  outcome: 'deny';
  reason: string;
}

export interface RequireRule extends Terms {
  outcome: 'require';
  stages: StageRule[];
  separation: Separation;
  freeze: FreezeWindow[];
}

export interface StageRule {
  name: string;
  /** Which of its groups must be complete. */
  complete: 'all' | 'any';
  groups: GroupRule[];
  escalation: EscalationRule | null;
}

export interface GroupRule {
  name: string;
  approve: Share;
  deny: number;
  approvers: ApproverSource[];
  meaning: Meaning;
}

export interface EscalationRule {
  steps: EscalationRuleStep[];
  /** How many rounds of the steps there are. */
  loops: number;
  end: 'wait' | 'deny';
}

export interface EscalationRuleStep {
  /** Milliseconds after the start of the stage, or of the round; ascending. */
  after: number;
  mode: 'add' | 'replace' | 'stage';
  /** Everyone whom the step brings, also by its stage. */
  approvers: ApproverSource[];
  /** How many must approve from then on, in each group; null leaves it as it is. */
  approve: number | null;
  /** What takes the place of the stage from then on; null if only the persons change. */
  stage: StageRuleInPlace | null;
}

/** What a stage is decided by. */
export type StageRuleInPlace = Pick<StageRule, 'name' | 'complete' | 'groups'>;

/** Who may not vote, in addition to the requester. */
export interface Separation {
  /** The owner of the server the agent asks through. */
  agentOwner: boolean;
  /** Anyone who voted in an earlier stage. */
  earlierVoters: boolean;
  /** The author of the policy's version. */
  author: boolean;
  /** Anyone who edited the request. */
  editor: boolean;
}

/** In this window, one more stage of these persons is needed, even if the rule allows. */
export interface FreezeWindow {
  name: string;
  /** Milliseconds since 1970; `until` is outside. */
  from: number;
  until: number;
  approvers: ApproverSource[];
}
