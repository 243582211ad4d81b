import type {
  ApproverGroup,
  Escalation,
  EscalationStep,
  Stage,
  StageInPlace,
} from '../../../voting/contract/quorum/stage.ts';
import { verdictOf } from '../../../voting/contract/quorum/quorum.ts';
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
 * Does the stage begin again with the next step? If another stage takes its place, another number of approvals is needed,
 * or the votes from before would complete it now, they would count by a rule under which they were not given, and no one
 * would be left to vote.
 */
export function restarts(context: ElicitationContext): boolean {
  const current = currentStage(context);
  const step = isExhausted(context) ? undefined : nextStep(context);
  if (!current || !step) return false;
  const votes = votesInStage(context);
  if (step.stage && !stands(step.stage, current)) return true;
  const isOther = current.groups.some(({ approve }) => step.approve !== undefined && approve !== step.approve);
  return isOther || verdictOf(stageAfter(current, step, votes), votes) === 'complete';
}

/** Does this stage stand there already, from an earlier round? */
const stands = ({ name, complete, groups }: StageInPlace, current: Stage): boolean =>
  current.name === name && current.complete === complete && JSON.stringify(current.groups) === JSON.stringify(groups);

/** The name of the stage that takes the place of the current one with the next step; null if none does. */
export function nameInPlace(context: ElicitationContext): string | null {
  const step = isExhausted(context) ? undefined : nextStep(context);
  return step?.stage && restarts(context) ? step.stage.name : null;
}

type Escalated = Pick<ElicitationContext, 'stages' | 'votes' | 'escalated' | 'remindedAt'>;

/**
 * Adds the next step's persons to the current stage, or puts the step's stage in its place. People who have voted stay,
 * unless the stage begins again.
 */
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
    ...(step.stage ?? { groups: stage.groups.map((group) => withStep(group, step, voters)) }),
    ...(stage.escalation && { escalation: withTaken(stage.escalation, step) }),
    ...replacementAfter(stage, step),
  };
}

/** Which steps the persons of the stage come from, once one of them has put a stage in its place. */
function replacementAfter({ replacement, escalation }: Stage, step: EscalationStep): Pick<Stage, 'replacement'> {
  const at = escalation?.steps.indexOf(step) ?? 0;
  if (step.stage) return { replacement: { step: at, since: [] } };
  return replacement ? { replacement: { ...replacement, since: [...new Set([...replacement.since, at])] } } : {};
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
