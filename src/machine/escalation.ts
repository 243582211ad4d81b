import type { ApproverGroup, Escalation, EscalationStep, Stage } from '../model/stage.ts';
import { verdictOf } from '../model/quorum.ts';
import { currentStage, votesInStage } from './ballots.ts';
import type { CastVote, ElicitationContext } from './context.ts';

/** Milliseconds until the next step of this stage's escalation, or until its end; null if nothing follows. */
export function escalationWait(context: ElicitationContext): number | null {
  const escalation = currentStage(context)?.escalation;
  if (!escalation || (isExhausted(context) && escalation.end === 'wait')) return null;
  const { steps } = escalation;
  const at = isExhausted(context) ? steps.length - 1 : context.escalated % steps.length;
  return (steps[at]?.after ?? 0) - (steps[at - 1]?.after ?? 0);
}

/** Have all steps of all rounds been taken? */
export function isExhausted(context: ElicitationContext): boolean {
  const escalation = currentStage(context)?.escalation;
  return !escalation || context.escalated >= escalation.steps.length * escalation.loops;
}

/** The step that the current stage's escalation takes next, if it has one. */
function nextStep(context: ElicitationContext): EscalationStep | undefined {
  const steps = currentStage(context)?.escalation?.steps ?? [];
  return steps[context.escalated % steps.length];
}

/**
 * Does the stage begin again with the next step? If another number of approvals is needed, or if the votes from before
 * would complete it now, they would count by a rule under which they were not given, and no one would be left to vote.
 */
export function restarts(context: ElicitationContext): boolean {
  const current = currentStage(context);
  const step = isExhausted(context) ? undefined : nextStep(context);
  if (!current || !step) return false;
  const votes = votesInStage(context);
  const isOther = current.groups.some(({ approve }) => step.approve !== undefined && approve !== step.approve);
  return isOther || verdictOf(stageAfter(current, step, votes), votes) === 'complete';
}

type Escalated = Pick<ElicitationContext, 'stages' | 'votes' | 'escalated' | 'remindedAt'>;

/** Adds the next step's persons to the current stage. People who have voted stay, unless the stage begins again. */
export function escalate(context: ElicitationContext): Escalated {
  const { stages, stage, escalated } = context;
  const step = nextStep(context);
  const votes = restarts(context) ? context.votes.filter((vote) => vote.stage !== stage) : context.votes;
  const kept = votesInStage({ votes, stage });
  const after = stages.map((current, at) => (at === stage && step ? stageAfter(current, step, kept) : current));
  return { stages: after, votes, escalated: escalated + 1, remindedAt: context.now };
}

function stageAfter(stage: Stage, step: EscalationStep, votes: CastVote[]): Stage {
  const voters = votes.map(({ by, for: absent }) => absent ?? by);
  return {
    ...stage,
    groups: stage.groups.map((group) => withStep(group, step, voters)),
    ...(stage.escalation && { escalation: withTaken(stage.escalation, step) }),
  };
}

/** A stage that collects again restarts its rounds, but the people who were added stay. */
const withTaken = (escalation: Escalation, next: EscalationStep): Escalation => ({
  ...escalation,
  steps: escalation.steps.map((step) => (step === next ? { ...step, taken: true } : step)),
});

function withStep(
  group: ApproverGroup,
  { mode, approvers, approve = group.approve }: EscalationStep,
  voters: string[],
): ApproverGroup {
  const before = group.approvers;
  if (before === 'anyone' && mode === 'add') return { ...group, approve };
  const kept = mode === 'add' ? before : voters.filter((user) => before === 'anyone' || before.includes(user));
  return { ...group, approve, approvers: [...new Set([...kept, ...approvers])] };
}
