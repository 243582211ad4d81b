import type { ApproverGroup, Escalation, EscalationStep, Stage } from '../model/stage.ts';
import { currentStage, votesInStage } from './ballots.ts';
import type { ElicitationContext } from './context.ts';

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

/** Adds the next step's persons to the current stage; people who have voted stay. */
export function escalate(context: ElicitationContext): Pick<ElicitationContext, 'stages' | 'escalated' | 'remindedAt'> {
  const { stages, stage, escalated } = context;
  const steps = currentStage(context)?.escalation?.steps ?? [];
  const step = steps[escalated % steps.length];
  const voters = votesInStage(context).map(({ by, for: absent }) => absent ?? by);
  const changed = (current: Stage): Stage => ({
    ...current,
    groups: current.groups.map((group) => (step ? withStep(group, step, voters) : group)),
    ...(current.escalation && step && { escalation: withTaken(current.escalation, step) }),
  });
  const after = stages.map((current, at) => (at === stage ? changed(current) : current));
  return { stages: after, escalated: escalated + 1, remindedAt: context.now };
}

/** A stage that collects again restarts its rounds, but the people who were added stay. */
const withTaken = (escalation: Escalation, next: EscalationStep): Escalation => ({
  ...escalation,
  steps: escalation.steps.map((step) => (step === next ? { ...step, taken: true } : step)),
});

function withStep(group: ApproverGroup, { mode, approvers }: EscalationStep, voters: string[]): ApproverGroup {
  const before = group.approvers;
  if (before === 'anyone') return group;
  const kept = mode === 'add' ? before : before.filter((user) => voters.includes(user));
  return { ...group, approvers: [...new Set([...kept, ...approvers])] };
}
