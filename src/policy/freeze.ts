import type { FreezeWindow } from './policy-document.ts';
import { onlyRequester } from './strict-default.ts';
import type { StagePlan } from './verdict.ts';

/** A stage for each window that is open at `now`, and their names. */
export function freezeStages(windows: FreezeWindow[], now: number): { stages: StagePlan[]; frozen: string[] } {
  const open = windows.filter(({ from, until }) => from <= now && now < until);
  return { stages: open.map(freezeStage), frozen: open.map(({ name }) => name) };
}

export function freezeStage({ name, approvers }: FreezeWindow): StagePlan {
  const title = `Freeze: ${name}`;
  return {
    name: title,
    complete: 'all',
    groups: [{ name: title, approve: { count: 1 }, deny: 1, approvers, meaning: 'approved' }],
    escalation: null,
    separation: onlyRequester,
    excluded: [],
  };
}
