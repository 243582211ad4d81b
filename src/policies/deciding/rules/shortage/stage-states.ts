import type { ApproverGroup, EscalationStep, Stage } from '#requests/voting/contract/quorum/stage';

/** A stage as it is from the start, or after so many steps of its escalation, if no one has voted by then. */
export interface StageState {
  stage: Stage;
  /** The step that led here; null at the start. */
  step: number | null;
}

/**
 * Every state of a stage that time alone leads to, in order. A later round adds nothing to what the second one has: each
 * step does the same again.
 */
export function statesOf(stage: Stage): StageState[] {
  const { steps = [], loops = 1 } = stage.escalation ?? {};
  const states: StageState[] = [{ stage, step: null }];
  for (let round = 0; round < Math.min(loops, 2); round += 1)
    for (const [at, step] of steps.entries())
      states.push({ stage: after(states.at(-1)?.stage ?? stage, step), step: at });
  return states;
}

const after = (stage: Stage, step: EscalationStep): Stage => ({
  ...stage,
  ...(step.stage ?? { groups: stage.groups.map((group) => groupAfter(group, step)) }),
});

/** As the machine takes the step when no one has voted. */
function groupAfter(group: ApproverGroup, { mode, approvers, approve = group.approve }: EscalationStep): ApproverGroup {
  if (mode === 'replace') return { ...group, approve, approvers };
  if (group.approvers === 'anyone') return { ...group, approve };
  return { ...group, approve, approvers: [...new Set([...group.approvers, ...approvers])] };
}
