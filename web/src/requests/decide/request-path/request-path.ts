import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { MachineShape } from '#requests/machine/contract';
import type { ShownStage } from '#requests/voting/contract/quorum';
import { isClosed, statuses, type Outcome } from '#requests/asking/contract/elicitation';
import { phasesAfter, shortestWay, startOf, type Facts } from './machine-ways.ts';

export type StepState = 'done' | 'current' | 'next' | 'ended' | 'skipped';

/** One step of a request: a phase of the machine, or one stage of the phase that collects votes. */
export interface PathStep {
  phase: string;
  state: StepState;
  stage: ShownStage | null;
}

export interface DrawnPath {
  steps: PathStep[];
  /** How it ended, or else what it asks for. */
  end: Outcome;
  /** What can come in its place; none once it has ended. */
  otherEnds: Outcome[];
  /** Names of the stages that it ended before. */
  missed: string[];
}

/** Phases of which a request says more than the machine does. */
export const phases = {
  collecting: 'open.asking.approvers.collecting',
  scheduled: 'open.asking.approvers.scheduled',
  visited: 'open.asking.requester.visited',
} as const;

const goal = 'accepted' satisfies Outcome;

/** What this request went through, where it is, and the shortest way from there to what it asks for. */
export function requestPath(shape: MachineShape, detail: ElicitationDetail): DrawnPath {
  const trail = trailOf(shape, detail);
  const here = trail.indexOf(detail.phase);
  const steps = trail
    .filter((phase) => !outcomeOf(phase))
    .flatMap((phase, at) => (phase === phases.collecting ? stageSteps(detail) : phaseStep(detail, phase, at - here)));
  const next = isClosed(detail.status) ? [] : phasesAfter(shape, factsOf(detail), detail.phase);
  return {
    steps,
    missed: missedStages(detail).map(({ name }) => name),
    end: isClosed(detail.status) ? detail.status : goal,
    otherEnds: next.flatMap((phase) => outcomeOf(phase) ?? []).filter((outcome) => outcome !== goal),
  };
}

/** Every phase on its way, in order. */
function trailOf(shape: MachineShape, detail: ElicitationDetail): string[] {
  const facts = factsOf(detail);
  if (detail.timeline.some(({ event }) => event.type === decidedAsAsked)) return [detail.phase];
  const stops = [startOf(shape, facts), ...knownStops(detail), detail.phase];
  if (!isClosed(detail.status)) stops.push(goal);
  return [...new Set(stops.flatMap((stop, at) => [...shortestWay(shape, facts, stops[at - 1] ?? stop, stop), stop]))];
}

/** A policy or a grant has decided before anything was waited for. */
const decidedAsAsked = 'elicitation.decided';

/** What this request makes of the machine's guards; of the others nothing is known. */
const factsOf = ({ audience, mode, onTimeout, notBefore, settlesAt, breakGlass }: ElicitationDetail): Facts => ({
  isForApprovers: audience === 'approvers',
  isEarly: notBefore !== null || settlesAt !== null,
  deniesOnTimeout: onTimeout === 'deny',
  // No one counts on an emergency override.
  mayBreakGlass: breakGlass !== null,
  ...(mode === 'form' && { isUrl: false, isConsent: false }),
});

/** The states it has certainly been in. */
function knownStops({ timeline, stages, notBefore, settlesAt }: ElicitationDetail): string[] {
  const isVisited = timeline.some(({ event }) => event.type === 'elicitation.visited');
  const isApproved = stages.length > 0 && stages.every(({ state }) => state === 'complete');
  return [
    ...(isVisited ? [phases.visited] : []),
    ...(isApproved && (notBefore ?? settlesAt) !== null ? [phases.scheduled] : []),
  ];
}

/** `place` counts from where the request is. */
function phaseStep({ status }: ElicitationDetail, phase: string, place: number): PathStep {
  const isLast = isClosed(status) && status !== goal && place === -1;
  const state = place === 0 ? 'current' : place > 0 ? 'next' : isLast ? 'ended' : 'done';
  return { phase, state, stage: null };
}

const stageSteps = (detail: ElicitationDetail): PathStep[] =>
  detail.stages
    .filter((stage) => !missedStages(detail).includes(stage))
    .map((stage) => ({ phase: phases.collecting, stage, state: stageState(detail.status, stage) }));

const missedStages = ({ status, stages }: ElicitationDetail): ShownStage[] =>
  isClosed(status) && status !== goal ? stages.filter(({ state }) => state === 'waiting') : [];

/** Once the request has ended nothing runs or waits any more. */
function stageState(status: ElicitationDetail['status'], { state }: ShownStage): StepState {
  if (state === 'complete') return 'done';
  if (status === goal) return 'skipped';
  if (isClosed(status)) return 'ended';
  return state === 'current' ? 'current' : 'next';
}

const outcomeOf = (phase: string): Outcome | undefined =>
  statuses.filter(isClosed).find((outcome) => outcome === phase);
