import type { Stage } from '../../../voting/contract/quorum/stage.ts';
import type { ElicitationMachineState } from './step.ts';

type Upgrade = (state: ElicitationMachineState) => ElicitationMachineState;

/** By the version that each upgrades from; the result is a state of the next version. */
const upgrades: Record<number, Upgrade> = { 2: markTakenSteps, 3: unchanged, 4: unchanged };

/** A stored state, upgraded to the current machine. A state from a newer node is left unchanged. */
export function upgrade(state: ElicitationMachineState): ElicitationMachineState {
  const next = upgrades[state.version];
  return next ? upgrade({ ...next(state), version: state.version + 1 }) : state;
}

/**
 * Version 3 stores which steps of an escalation were taken. Before, only the current stage counted them; of an
 * earlier
 * stage any may have been.
 */
function markTakenSteps(state: ElicitationMachineState): ElicitationMachineState {
  const { stages, stage, escalated } = state.context;
  const marked = stages.map((current, at) =>
    at > stage ? current : withTaken(current, at < stage ? Infinity : escalated),
  );
  return { ...state, context: { ...state.context, stages: marked } };
}

/**
 * Rows of version 4 are stored without what their columns say, and a step of version 5 can have a stage of its own, so
 * nodes of the version before must not read them.
 */
function unchanged(state: ElicitationMachineState): ElicitationMachineState {
  return state;
}

function withTaken(stage: Stage, count: number): Stage {
  if (!stage.escalation) return stage;
  const steps = stage.escalation.steps.map((step, at) => (at < count ? { ...step, taken: true } : step));
  return { ...stage, escalation: { ...stage.escalation, steps } };
}
