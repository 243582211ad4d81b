import { currentStage, votesInStage } from '../../../machine/rules/machine/ballots.ts';
import type { UserId } from '#platform/model/id';
import { accountsIn, isEligible, tally, type GroupTally } from '../../../voting/contract/quorum/quorum.ts';
import type { ApproverGroup, Stage } from '../../../voting/contract/quorum/stage.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';

/** The most names of people who can still answer, for each group. */
const maxNamed = 100;

/** Each stage with the seats of its groups and who can still answer, as people read it. */
export function showStages(row: ElicitationRow, names: ReadonlyMap<string, string>, voters: ReadonlySet<string>) {
  const { context } = row.state;
  const able = new Map([...names].filter(([id]) => voters.has(id)));
  return context.stages.map((stage, at) => {
    const votes = votesInStage(context, at);
    const counts = tally(stage, votes);
    const state = at < context.stage ? 'complete' : at === context.stage ? 'current' : 'waiting';
    return {
      name: stage.name,
      state: state as 'complete' | 'current' | 'waiting',
      complete: stage.complete,
      added: stage.added !== undefined,
      groups: stage.groups.map((group, place) => ({
        name: group.name,
        meaning: group.meaning,
        deny: group.deny,
        ...(counts[place] ?? { have: 0, need: group.approve, refusals: 0 }),
        open: at < context.stage || row.status !== 'open' ? [] : whoIsLeft(stage, group, row, able),
      })),
    };
  });
}

/** The ids whose names `showStages` reads. */
export const usersInStages = ({ state }: ElicitationRow): string[] =>
  state.context.stages.flatMap(({ groups }) =>
    groups.flatMap(({ approvers }) => (approvers === 'anyone' ? [] : approvers.slice(0, 2 * maxNamed))),
  );

/** Of the current or last stage; if any group is enough, of the group that is nearest to complete. */
export function progressOf({ audience, state }: ElicitationRow) {
  const { stages, stage, votes } = state.context;
  const at = Math.min(stage, stages.length - 1);
  const last = currentStage({ stages, stage: at });
  if (audience !== 'approvers' || !last) return null;
  const tallies = tally(last, votesInStage({ votes, stage: at }));
  const nearest = tallies.reduce((tally, other) => (missing(other) < missing(tally) ? other : tally));
  const counted = last.complete === 'any' ? [nearest] : tallies;
  const sum = (of: 'have' | 'need'): number => counted.reduce((total, tally) => total + tally[of], 0);
  return { stage: at + 1, stages: stages.length, have: sum('have'), need: sum('need') };
}

const missing = ({ have, need }: GroupTally): number => need - have;

function whoIsLeft(
  stage: Stage,
  { approvers }: ApproverGroup,
  { state }: ElicitationRow,
  names: ReadonlyMap<string, string>,
) {
  if (approvers === 'anyone') return null;
  const counted = stage.freshVoters
    ? state.context.votes
    : votesInStage(state.context, state.context.stages.indexOf(stage));
  const gone = new Set(counted.flatMap((vote) => accountsIn(stage, vote)));
  return approvers
    .filter((id) => !gone.has(id) && isEligible(stage, { by: id }) && names.has(id))
    .slice(0, maxNamed)
    .map((id) => ({ id: id as UserId, name: names.get(id) ?? '' }));
}
