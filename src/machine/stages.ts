import { Problem } from '../model/problem.ts';
import type { Stage } from '../model/stage.ts';
import { currentStage } from './ballots.ts';
import type { ElicitationContext } from './context.ts';

/** No policy and no approver makes more. */
const mostStages = 20;

export const hasRoomForStage = ({ stages }: Pick<ElicitationContext, 'stages'>): boolean => stages.length < mostStages;

/** Refuses what could be complete without a vote; problem `internal`, since no policy that was checked says so. */
export function refuseHollow(stages: readonly Stage[]): void {
  const isHollow = ({ groups }: Stage) =>
    groups.length === 0 || groups.some(({ approve, deny }) => !(approve >= 1 && deny >= 1));
  if (stages.some(isHollow)) throw new Problem('internal', { detail: 'A stage needs at least one vote.' });
}

/** Where this person may be added as one more approver: not twice, and not who is kept out of the current stage. */
export function mayAdd(context: ElicitationContext, user: string): boolean {
  const current = currentStage(context);
  const isComing = context.stages.slice(context.stage).some(({ added }) => added === user);
  return !!current && !current.excluded.includes(user) && !isComing && hasRoomForStage(context);
}

/** The stages with one after the current one that needs exactly this person. */
export function withApprover({ stages, stage }: ElicitationContext, user: string): Stage[] {
  const added: Stage = {
    name: 'Added approver',
    complete: 'all',
    groups: [{ name: 'Added approver', approve: 1, deny: 1, approvers: [user], meaning: 'approved' }],
    excluded: stages[stage]?.excluded ?? [],
    freshVoters: false,
    added: user,
  };
  return stages.toSpliced(stage + 1, 0, added);
}

/** The following stage as it is when it starts, or one more after the last; whom an approver added stays. */
export const withNext = ({ stages, stage }: ElicitationContext, next: Stage | undefined): Stage[] =>
  next && !stages[stage + 1]?.added ? stages.toSpliced(stage + 1, 1, next) : stages;

/** Is nothing left to be complete after the current stage? */
export const isLastStage = ({ stages, stage }: ElicitationContext, next: Stage | undefined): boolean =>
  stage === stages.length - 1 && next === undefined;

/** An edit never takes away an approver who was added. */
export const withAdded = ({ stages }: ElicitationContext, again: Stage[]): Stage[] => [
  ...again,
  ...stages.filter(({ added }) => added !== undefined),
];
