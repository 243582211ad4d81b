import { Problem } from '#platform/model/problem';
import type { Stage } from '../../../voting/contract/quorum/stage.ts';
import { currentStage } from './ballots.ts';
import type { ElicitationContext } from './context.ts';

/** The most stages that policies and approvers can make. */
const maxStages = 20;

export const hasRoomForStage = ({ stages }: Pick<ElicitationContext, 'stages'>): boolean => stages.length < maxStages;

/** Refuses a stage that could be complete without a vote; problem `internal`, because no checked policy has one. */
export function assertNoEmptyStage(stages: readonly Stage[]): void {
  const isHollow = ({ groups }: Pick<Stage, 'groups'>) =>
    groups.length === 0 || groups.some(({ approve, deny }) => !(approve >= 1 && deny >= 1));
  const inPlace = stages.flatMap(({ escalation }) => escalation?.steps.flatMap(({ stage }) => stage ?? []) ?? []);
  if ([...stages, ...inPlace].some(isHollow))
    throw new Problem('internal', { detail: 'Give each stage at least one vote.' });
}

/** May this person be added as an approver? Not twice, and not if the current stage excludes them. */
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

/** The following stage as it starts, or one more after the last; added approvers stay. */
export const withNext = ({ stages, stage }: ElicitationContext, next: Stage | undefined): Stage[] =>
  next && !stages[stage + 1]?.added ? stages.toSpliced(stage + 1, 1, next) : stages;

/** Is the current stage the last one? */
export const isLastStage = ({ stages, stage }: ElicitationContext, next: Stage | undefined): boolean =>
  stage === stages.length - 1 && next === undefined;

/** An edit never takes away an approver who was added. */
export const withAdded = ({ stages }: ElicitationContext, again: Stage[]): Stage[] => [
  ...again,
  ...stages.filter(({ added }) => added !== undefined),
];
