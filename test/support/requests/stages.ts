import type { ApproverGroup, Stage } from '#requests/voting/contract/stages';

/** One group; anyone's one vote decides unless told otherwise. */
export const groupOf = (parts: Partial<ApproverGroup> = {}): ApproverGroup => ({
  name: 'group',
  approve: 1,
  deny: 1,
  approvers: 'anyone',
  meaning: 'approved',
  ...parts,
});

/** A stage of the one group these parts describe, or of the groups given. */
export const stageOf = (parts: Partial<Stage & ApproverGroup> = {}): Stage => {
  const { approve = 1, deny = 1, approvers = 'anyone', meaning = 'approved', ...stage } = parts;
  return {
    name: 'stage',
    complete: 'all',
    groups: [groupOf({ approve, deny, approvers, meaning })],
    excluded: [],
    freshVoters: false,
    ...stage,
  };
};
