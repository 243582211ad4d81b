/** What a person's accepting vote says (21 CFR 11.50): it is shown next to the printed name. */
export const meanings = ['approved', 'reviewed', 'responsible', 'witnessed'] as const;
export type Meaning = (typeof meanings)[number];

/** A step of a policy. Its persons are fixed when it starts. */
export interface Stage {
  name: string;
  /** Which of its groups must be complete. */
  complete: 'all' | 'any';
  groups: ApproverGroup[];
  /** Persons who may not vote here in any case: the requester, and whom the policy separates. */
  excluded: string[];
  /** Voters of earlier stages may not vote here. */
  freshVoters: boolean;
  escalation?: Escalation;
  /** Set once a step of its escalation has put a stage in its place: which step, and the steps that brought others since. */
  replacement?: { step: number; since: number[] };
  /** Everyone with several accounts among those whom votes count for, each with all of their accounts: they count once. */
  accounts?: string[][];
  /** Set if no policy but an approver asked for this stage: the one person it needs. */
  added?: string;
}

export interface ApproverGroup {
  name: string;
  /** How many distinct persons must accept; at least one. */
  approve: number;
  /** How many distinct persons refuse it; at least one. */
  deny: number;
  /** Ids of the persons who may vote, or everyone who may vote at all. */
  approvers: string[] | 'anyone';
  meaning: Meaning;
}

/**
 * What happens while no one decides. `end` takes effect when the last step has lasted as long as the wait before it.
 */
export interface Escalation {
  /** In order; `after` is in milliseconds from the start of the stage, or of the round. */
  steps: EscalationStep[];
  /** How many rounds of steps there are; at least one. */
  loops: number;
  end: 'wait' | 'deny';
}

/** What a stage is decided by. */
export type StageInPlace = Pick<Stage, 'name' | 'complete' | 'groups'>;

export interface EscalationStep {
  after: number;
  mode: 'add' | 'replace' | 'stage';
  /** Everyone whom the step brings, also by its stage. */
  approvers: string[];
  /** What takes the place of the stage from then on; without it, only the persons change. */
  stage?: StageInPlace;
  /** How many must accept in each group from then on. If that is another number, the stage begins again: nothing completes by itself. */
  approve?: number;
  /** Set once these persons were asked. */
  taken?: boolean;
}
